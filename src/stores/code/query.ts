import type { Sqlite } from '../../base/sqlite/index.ts';
import { findSymbols, likeliness, requireSymbol } from './find.ts';
import {
  directCalls,
  type Neighbour,
  type NeighbourRequest,
  neighbours,
  unresolvedOf,
} from './neighbours.ts';
import { importGraph } from './overview.ts';
import { detectPatterns } from './patterns.ts';
import { possibleUses } from './possible.ts';
import { filterOf, pathMatcher, type SearchHit, type SearchRequest, searchSymbols } from './search.ts';
import { readStructure } from './structure.ts';
import type { SymbolRecord, SymbolType } from './symbol.ts';
import { fromSymbols, recordOf, rowById, type SymbolRow, visibleIn } from './visible.ts';

export interface FoundSymbol extends SymbolRecord {
  score: number;
  matched: SearchHit['matched'];
}

export interface LinkedSymbol extends SymbolRecord {
  edge: Neighbour['kind'];
  at_line: number;
  known: Neighbour['known'];
  confidence: number;
  measured: boolean;
  depth: number;
}

export interface FileRecord {
  path: string;
  language: string;
  lines: number;
  size: number;
  /** Hash of its content. */
  hash: string;
}

/** A span of a file that is searched and embedded as one. Offsets are UTF-16 units. */
export interface Span {
  ref: string;
  kind: SymbolRecord['kind'];
  name: string;
  start: number;
  end: number;
  line: number;
  end_line: number;
}

const mostUses = 20_000;
/** Equal names whose uses are counted, and uses that are counted of each. */
const mostNamesakes = 8;
const mostCounted = 500;

const linkedOf = (one: Neighbour): LinkedSymbol => ({
  ...recordOf(one.row),
  edge: one.kind,
  at_line: one.line,
  known: one.known,
  confidence: one.confidence,
  measured: one.measured,
  depth: one.depth,
});

const matching = (pattern: string | undefined): ((row: { path: string }) => boolean) => {
  const matches = pattern ? pathMatcher(pattern) : undefined;
  return (row) => !matches || matches(row.path);
};

