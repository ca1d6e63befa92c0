import type { DefinitionKind } from '../../base/syntax/index.ts';

/** A symbol as it is answered. The file itself is a symbol of kind `file`. */
export interface SymbolRecord {
  /** `symbol:<path>#<Outer.inner>[~n]`, or `file:<path>`. */
  ref: string;
  id: number;
  kind: DefinitionKind | 'file';
  name: string;
  qualified: string;
  path: string;
  line: number;
  end_line: number;
  signature: string;
  doc: string;
  exported: boolean;
  language: string;
  package: string;
}

/** The types a search can be narrowed to, and what each takes in. */
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
