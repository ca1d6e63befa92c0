import type { Sqlite } from '../../base/sqlite/index.ts';
import { matchAny } from '../../base/text/index.ts';
import type { Domain } from './tables.ts';

/** BM25 as FTS5 computes it, higher is better. */
export interface RankedId {
  id: number;
  score: number;
}

export interface WordRequest {
  terms: string[];
  limit: number;
  accept?: Set<number>;
}

/** Where a word stands: passages in the order of their ids, and what it adds to the score of each. */
interface Postings {
  ids: Uint32Array;
  scores: Float64Array;
}

/** What is known of a domain's text index in one of its states. */
interface WordState {
  mark: string;
  size: number;
  averageLength: number;
  counts: Map<string, number>;
  postings: Map<string, Postings>;
  held: number;
  /** Words of a passage by its id; 0 while unknown. */
  lengths: Uint32Array;
  /** Room for the scores of one question. */
  scores: Float64Array;
}

/** Place weighs more than body: a file named after the thing is about it. */
const placeWeight = 2.5;
const heldPostings = 1_500_000;
const heldCounts = 20_000;
/** The parameters of FTS5's own bm25(). */
const saturation = 1.2;
const lengthShare = 0.75;

const states = new WeakMap<Sqlite, Map<Domain, WordState>>();

/**
 * FTS5 looks up every row that it ranks, which costs more than finding them. Here postings, counts and lengths are kept
 * as long as the text index stays as it is, whoever else writes to the database: its own two records tell.
 */
function stateOf(sqlite: Sqlite, domain: Domain): WordState {
  const records = sqlite.all<{ block: Uint8Array }>(
    `SELECT block FROM words_${domain}_data WHERE id IN (1, 10) ORDER BY id`,
  );
  const mark = records.map(({ block }) => Buffer.from(block).toString('latin1')).join('\n');
  const known = states.get(sqlite) ?? new Map<Domain, WordState>();
  states.set(sqlite, known);
  const kept = known.get(domain);
  if (kept?.mark === mark) return kept;
  const size = sqlite.get<{ n: number }>(`SELECT count(*) AS n FROM words_${domain}_docsize`)!.n;
  const [rows = 0, ...words] = varints(records[0]?.block ?? new Uint8Array());
  const state: WordState = {
    mark,
    size,
    averageLength: words.reduce((sum, each) => sum + each, 0) / Math.max(1, rows),
    counts: new Map(),
    postings: new Map(),
    held: 0,
    lengths: new Uint32Array(0),
    scores: new Float64Array(0),
  };
  known.set(domain, state);
  return state;
}

/** Passages of a domain. */
export const sizeOf = (sqlite: Sqlite, domain: Domain): number => stateOf(sqlite, domain).size;

/** In how many passages of the domain each word stands; unknown words are missing. */
export function frequenciesOf(sqlite: Sqlite, domain: Domain, terms: string[]): Map<string, number> {
  const { counts } = stateOf(sqlite, domain);
  const unknown = terms.filter((term) => !counts.has(term));
  if (unknown.length > 0) {
    if (counts.size + unknown.length > heldCounts) counts.clear();
    for (const term of unknown) counts.set(term, 0);
    for (const { term, doc } of sqlite.all<{ term: string; doc: number }>(
      `SELECT term, doc FROM terms_${domain} WHERE term IN (SELECT value FROM json_each(?))`,
      JSON.stringify(unknown),
    ))
      counts.set(term, doc);
  }
  return new Map(terms.flatMap((term) => (counts.get(term) ? [[term, counts.get(term)!]] : [])));
}

/** The best passages that have any of the words. Words are given as the text index keeps them. */
export function rankByWords(sqlite: Sqlite, domain: Domain, request: WordRequest): RankedId[] {
  const state = stateOf(sqlite, domain);
  const lists = request.terms.map((term) => postingsOf(sqlite, domain, state, term));
  const { scores } = state;
  scores.fill(0);
  for (const { ids, scores: added } of lists)
    for (let at = 0; at < ids.length; at++) scores[ids[at]!]! += added[at]!;
  return best(scores, request.limit, request.accept);
}

/** The same by FTS5 itself. */
export function rankByMatch(
  sqlite: Sqlite,
  domain: Domain,
  { terms, limit, accept }: WordRequest,
): RankedId[] {
  const match = matchAny(terms);
  if (!match) return [];
  const words = `words_${domain}`;
  const rows = sqlite.all<{ id: number; score: number }>(
    `SELECT rowid AS id, -bm25(${words}, ${placeWeight}, 1.0) AS score FROM ${words} WHERE ${words} MATCH ?
     ORDER BY score DESC, rowid LIMIT ?`,
    match,
    accept ? -1 : limit,
  );
  return accept ? rows.filter(({ id }) => accept.has(id)).slice(0, limit) : rows;
}