export function createQueries(sqlite: () => Sqlite, view: () => number) {
  const rowOf = (symbol: SymbolRecord): SymbolRow =>
    rowById(sqlite(), symbol.id) ?? requireSymbol(sqlite(), view(), symbol.ref)[0];
  /** Among those that are equally likely by what they are, the one that most places use comes first. */
  const mostUsedFirst = (rows: SymbolRow[]): SymbolRow[] => {
    const equal = rows
      .filter((row) => row.name === rows[0]!.name && likeliness(row) === likeliness(rows[0]!))
      .slice(0, mostNamesakes);
    if (equal.length < 2) return rows;
    const uses = new Map(
      equal.map((row) => [
        row,
        neighbours(sqlite(), view(), row, { direction: 'in', depth: 1, limit: mostCounted }).length,
      ]),
    );
    const ordered = equal.toSorted((left, right) => uses.get(right)! - uses.get(left)!);
    return [...ordered, ...rows.filter((row) => !uses.has(row))];
  };
  const inFile = (path: string) =>
    sqlite().all<SymbolRow>(
      `${fromSymbols} WHERE f.path = ? AND s.kind <> 'file' AND ${visibleIn(view())} ORDER BY s.start, s."end" DESC, s.id`,
      path,
    );
  return {
    search: (request: SearchRequest): FoundSymbol[] =>
      searchSymbols(sqlite(), view(), request).map(({ row, score, matched }) => ({
        ...recordOf(row),
        score: Math.round(score * 100) / 100,
        matched,
      })),
    /** Everything that a ref or a name can mean, the most likely first; an error when there is nothing. */
    symbols: (asked: string) => mostUsedFirst(requireSymbol(sqlite(), view(), asked)).map(recordOf),
    /** The same without the error. */
    find: (asked: string) => findSymbols(sqlite(), view(), asked).map(recordOf),
    linked: (symbol: SymbolRecord, request: NeighbourRequest) =>
      neighbours(sqlite(), view(), rowOf(symbol), request).map(linkedOf),
    /** What the symbol itself calls, without calls inside nested symbols. */
    directCalls: (symbol: SymbolRecord) => directCalls(sqlite(), view(), rowOf(symbol)).map(linkedOf),
    /** Every place that uses the symbol, the same for every answer; an import counts where its file has no other use. */
    uses: (symbol: SymbolRecord) => {
      const found = neighbours(sqlite(), view(), rowOf(symbol), {
        direction: 'in',
        depth: 1,
        limit: mostUses,
      });
      const using = new Set(found.filter((one) => one.kind !== 'imports').map((one) => one.row.file));
      return found.filter((one) => one.kind !== 'imports' || !using.has(one.row.file)).map(linkedOf);
    },
    /** Calls by the same name on something unknown, which may mean the symbol. */
    possibleUses: (symbol: SymbolRecord) => possibleUses(sqlite(), view(), rowOf(symbol)),
    unresolved: (symbol: SymbolRecord) => unresolvedOf(sqlite(), view(), rowOf(symbol)),
    fileSymbols: (path: string, type?: SymbolType) => inFile(path).filter(filterOf({ type })).map(recordOf),
    files: ({ pattern, language }: { pattern?: string | undefined; language?: string | undefined } = {}) =>
      sqlite()
        .all<FileRecord>(
          `SELECT f.path, f.language, f.lines, f.size, f.hash FROM code_files f WHERE ${visibleIn(view())} ORDER BY f.path`,
        )
        .filter(matching(pattern))
        .filter((row) => !language || row.language === language),
    /** Content hashes of some files; files that are not indexed are missing. */
    contents: (paths: string[]) =>
      new Map(
        sqlite()
          .all<{ path: string; hash: string }>(
            `SELECT f.path, f.hash FROM code_files f WHERE f.path IN (SELECT value FROM json_each(?)) AND ${visibleIn(view())}`,
            JSON.stringify(paths),
          )
          .map((row) => [row.path, row.hash]),
      ),
    /** Names of the indexed files directly in a directory. */
    namesIn: (directory: string) => {
      const [from, to] = directory === '' ? ['', '\u{10ffff}'] : [`${directory}/`, `${directory}0`];
      return sqlite()
        .column<string>(
          `SELECT f.path FROM code_files f WHERE f.path > ?1 AND f.path < ?2 AND instr(substr(f.path, length(?1) + 1), '/') = 0
           AND ${visibleIn(view())} ORDER BY f.path`,
          from,
          to,
        )
        .map((path) => path.slice(from.length));
    },
    /** Directories with indexed files. */
    directories: () => [
      ...new Set(
        sqlite()
          .column<string>(`SELECT f.path FROM code_files f WHERE ${visibleIn(view())}`)
          .map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))),
      ),
    ],
    /** Files that are not indexed, with the reason. */
    skipped: (pattern?: string) =>
      sqlite()
        .all<{ path: string; reason: string }>(
          'SELECT path, reason FROM code_skipped WHERE view = ? ORDER BY path',
          view(),
        )
        .filter(matching(pattern)),
    imports: (prefix?: string) => importGraph(sqlite(), view(), prefix),
    patterns: (prefix = '') => detectPatterns(sqlite(), view(), prefix),
    structure: (path: string, depth: number) => readStructure(sqlite(), view(), path, depth),
    /** The separately searched symbols of a file, in order; the text between them belongs to the file. */
    spans: (path: string): Span[] =>
      inFile(path).map((row) => ({
        ref: recordOf(row).ref,
        kind: row.kind,
        name: row.name,
        start: row.start,
        end: row.end,
        line: row.line,
        end_line: row.end_line,
      })),
  };
}
