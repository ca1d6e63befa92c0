import { z } from 'zod';
import type { DefinitionKind } from '../../base/syntax/index.ts';
import { linkSources } from './edge.ts';

/** A symbol in an answer. The file itself is a symbol of kind `file`. */
export const symbolSchema = z.object({
  ref: z.string().describe('symbol:<path>#<Outer.inner>[~n], or file:<path>'),
  kind: z.string(),
  name: z.string(),
  qualified: z.string(),
  path: z.string(),
  line: z.number(),
  end_line: z.number(),
  signature: z.string(),
  doc: z.string(),
  exported: z.boolean(),
  language: z.string(),
});

export interface SymbolRecord extends z.output<typeof symbolSchema> {
  id: number;
  kind: DefinitionKind | 'file';
  package: string;
}

/** A symbol at the other end of a link. */
export const linkedSymbolSchema = symbolSchema
  .pick({ ref: true, kind: true, name: true, path: true, line: true, signature: true })
  .extend({
    edge: z.string(),
    at_line: z.number().describe('line of the link in its file; 0 for the whole file'),
    known: z
      .enum(linkSources)
      .describe(
        'how the link is known: a compiler says so, imports and scopes lead there, or only the name fits',
      ),
    confidence: z.number().describe('share of such links that were right where it was measured'),
    measured: z.boolean().describe('false: nobody measured it in this language, it is an estimate'),
    depth: z.number(),
  });

/** The types that a search can filter by, and the kinds of each. */
export const symbolTypes = {
  function: ['function', 'macro'],
  method: ['method', 'constructor'],
  class: ['class'],
  struct: ['struct'],
  interface: ['interface', 'trait'],
  variable: ['variable', 'field'],
  constant: ['constant'],
  type: ['type', 'enum'],
} as const;

export type SymbolType = keyof typeof symbolTypes | 'any';
