import type { Sqlite } from '../../base/sqlite/index.ts';
import { type Edge, type EdgeKind, type LinkSource, unpackEdges } from './edge.ts';
import { confidenceOf, isMeasured } from './link-confidence.ts';
import { fromSymbols, rowById, type SymbolRow, visibleIn } from './visible.ts';

export interface Neighbour {
  row: SymbolRow;
  kind: EdgeKind;
  /** Where the link is written: a line of its file; 0 for the whole file. */
  line: number;
  known: LinkSource;
  confidence: number;
  /** Whether the confidence was measured in this language. */
  measured: boolean;
  depth: number;
  /** The symbol through which it was reached. */
  via: number;
}

export interface NeighbourRequest {
  direction: 'out' | 'in';
  kinds?: ReadonlySet<EdgeKind> | undefined;
  depth: number;
  limit: number;
}

/** Walks edges level by level. Members of a symbol (methods of a class, symbols of a file) count as the symbol. */
export function neighbours(
  sqlite: Sqlite,
  view: number,
  start: SymbolRow,
  request: NeighbourRequest,
): Neighbour[] {
  const found: Neighbour[] = [];
  const seen = new Set<number>([start.id]);
  let level = [start];
  const rows = rowReader(sqlite, view);
  for (let depth = 1; depth <= request.depth && level.length > 0 && found.length < request.limit; depth++) {
    const next: SymbolRow[] = [];
    for (const from of level) {
      const own = subtree(sqlite, from);
      const related = request.direction === 'in' ? relatedMembers(sqlite, view, from) : [];
      const oneSymbol = new Set([from.id, ...related.map((one) => one.id)]);
      const edges =
        request.direction === 'out'
          ? edgesFrom(sqlite, view, from.file, own)
          : [from, ...related].flatMap((one) => edgesTo(sqlite, view, one, usedAs(sqlite, one)));
      const isOwn = (row: SymbolRow, target: number) =>
        own.has(row.id) && !(target === from.id && isRecursion(request, from, row));
      for (const { other, target, kind, line, known } of sites(edges, request)) {
        const row = rows(other);
        if (!row || isOwn(row, target) || (kind === 'implements' && oneSymbol.has(row.id))) continue;
        const { language } = request.direction === 'out' ? from : row;
        const confidence = confidenceOf(language, known);
        const measured = isMeasured(language, known);
        found.push({ row, kind, line, known, confidence, measured, depth, via: from.id });
        if (!seen.has(row.id)) {
          seen.add(row.id);
          next.push(row);
        }
        if (found.length >= request.limit) return found;
      }
    }
    level = next;
  }
  return found;
}

const headers = new Set<string>(['c', 'cpp']);

/** A function and its prototypes in headers are one symbol, unless several files have a function of that name. */
function declaredApart(sqlite: Sqlite, view: number, row: SymbolRow): SymbolRow[] {
  const namesakes = sqlite
    .all<SymbolRow>(`${fromSymbols} WHERE s.name = ? AND ${visibleIn(view)} LIMIT 100`, row.name)
    .filter((one) => headers.has(one.language) && members.has(one.kind));
  const bodies = namesakes.filter((one) => one.declaration === 0);
  return bodies.length === 1 ? namesakes.filter((one) => one.id !== row.id && one.key === row.key) : [];
}

const members = new Set<string>(['method', 'field', 'function']);
const mostRelated = 100;

/**
 * Members that stand for each other: of an interface or base class and of what implements it. A call of one may be a call
 * of any of them. Only a compiler knows them.
 */
function relatedMembers(sqlite: Sqlite, view: number, row: SymbolRow): SymbolRow[] {
  if (!members.has(row.kind)) return [];
  if (headers.has(row.language)) return declaredApart(sqlite, view, row);
  const found = new Map([[row.id, row]]);
  for (const one of found.values()) {
    const own = new Set([one.id]);
    const around = [
      ...edgesFrom(sqlite, view, one.file, own).map((edge) => ({ ...edge, other: edge.target })),
      ...edgesTo(sqlite, view, one, own).map((edge) => ({ ...edge, other: edge.source })),
    ];
    for (const { kind, known, other } of around) {
      if (kind !== 'implements' || known !== 'compiler' || found.has(other)) continue;
      const member = rowById(sqlite, other);
      if (member && members.has(member.kind) && found.size < mostRelated) found.set(other, member);
    }
  }
  found.delete(row.id);
  return [...found.values()];
}