function best(scores: Float64Array, limit: number, accept: Set<number> | undefined): RankedId[] {
  const kept: RankedId[] = [];
  const cut = () => {
    kept.sort((left, right) => right.score - left.score || left.id - right.id);
    if (kept.length > limit) kept.length = limit;
  };
  let least = 0;
  for (let id = 0; id < scores.length; id++) {
    const score = scores[id]!;
    if (score <= least || (accept && !accept.has(id))) continue;
    kept.push({ id, score });
    if (kept.length < limit * 4) continue;
    cut();
    // Ids only grow from here on, so that an equal score comes after.
    least = kept.at(-1)?.score ?? 0;
  }
  cut();
  return kept;
}

function postingsOf(sqlite: Sqlite, domain: Domain, state: WordState, term: string): Postings {
  const known = state.postings.get(term);
  if (known) {
    // Moved to the end: what was asked for longest ago makes room first.
    state.postings.delete(term);
    state.postings.set(term, known);
    return known;
  }
  const instances = `instances_${domain}`;
  if (!sqlite.get('SELECT 1 AS there FROM sqlite_temp_master WHERE name = ?', instances))
    sqlite.exec(
      `CREATE VIRTUAL TABLE temp.${instances} USING fts5vocab ('main', 'words_${domain}', 'instance')`,
    );
  // One text instead of thousands of rows: the rows would cost more than reading the index.
  const { found } = sqlite.get<{ found: string }>(
    `SELECT json_group_array(doc * 2 + (col = 'place')) AS found FROM temp.${instances} WHERE term = ?`,
    term,
  )!;
  const { ids, amounts } = gathered(JSON.parse(found) as number[]);
  readLengths(sqlite, domain, state, ids);
  const rarity = Math.log((state.size - ids.length + 0.5) / (ids.length + 0.5));
  const weight = rarity > 0 ? rarity : 1e-6;
  const scores = new Float64Array(ids.length);
  for (let at = 0; at < ids.length; at++) {
    const amount = amounts[at]!;
    const length = 1 - lengthShare + (lengthShare * state.lengths[ids[at]!]!) / state.averageLength;
    scores[at] = weight * ((amount * (saturation + 1)) / (amount + saturation * length));
  }
  keep(state, term, { ids, scores });
  return { ids, scores };
}

function keep(state: WordState, term: string, postings: Postings): void {
  for (const [old, { ids }] of state.postings) {
    if (state.held + postings.ids.length <= heldPostings) break;
    state.postings.delete(old);
    state.held -= ids.length;
  }
  state.postings.set(term, postings);
  state.held += postings.ids.length;
}

function gathered(instances: number[]): { ids: Uint32Array; amounts: Float32Array } {
  const ids = new Uint32Array(instances.length);
  const amounts = new Float32Array(instances.length);
  let last = -1;
  for (const instance of instances) {
    const id = instance >>> 1;
    if (last < 0 || ids[last] !== id) ids[++last] = id;
    amounts[last]! += instance & 1 ? placeWeight : 1;
  }
  return { ids: ids.slice(0, last + 1), amounts };
}

/** Reads the lengths of these passages that are still unknown. */
function readLengths(sqlite: Sqlite, domain: Domain, state: WordState, wanted: Uint32Array): void {
  const highest = wanted.at(-1) ?? 0;
  if (highest >= state.lengths.length) {
    const grown = new Uint32Array(Math.ceil((highest + 1) * 1.25));
    grown.set(state.lengths);
    state.lengths = grown;
    state.scores = new Float64Array(grown.length);
  }
  const { lengths } = state;
  const missing = wanted.filter((id) => lengths[id] === 0);
  if (missing.length === 0) return;
  const { ids, sizes } = sqlite.get<{ ids: string; sizes: string | null }>(
    `SELECT json_group_array(id) AS ids, group_concat(hex(sz), ' ') AS sizes FROM words_${domain}_docsize
     WHERE id IN (SELECT value FROM json_each(?))`,
    `[${missing.join()}]`,
  )!;
  const counted = (sizes ?? '').split(' ');
  for (const [at, id] of (JSON.parse(ids) as number[]).entries()) {
    const [place, body] = varints(Buffer.from(counted[at]!, 'hex'));
    lengths[id] = place! + body!;
  }
}

/** SQLite's own numbers: seven bits in a byte, the highest bit says that more follow. */
function varints(bytes: Uint8Array): number[] {
  const found: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    found.push(value);
    value = 0;
  }
  return found;
}
