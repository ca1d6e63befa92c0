import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { fileRef } from '../../base/ref.ts';
import type { EdgeKind, LinkedSymbol } from '../../stores/code/index.ts';
import { linkedSymbolSchema, symbolSchema } from '../../stores/code/index.ts';
import { openCode } from '../open-index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { freshnessOutput, staleLine, symbolAnswer, symbolInput } from './shared.ts';

const knownBy = { compiler: 'compiler', imports: 'imports', name: 'name only', scip: 'SCIP index' } as const;

const edgeTypes: Record<string, EdgeKind[] | undefined> = {
  imports: ['imports'],
  calls: ['calls'],
  references: ['references', 'returns', 'receives'],
  extends: ['extends', 'embeds'],
  implements: ['implements'],
  all: undefined,
};

const input = z.object({
  symbol_id: symbolInput.optional(),
  uses: looseBoolean.default(false).describe('reverse the direction: what it uses'),
  path: z.string().max(4096).optional().describe('a file, instead of symbol_id'),
  edge_type: z
    .enum(['imports', 'calls', 'references', 'extends', 'implements', 'all'])
    .default('all')
    .describe('which kind of link to follow'),
  depth: z.coerce.number().int().min(1).max(8).default(1).describe('how many steps to follow (default 1)'),
  direction: z
    .enum(['imports', 'imported_by', 'both'])
    .optional()
    .describe('for a file: direction of the imports'),
  limit: limitInput(100, 1000),
  ...pagingInput,
});

const output = z.object({
  uses: z.boolean(),
  symbol: symbolSchema,
  results: z.array(linkedSymbolSchema),
  possible: z
    .array(z.object({ path: z.string(), line: z.number(), name: z.string(), confidence: z.number() }))
    .describe('calls by the same name on something of unknown type: they may mean another symbol'),
  possible_total: z.number(),
  unresolved: z.array(z.object({ name: z.string(), kind: z.string(), line: z.number() })),
  others: z.array(z.string()),
  ...pagingOutput,
  ...freshnessOutput,
});

/** More than any page shows, so that the total is the number of links there are. */
const mostLinks = 20_000;
const mostPossible = 20;

const directions = { imports: ['out'], imported_by: ['in'], both: ['out', 'in'] } as const;

async function findLinked(given: z.output<typeof input>, context: OperationContext) {
  const { code, freshness } = await openCode(context);
  const asked = given.symbol_id ?? (given.path ? fileRef(given.path.replace(/^\.\//, '')) : undefined);
  if (!asked)
    throw new SylkError('VALIDATION_ERROR', 'Missing SYMBOL or --path.', {
      hint: 'Usage: sylk references SYMBOL, or sylk references --path FILE. Example: sylk references openApp',
    });
  const [symbol, ...others] = code.symbols(asked);
  const kinds = given.direction ? ['imports' as const] : edgeTypes[given.edge_type];
  const follow = (direction: 'out' | 'in'): LinkedSymbol[] =>
    code.linked(symbol!, {
      direction,
      kinds: kinds && new Set(kinds),
      depth: given.depth,
      limit: mostLinks,
    });
  const ways = given.direction
    ? directions[given.direction]
    : [given.uses ? ('out' as const) : ('in' as const)];
  const isPlain = !given.uses && !given.direction && given.edge_type === 'all' && given.depth === 1;
  const found = isPlain ? code.uses(symbol!) : ways.flatMap(follow);
  const { items, ...rest } = await pageOf(found, given);
  const unresolved = given.uses
    ? code.unresolved(symbol!).filter((one) => !kinds || kinds.some((kind) => kind === one.kind))
    : [];
  const possible =
    ways.some((way) => way === 'in') && (!kinds || kinds.includes('calls')) ? code.possibleUses(symbol!) : [];
  return {
    uses: given.uses,
    symbol: symbolAnswer(symbol!),
    results: items,
    possible: possible.slice(0, mostPossible),
    possible_total: possible.length,
    unresolved: unresolved.slice(0, 40),
    others: others.slice(0, 10).map((one) => one.ref),
    ...rest,
    freshness,
  };
}

const getDependents = operation({
  name: 'get_dependents',
  summary:
    'Who uses a symbol or a file: callers, importers, subclasses and mentions, with line and confidence. Use it before changing a signature. With uses: what it depends on.',
  effect: 'read',
  input,
  output,
  examples: [{ symbol_id: 'README.md' }, { path: 'README.md', uses: true, direction: 'both' }],
  command: { positionals: ['symbol_id'] },
  render: (out) =>
    [
      `${out.uses ? 'used by' : 'uses of'} ${out.symbol.qualified} (${out.symbol.path}:${out.symbol.line})`,
      ...out.results.map(
        (one) =>
          `${'  '.repeat(one.depth)}${one.path}:${out.uses ? one.line : one.at_line || one.line}  ${one.name}  ${one.edge}  ${knownBy[one.known]}${one.measured ? ` ${Math.round(one.confidence * 100)} %` : ''}`,
      ),
      ...out.unresolved.map((one) => `  ?  ${one.name}  ${one.kind}, not in this repository`),
      `${out.results.length} of ${out.total}`,
      ...(out.possible_total > 0
        ? [
            `possible: ${out.possible_total} calls by this name on something of unknown type`,
            ...out.possible.map((one) => `  ${one.path}:${one.line}  ${one.name}`),
          ]
        : []),
      ...staleLine(out.freshness),
    ].join('\n'),
  run: findLinked,
});

export const operations = [getDependents];
