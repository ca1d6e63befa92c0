import type { Sqlite } from '../../base/sqlite/index.ts';
import { escapeLike, termsOf } from '../../base/text/index.ts';
import { headingSeparator } from './ingest.ts';
import { type Domain, type OwnerState, type Passage, words } from './tables.ts';

export interface WordsRequest {
  text: string;
  domain: Domain;
  limit: number;
  /** Only owners at or under this path. */
  path?: string;
}

export interface WordMatch extends Passage {
  /** BM25, higher is better. */
  score: number;
}

interface Row {
  id: number;
  domain: Domain;
  owner: string;
  title: string;
  start_line: number;
  end_line: number;
  heading: string;
  key: string;
  updated: number;
}

const columns = 'p.id, o.domain, o.owner, o.title, p.start_line, p.end_line, p.heading, p.key, o.updated';

const passageOf = (row: Row): Passage => ({
  id: row.id,
  domain: row.domain,
  owner: row.owner,
  title: row.title,
  startLine: row.start_line,
  endLine: row.end_line,
  heading: row.heading === '' ? [] : row.heading.split(headingSeparator),
  key: row.key,
  updated: row.updated,
});

const mostTerms = 24;

export function searchPassages(sqlite: Sqlite, request: WordsRequest): WordMatch[] {
  const { domain, limit, path } = request;
  const terms = selective(sqlite, domain, [...new Set(termsOf(request.text))]).slice(0, mostTerms);
  const accept = path ? new Set(under<number>(sqlite, domain, path, 'id')) : undefined;
  const ranked = words[domain].rank(sqlite, { terms, limit, accept });
  const passages = passagesById(
    sqlite,
    ranked.map(({ id }) => id),
  );
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  return passages.map((passage) => ({ ...passage, score: scores.get(passage.id) ?? 0 }));
}

/** The keys of all passages at or under a path. */
export const keysUnder = (sqlite: Sqlite, domain: Domain, path: string): Set<string> =>
  new Set(under<string>(sqlite, domain, path, 'key'));

function under<Value>(sqlite: Sqlite, domain: Domain, path: string, column: 'id' | 'key'): Value[] {
  const folder = path.replace(/\/+$/, '');
  const row = sqlite.get<{ found: string }>(
    `SELECT json_group_array(p.${column}) AS found FROM passage_owners o JOIN passages p ON p.owner_id = o.id
     WHERE o.domain = ? AND (o.owner = ? OR o.owner LIKE ? ESCAPE '\\')`,
    domain,
    folder,
    `${escapeLike(folder)}/%`,
  );
  return JSON.parse(row?.found ?? '[]') as Value[];
}

/** Words in a quarter of all passages are useless and expensive: they are skipped while others remain. */
function selective(sqlite: Sqlite, domain: Domain, terms: string[]): string[] {
  if (terms.length < 3) return terms;
  const total = words[domain].size(sqlite);
  if (total < 2000) return terms;
  const counts = words[domain].frequencies(sqlite, terms);
  const known = terms.filter((term) => counts.has(term));
  const rare = known.filter((term) => (counts.get(term) ?? 0) < total / 8);
  return rare.length >= 2 ? rare : known;
}

/** Starts from the keys: by default, SQLite scans every owner of the domain. */
export const passagesByKey = (sqlite: Sqlite, domain: Domain, keys: string[]): Passage[] =>
  sqlite
    .all<Row>(
      `SELECT ${columns} FROM (SELECT DISTINCT value FROM json_each(?)) k CROSS JOIN passages p ON p.key = k.value
       CROSS JOIN passage_owners o ON o.id = p.owner_id WHERE o.domain = ?`,
      JSON.stringify(keys),
      domain,
    )
    .map(passageOf);

export const passagesOfOwner = (sqlite: Sqlite, domain: Domain, owner: string): Passage[] =>
  sqlite
    .all<Row>(
      `SELECT ${columns} FROM passage_owners o JOIN passages p ON p.owner_id = o.id
       WHERE o.domain = ? AND o.owner = ? ORDER BY p.start_line`,
      domain,
      owner,
    )
    .map(passageOf);

export const ownersOf = (sqlite: Sqlite, domain: Domain): OwnerState[] =>
  sqlite.all<OwnerState & Record<string, unknown>>(
    'SELECT owner, hash FROM passage_owners WHERE domain = ?',
    domain,
  );

export const hashOf = (sqlite: Sqlite, domain: Domain, owner: string): string | undefined =>
  sqlite.get<{ hash: string }>(
    'SELECT hash FROM passage_owners WHERE domain = ? AND owner = ?',
    domain,
    owner,
  )?.hash;

export interface PassageCounts {
  owners: number;
  passages: number;
}

export const countsOf = (sqlite: Sqlite, domain: Domain): PassageCounts =>
  sqlite.get<PassageCounts & Record<string, unknown>>(
    `SELECT count(DISTINCT o.id) AS owners, count(p.id) AS passages
     FROM passage_owners o LEFT JOIN passages p ON p.owner_id = o.id WHERE o.domain = ?`,
    domain,
  ) ?? { owners: 0, passages: 0 };

/** Ids of all passages in embedding order. */
export const embeddingOrder = (sqlite: Sqlite): number[] =>
  sqlite
    .all<{ id: number }>(
      `SELECT p.id FROM passage_owners o JOIN passages p ON p.owner_id = o.id
       ORDER BY o.priority DESC, o.updated DESC, p.id`,
    )
    .map((row) => row.id);

/** In the order of the ids. */
export function passagesById(sqlite: Sqlite, ids: number[]): Passage[] {
  const rows = sqlite.all<Row>(
    `SELECT ${columns} FROM json_each(?) j JOIN passages p ON p.id = j.value
     JOIN passage_owners o ON o.id = p.owner_id ORDER BY j.key`,
    JSON.stringify(ids),
  );
  return rows.map(passageOf);
}
