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

/** Characters that would end a path inside a ref, or be read as an escape, are written as one. */
export const symbolRef = (path: string, key: string): string =>
  key === '' ? `file:${path}` : `symbol:${encodePath(path)}#${key}`;

const encodePath = (path: string): string =>
  path.replace(/[%#~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

export interface ParsedRef {
  path: string;
  key: string;
}

/** Reads `symbol:path#key`, `path#key` and `file:path`; anything else is a name. */
export function parseSymbolRef(text: string): ParsedRef | undefined {
  if (text.startsWith('file:')) return { path: text.slice(5), key: '' };
  const bare = text.startsWith('symbol:') ? text.slice(7) : text;
  const hash = bare.indexOf('#');
  if (hash <= 0) return undefined;
  return { path: decodePath(bare.slice(0, hash)), key: bare.slice(hash + 1) };
}

const decodePath = (path: string): string =>
  path.replace(/%(25|23|7e)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
