import { SylkError } from '../../base/errors.ts';
import { compileGlob } from '../../base/glob/index.ts';
import { rarityOf } from '../../base/search/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { matchAll } from '../../base/text/index.ts';
import { type SymbolType, symbolTypes } from './symbol.ts';
import { chunksOf, fromSymbols, type SymbolRow, visibleIn } from './visible.ts';
import { fieldMarks, questionWords } from './words.ts';

export interface SearchRequest {
  query: string;
  limit: number;
  type?: SymbolType | undefined;
  filePattern?: string | undefined;
}

export interface SearchHit {
  row: SymbolRow;
  score: number;
  /** Which words matched where. */
  matched: { name: string[]; head: string[]; body: string[] };
}

const weights = { name: 6, head: 2, body: 1 };
const commonest = 60_000;

/** Matches words against names, heads and bodies; rarer words count more. Whole names win. */
export function searchSymbols(sqlite: Sqlite, view: number, request: SearchRequest): SearchHit[] {
  const words = questionWords(request.query).slice(0, 24);
  const total = Math.max(1, sqlite.value<number>('SELECT count(*) FROM code_symbols') ?? 0);
  const scores = new Map<number, number>();
  const fields = new Map<number, SearchHit['matched']>();
  const note = (id: number, field: keyof typeof weights, word: string, gain: number) => {
    scores.set(id, (scores.get(id) ?? 0) + gain);
    const matched = fields.get(id) ?? { name: [], head: [], body: [] };
    fields.set(id, matched);
    matched[field].push(word);
  };
  for (const word of words) {
    for (const field of ['name', 'head', 'body'] as const) {
      const query = matchAll([fieldMarks[field] + word]);
      if (!query) continue;
      const sql = `SELECT rowid FROM code_words WHERE code_words MATCH ? LIMIT ${commonest}`;
      const ids = sqlite.column<number>(sql, query);
      const gain = weights[field] * rarityOf(total, ids.length);
      for (const id of ids) note(id, field, word, gain);
    }
  }
  const accepts = filterOf(request);
  const ranked = [...scores].sort((a, b) => b[1] - a[1]);
  const hits: SearchHit[] = exactNames(sqlite, view, request, accepts);
  const had = new Set(hits.map((hit) => hit.row.id));
  for (const part of chunksOf(ranked, 300)) {
    if (hits.length >= request.limit * 3) break;
    const marks = part.map(() => '?').join(',');
    const rows = sqlite.all<SymbolRow>(
      `${fromSymbols} WHERE s.id IN (${marks}) AND ${visibleIn(view)}`,
      ...part.map(([id]) => id),
    );
    for (const row of rows) {
      const matched = fields.get(row.id);
      if (!matched || had.has(row.id) || !accepts(row)) continue;
      const covered =
        new Set([...matched.name, ...matched.head, ...matched.body]).size / Math.max(1, words.length);
      const score = (scores.get(row.id) ?? 0) * (0.15 + 0.85 * covered ** 2) * kindFactor(row);
      hits.push({ row, score, matched });
    }
  }
  return hits.sort((a, b) => b.score - a.score || a.row.id - b.row.id).slice(0, request.limit);
}

const kindFactors = new Map<string, number>([
  ['field', 0.7],
  ['variable', 0.7],
  ['file', 0.8],
]);
const kindFactor = ({ kind }: SymbolRow): number => kindFactors.get(kind) ?? 1;

/** A query that is itself a name ranks that name first. */
function exactNames(
  sqlite: Sqlite,
  view: number,
  request: SearchRequest,
  accepts: (row: SymbolRow) => boolean,
): SearchHit[] {
  const name = request.query.trim();
  if (!/^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(name)) return [];
  const last = name.slice(name.lastIndexOf('.') + 1);
  return sqlite
    .all<SymbolRow>(`${fromSymbols} WHERE s.name = ? AND ${visibleIn(view)} LIMIT 200`, last)
    .filter((row) => (row.key === name || row.key.endsWith(`.${name}`) || row.name === name) && accepts(row))
    .map((row) => ({
      row,
      score: 1000 * kindFactor(row) + (row.exported ? 10 : 0),
      matched: { name: [last], head: [], body: [] },
    }));
}

export function filterOf(request: Pick<SearchRequest, 'type' | 'filePattern'>): (row: SymbolRow) => boolean {
  const kinds =
    request.type && request.type !== 'any' ? new Set<string>(symbolTypes[request.type]) : undefined;
  const matches = request.filePattern ? pathMatcher(request.filePattern) : undefined;
  return (row) => (!kinds || kinds.has(row.kind)) && (!matches || matches(row.path));
}

/** `*.go` matches at any depth; a pattern with a slash starts at the root. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  if (pattern.length > 500)
    throw new SylkError('VALIDATION_ERROR', 'The file pattern is longer than 500 characters.', {
      hint: 'Use a glob such as src/**/*.ts.',
    });
  try {
    const [, not, glob = ''] = /^(!?)(?:\.\/)?(.*)$/s.exec(pattern) ?? [];
    const matches = compileGlob(glob.includes('/') ? glob : `**/${glob}`);
    return not ? (path) => !matches(path) : matches;
  } catch {
    throw new SylkError('VALIDATION_ERROR', `Invalid file pattern: ${JSON.stringify(pattern)}`, {
      hint: 'Use a glob such as src/**/*.ts.',
    });
  }
}
