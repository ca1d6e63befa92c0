import { z } from 'zod';
import type { SymbolRecord } from '../../stores/code/index.ts';

export const freshnessOutput = {
  freshness: z
    .enum(['fresh', 'stale', 'updating', 'building', 'interrupted', 'empty'])
    .describe('fresh: matches the files on disk; any other value: the answer is older or incomplete'),
};

export const symbolInput = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    'ref (symbol:path#Outer.inner), qualified name (pkg/auth.Login, Outer.inner), name, or file path',
  );

const wordsForTypes: Record<string, string> = { const: 'constant', var: 'variable', all: 'any' };

export const symbolTypeInput = z
  .preprocess(
    (given) => (typeof given === 'string' ? (wordsForTypes[given] ?? given) : given),
    z.enum(['function', 'method', 'class', 'struct', 'interface', 'variable', 'constant', 'type', 'any']),
  )
  .default('any')
  .describe('only symbols of this type');

export const patternInput = z
  .string()
  .max(500)
  .optional()
  .describe("glob of files, such as '*.go' or 'src/**/*.ts'");

export const symbolAnswer = ({ id: _id, package: _package, ...symbol }: SymbolRecord) => symbol;

/** `src/a.ts:12  function login(user: User)` */
export const symbolLine = (symbol: {
  path: string;
  line: number;
  kind: string;
  name: string;
  signature: string;
}): string =>
  symbol.kind === 'file'
    ? symbol.path
    : `${symbol.path}:${symbol.line}  ${symbol.signature || `${symbol.kind} ${symbol.name}`}`;

export const staleLine = (freshness: string): string[] =>
  freshness === 'fresh' ? [] : [`(the index is ${freshness}: answers may be incomplete)`];