/** A function that calls itself is one of its callers; beyond the first step that says nothing. */
const isRecursion = ({ depth, direction }: NeighbourRequest, from: SymbolRow, caller: SymbolRow): boolean =>
  depth === 1 && direction === 'in' && caller.id === from.id && callable.has(from.kind);

const callable = new Set<string>(['function', 'method', 'constructor', 'macro']);

/** Every place where a symbol is linked, once. */
function sites(edges: Edge[], { direction, kinds }: NeighbourRequest) {
  const found = new Map<string, Edge & { other: number }>();
  for (const edge of edges) {
    const other = direction === 'out' ? edge.target : edge.source;
    if (kinds && !kinds.has(edge.kind)) continue;
    found.set(`${other} ${edge.kind} ${edge.line}`, { ...edge, other });
  }
  return found.values();
}

/**
 * What a use of a symbol leads to: a class is used through its members, a function only by its own name. What its
 * instances hold (`this.props`, `F.prototype.render`) has uses of its own.
 */
const usedAs = (sqlite: Sqlite, row: SymbolRow): Set<number> =>
  callable.has(row.kind) ? new Set([row.id, ...overloadsOf(sqlite, row)]) : subtree(sqlite, row);

const overloadsOf = (sqlite: Sqlite, row: SymbolRow): number[] =>
  sqlite
    .all<Pick<SymbolRow, 'id' | 'parent' | 'name' | 'kind' | 'declaration'>>(
      'SELECT id, parent, name, kind, declaration FROM code_symbols WHERE file = ? AND name = ?',
      row.file,
      row.name,
    )
    .filter((one) => isOverload(one, row))
    .map(({ id }) => id);

/** A symbol with its overloads and everything inside it; one inside a function counts as the function's own. */
export function subtree(sqlite: Sqlite, row: SymbolRow): Set<number> {
  if (row.kind === 'file')
    return new Set(sqlite.column<number>('SELECT id FROM code_symbols WHERE file = ?', row.file));
  const found = new Set([row.id]);
  const all = sqlite.all<Pick<SymbolRow, 'id' | 'parent' | 'key' | 'name' | 'kind' | 'declaration'>>(
    'SELECT id, parent, key, name, kind, declaration FROM code_symbols WHERE file = ? ORDER BY start, id',
    row.file,
  );
  for (const one of all) if (isOverload(one, row)) found.add(one.id);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const one of all) if (found.has(one.parent)) found.add(one.id);
  }
  for (const one of all) if (one.key.startsWith(`${row.key}.`)) found.add(one.id);
  return found;
}

/** Signatures without a body belong to the function of the same name that follows them. */
const isOverload = (
  one: Pick<SymbolRow, 'parent' | 'name' | 'kind' | 'declaration'>,
  row: SymbolRow,
): boolean =>
  one.name === row.name &&
  one.kind === row.kind &&
  one.parent === row.parent &&
  (one.declaration === 1 || row.declaration === 1);

const linksOf = (sqlite: Sqlite, view: number, file: number): Uint8Array | undefined =>
  sqlite.value(
    'SELECT edges FROM code_links WHERE file = ? AND view IN (0, ?) ORDER BY view DESC LIMIT 1',
    file,
    view,
  );

function edgesFrom(sqlite: Sqlite, view: number, file: number, own: ReadonlySet<number>): Edge[] {
  const links = linksOf(sqlite, view, file);
  return links ? [...unpackEdges(links, { source: own })] : [];
}

