import { fileRef } from '../../base/ref.ts';
import type { CodeStore, EdgeKind, SymbolRecord } from '../../stores/code/index.ts';
import type { EdgeType } from '../../stores/graph/index.ts';

export interface CodeStep {
  from: string;
  ref: string;
  type: EdgeType;
  direction: 'out' | 'in';
  weight: number;
}

/** Links that are derived from the code on each query; nobody has to create them. */
export const structuralTypes = [
  'calls',
  'imports',
  'implements',
  'extends',
  'embeds',
  'returns',
  'receives',
  'defines',
  'has_method',
  'has_field',
] as const satisfies readonly EdgeType[];

const linked = new Set<string>([
  'calls',
  'imports',
  'implements',
  'extends',
  'embeds',
  'returns',
  'receives',
]);
const holders = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'type']);
const most = 200;

/** What the code says about one ref: what it calls, what it defines, and the reverse. */
export function codeSteps(
  code: CodeStore,
  ref: string,
  types: ReadonlySet<EdgeType>,
  direction: 'out' | 'in' | 'both',
): CodeStep[] {
  const symbol = /^(?:file|symbol):/.test(ref) ? code.find(ref)[0] : undefined;
  if (!symbol) return [];
  const kinds = new Set([...types].filter((type) => linked.has(type)) as EdgeKind[]);
  const ways = direction === 'both' ? (['out', 'in'] as const) : [direction];
  return ways.flatMap((way) => [
    ...(kinds.size === 0 ? [] : code.linked(symbol, { direction: way, kinds, depth: 1, limit: most })).map(
      (other): CodeStep => ({
        from: ref,
        ref: other.ref,
        type: other.edge as EdgeType,
        direction: way,
        weight: other.confidence,
      }),
    ),
    ...(way === 'out' ? held(code, symbol) : holding(code, symbol))
      .filter(({ type }) => types.has(type))
      .map(({ ref: other, type }): CodeStep => ({ from: ref, ref: other, type, direction: way, weight: 1 })),
  ]);
}

interface Held {
  ref: string;
  type: 'defines' | 'has_method' | 'has_field';
}

function typeOf(holder: SymbolRecord, inner: SymbolRecord): Held['type'] {
  if (!holders.has(holder.kind)) return 'defines';
  return ['field', 'variable', 'constant'].includes(inner.kind) ? 'has_field' : 'has_method';
}

const outerName = (symbol: SymbolRecord): string => symbol.qualified.split('.').slice(0, -1).join('.');

const held = (code: CodeStore, symbol: SymbolRecord): Held[] =>
  code
    .fileSymbols(symbol.path)
    .filter((inner) => outerName(inner) === (symbol.kind === 'file' ? '' : symbol.qualified))
    .slice(0, most)
    .map((inner) => ({ ref: inner.ref, type: typeOf(symbol, inner) }));

function holding(code: CodeStore, symbol: SymbolRecord): Held[] {
  if (symbol.kind === 'file') return [];
  const outer = outerName(symbol);
  const [holder] =
    outer === ''
      ? code.find(fileRef(symbol.path))
      : code.fileSymbols(symbol.path).filter(({ qualified }) => qualified === outer);
  return holder ? [{ ref: holder.ref, type: typeOf(holder, symbol) }] : [];
}