function edgesTo(sqlite: Sqlite, view: number, row: SymbolRow, own: ReadonlySet<number>): Edge[] {
  const targets = new Set(own);
  const files = new Set([row.file]);
  const twin = view === 0 ? undefined : twinFile(sqlite, row);
  if (twin !== undefined) {
    files.add(twin);
    for (const id of twinIds(sqlite, own, twin)) targets.add(id);
  }
  const reading = 'SELECT source FROM code_consulted WHERE target = ?';
  const sources = new Set([...files, ...[...files].flatMap((file) => sqlite.column<number>(reading, file))]);
  if (view !== 0)
    for (const file of sqlite.column<number>('SELECT file FROM code_links WHERE view = ?', view))
      sources.add(file);
  const edges: Edge[] = [];
  for (const file of sources) {
    if (view !== 0 && !isVisible(sqlite, view, file)) continue;
    const links = linksOf(sqlite, view, file);
    if (links) edges.push(...unpackEdges(links, { target: targets }));
  }
  return edges;
}

const isVisible = (sqlite: Sqlite, view: number, file: number): boolean =>
  sqlite.get(`SELECT 1 AS seen FROM code_files f WHERE f.id = ? AND ${visibleIn(view)}`, file) !== undefined;

/** The base's version of an overlay file: links of unchanged files still name its symbols. */
function twinFile(sqlite: Sqlite, row: SymbolRow): number | undefined {
  const id = sqlite.value<number>('SELECT id FROM code_files WHERE path = ? AND view = 0', row.path);
  return id === row.file ? undefined : id;
}

function twinIds(sqlite: Sqlite, own: ReadonlySet<number>, twin: number): number[] {
  const keys = [...own].map((id) => sqlite.value<string>('SELECT key FROM code_symbols WHERE id = ?', id));
  return sqlite
    .all<{ id: number; key: string }>('SELECT id, key FROM code_symbols WHERE file = ?', twin)
    .filter((one) => keys.includes(one.key))
    .map((one) => one.id);
}

/** Rows by id, each read once; a symbol of a hidden file is replaced by its twin in the view. */
function rowReader(sqlite: Sqlite, view: number): (id: number) => SymbolRow | undefined {
  const read = new Map<number, SymbolRow | undefined>();
  const inView = (row: SymbolRow | undefined): SymbolRow | undefined => {
    if (!row || view === 0) return row;
    const file = sqlite.value<number>(
      'SELECT id FROM code_files WHERE path = ? AND view = ?',
      row.path,
      view,
    );
    if (file === undefined || file === row.file) return row;
    const twin = sqlite.value<number>(
      'SELECT id FROM code_symbols WHERE file = ? AND key = ?',
      file,
      row.key,
    );
    return twin === undefined ? undefined : rowById(sqlite, twin);
  };
  return (id) => {
    if (!read.has(id)) read.set(id, inView(rowById(sqlite, id)));
    return read.get(id);
  };
}

/** Calls written in the symbol itself, not in a function or class inside it. */
export function directCalls(sqlite: Sqlite, view: number, { id, file, language }: SymbolRow): Neighbour[] {
  const rows = rowReader(sqlite, view);
  return edgesFrom(sqlite, view, file, new Set([id])).flatMap(({ kind, target, line, known }) => {
    const row = kind === 'calls' ? rows(target) : undefined;
    const confidence = confidenceOf(language, known);
    const measured = isMeasured(language, known);
    return row ? [{ row, kind, line, known, confidence, measured, depth: 1, via: id }] : [];
  });
}

/** As linking wrote it. */
export type UnresolvedUse = [source: number, kind: string, line: number, path: string];

export interface Unresolved {
  name: string;
  kind: string;
  line: number;
}

/** Calls and imports that resolve to nothing in this repository: stored as written. */
export function unresolvedOf(sqlite: Sqlite, view: number, row: SymbolRow): Unresolved[] {
  const own = subtree(sqlite, row);
  const text = sqlite.value<string>(
    'SELECT unresolved FROM code_links WHERE file = ? AND view IN (0, ?) ORDER BY view DESC LIMIT 1',
    row.file,
    view,
  );
  const seen = new Set<string>();
  const found: Unresolved[] = [];
  const uses: UnresolvedUse[] = JSON.parse(text || '[]');
  for (const [source, kind, line, name] of uses) {
    if (!own.has(source) || seen.has(`${kind} ${name}`)) continue;
    seen.add(`${kind} ${name}`);
    found.push({ name, kind, line });
  }
  return found;
}
