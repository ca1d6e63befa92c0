import type { Sqlite } from '../sqlite/index.ts';
import { bm25 } from './bm25.ts';

export interface WordDocument {
  id: number;
  /** Words of each field, in the order of the weights. */
  fields: string[][];
}

export interface RankedId {
  id: number;
  score: number;
}

export interface WordRequest {
  terms: string[];
  limit: number;
  accept?: Set<number> | undefined;
  /** Only documents that have every word. */
  every?: boolean;
}

/** Documents that have a word, by rising id: how often, weighted by field, and what that adds to the score of each. */
interface Postings {
  ids: Uint32Array;
  amounts: Float32Array;
  scores: Float64Array;
}

/** The index as of one revision. */
interface WordState {
  revision: number;
  documents: number;
  averageLength: number;
  counts: Map<string, number>;
  postings: Map<string, Postings>;
  /** Ids in all postings together. */
  held: number;
  /** Words of a document by its id; 0 while unknown. */
  lengths: Uint32Array;
  /** Room for the scores of one question. */
  scores: Float64Array;
}

const heldPostings = 1_500_000;
const heldCounts = 20_000;
/** Tables that were made anew must not look like those of before. */
const startOfRevisions = 'abs(random() % 1000000000000)';

export type WordIndex = ReturnType<typeof createWordIndex>;

/**
 * Words of documents in a database, ranked by BM25. FTS5 keeps the words; scores are added up here, because FTS5 looks
 * up every row that it ranks. Postings, counts and lengths stay in memory until any process writes to the index.
 */
export function createWordIndex(name: string, weights: Record<string, number>) {
  const [statistics, lengths, terms] = [`${name}_statistics`, `${name}_lengths`, `${name}_terms`];
  const columns = Object.keys(weights);
  const weightOf = Object.values(weights);
  const states = new WeakMap<Sqlite, WordState>();

  const stateOf = (sqlite: Sqlite): WordState => {
    const row = sqlite.get<{ revision: number; documents: number; words: number }>(
      `SELECT revision, documents, words FROM ${statistics}`,
    ) ?? { revision: 0, documents: 0, words: 0 };
    const known = states.get(sqlite);
    if (known?.revision === row.revision) return known;
    const state: WordState = {
      revision: row.revision,
      documents: row.documents,
      averageLength: row.words / Math.max(1, row.documents),
      counts: new Map(),
      postings: new Map(),
      held: 0,
      lengths: new Uint32Array(0),
      scores: new Float64Array(0),
    };
    states.set(sqlite, state);
    return state;
  };

  const change = (sqlite: Sqlite, documents: number, words: number) =>
    sqlite.run(
      `UPDATE ${statistics} SET revision = revision + 1, documents = documents + ?, words = words + ?`,
      documents,
      words,
    );

  /** Reads the lengths of these documents that are still unknown. */
  const readLengths = (sqlite: Sqlite, state: WordState, wanted: Uint32Array): void => {
    const highest = wanted.at(-1) ?? 0;
    if (highest >= state.lengths.length) {
      const grown = new Uint32Array(Math.ceil((highest + 1) * 1.25));
      grown.set(state.lengths);
      state.lengths = grown;
      state.scores = new Float64Array(grown.length);
    }
    const missing = wanted.filter((id) => state.lengths[id] === 0);
    if (missing.length === 0) return;
    const text = sqlite.value<string>(
      `SELECT json_group_array(json_array(id, length)) FROM ${lengths} WHERE id IN (SELECT value FROM json_each(?))`,
      `[${missing.join()}]`,
    );
    const pairs: Array<[number, number]> = JSON.parse(text ?? '[]');
    for (const [id, length] of pairs) state.lengths[id] = length;
  };

  const readPostings = (sqlite: Sqlite, state: WordState, term: string): Postings => {
    const instances = `${name}_instances`;
    if (!sqlite.get('SELECT 1 AS there FROM sqlite_temp_master WHERE name = ?', instances))
      sqlite.exec(`CREATE VIRTUAL TABLE temp.${instances} USING fts5vocab ('main', '${name}', 'instance')`);
    const places = columns.map((column, at) => `WHEN '${column}' THEN ${at}`).join(' ');
    // One text instead of thousands of rows: the rows would cost more than reading the index.
    const text = sqlite.value<string>(
      `SELECT json_group_array(doc * 8 + CASE col ${places} END) FROM temp.${instances} WHERE term = ?`,
      term,
    );
    const found: number[] = JSON.parse(text ?? '[]');
    const [ids, amounts] = [new Uint32Array(found.length), new Float64Array(found.length)];
    let last = -1;
    for (const instance of found) {
      const id = Math.floor(instance / 8);
      if (last < 0 || ids[last] !== id) ids[++last] = id;
      amounts[last] = (amounts[last] ?? 0) + (weightOf[instance % 8] ?? 0);
    }
    const holding = ids.slice(0, last + 1);
    readLengths(sqlite, state, holding);
    const gain = bm25(state, holding.length);
    return {
      ids: holding,
      amounts: Float32Array.from(amounts.subarray(0, last + 1)),
      scores: Float64Array.from(holding, (id, at) => gain(amounts[at] ?? 0, state.lengths[id] ?? 0)),
    };
  };

  /** What was asked for longest ago makes room. */
  const postingsOf = (sqlite: Sqlite, state: WordState, term: string): Postings => {
    const known = state.postings.get(term);
    const postings = known ?? readPostings(sqlite, state, term);
    state.postings.delete(term);
    state.postings.set(term, postings);
    if (known) return known;
    state.held += postings.ids.length;
    for (const [old, { ids }] of state.postings) {
      if (state.held <= heldPostings || old === term) break;
      state.postings.delete(old);
      state.held -= ids.length;
    }
    return postings;
  };

  return {
    tables: [name, terms, lengths, statistics],
    create: `
      CREATE VIRTUAL TABLE ${name} USING fts5 (${columns.join(', ')}, content = '', contentless_delete = 1, tokenize = 'ascii');
      CREATE VIRTUAL TABLE ${terms} USING fts5vocab (${name}, row);
      CREATE TABLE ${lengths} (id INTEGER PRIMARY KEY, length INTEGER NOT NULL);
      CREATE TABLE ${statistics} (revision INTEGER NOT NULL, documents INTEGER NOT NULL, words INTEGER NOT NULL);
      INSERT INTO ${statistics} VALUES (${startOfRevisions}, 0, 0);`,
    /** For ids that are not there yet. */
    add: (sqlite: Sqlite, documents: WordDocument[]): void => {
      let words = 0;
      for (const { id, fields } of documents) {
        const length = fields.reduce((sum, field) => sum + field.length, 0);
        words += length;
        sqlite.run(
          `INSERT INTO ${name} (rowid, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`,
          id,
          ...fields.map((field) => field.join(' ')),
        );
        sqlite.run(`INSERT INTO ${lengths} VALUES (?, ?)`, id, length);
      }
      change(sqlite, documents.length, words);
    },
    remove: (sqlite: Sqlite, ids: number[]): void => {
      const listed = JSON.stringify(ids);
      const among = '(SELECT value FROM json_each(?))';
      const there = sqlite.get<{ documents: number; words: number }>(
        `SELECT count(*) AS documents, coalesce(sum(length), 0) AS words FROM ${lengths} WHERE id IN ${among}`,
        listed,
      );
      if (!there || there.documents === 0) return;
      sqlite.run(`DELETE FROM ${name} WHERE rowid IN ${among}`, listed);
      sqlite.run(`DELETE FROM ${lengths} WHERE id IN ${among}`, listed);
      change(sqlite, -there.documents, -there.words);
    },
    /** Words that no document has any more are written out of the index. */
    settle: (sqlite: Sqlite): void => sqlite.exec(`INSERT INTO ${name} (${name}) VALUES ('optimize')`),
    size: (sqlite: Sqlite): number => stateOf(sqlite).documents,
    /** How many documents have each word; unknown words are missing. */
    frequencies: (sqlite: Sqlite, wanted: string[]): Map<string, number> => {
      const { counts } = stateOf(sqlite);
      const unknown = wanted.filter((term) => !counts.has(term));
      if (unknown.length > 0) {
        if (counts.size + unknown.length > heldCounts) counts.clear();
        for (const term of unknown) counts.set(term, 0);
        for (const { term, doc } of sqlite.all<{ term: string; doc: number }>(
          `SELECT term, doc FROM ${terms} WHERE term IN (SELECT value FROM json_each(?))`,
          JSON.stringify(unknown),
        ))
          counts.set(term, doc);
      }
      return new Map(
        wanted.flatMap((term) => {
          const count = counts.get(term);
          return count ? [[term, count] as const] : [];
        }),
      );
    },
    /** Words of about this length, with how many documents have them. */
    ofLength: (sqlite: Sqlite, shortest: number, longest: number): Array<{ term: string; doc: number }> =>
      sqlite.all(`SELECT term, doc FROM ${terms} WHERE length(term) BETWEEN ? AND ?`, shortest, longest),
    /** The best documents that have any of the words. */
    rank: (sqlite: Sqlite, { terms: wanted, limit, accept, every }: WordRequest): RankedId[] => {
      const state = stateOf(sqlite);
      const lists = wanted.map((term) => postingsOf(sqlite, state, term));
      state.scores.fill(0);
      for (const { ids, scores } of lists)
        for (let at = 0; at < ids.length; at++) {
          const id = ids[at] ?? 0;
          state.scores[id] = (state.scores[id] ?? 0) + (scores[at] ?? 0);
        }
      return best(state.scores, limit, every ? inAll(lists, accept) : accept);
    },
    /**
     * How well each of these documents matches, as a share of what a full match would give, 0 … 1. Statistics are made
     * of these documents alone, so that no other document moves a score.
     */
    sharesWithin: (sqlite: Sqlite, wanted: string[], within: Set<number>): Map<number, number> => {
      const state = stateOf(sqlite);
      readLengths(sqlite, state, Uint32Array.from(within).sort());
      let words = 0;
      for (const id of within) words += state.lengths[id] ?? 0;
      const statistics = { documents: within.size, averageLength: words / Math.max(1, within.size) };
      const scores = new Map<number, number>();
      let most = 0;
      for (const term of wanted) {
        const { ids, amounts } = postingsOf(sqlite, state, term);
        const held = [...ids.keys()].filter((at) => within.has(ids[at] ?? -1));
        const gain = bm25(statistics, held.length);
        most += gain(Number.MAX_SAFE_INTEGER, 0);
        for (const at of held) {
          const id = ids[at] ?? -1;
          scores.set(id, (scores.get(id) ?? 0) + gain(amounts[at] ?? 0, state.lengths[id] ?? 0));
        }
      }
      for (const [id, score] of scores) scores.set(id, score / most);
      return scores;
    },
  };
}

function inAll(lists: Postings[], accept: Set<number> | undefined): Set<number> {
  const [first, ...others] = lists.map(({ ids }) => new Set(ids)).sort((one, two) => one.size - two.size);
  return new Set(
    [...(first ?? [])].filter((id) => accept?.has(id) !== false && others.every((ids) => ids.has(id))),
  );
}

function best(scores: Float64Array, limit: number, accept: Set<number> | undefined): RankedId[] {
  const kept: RankedId[] = [];
  const cut = () => {
    kept.sort((left, right) => right.score - left.score || left.id - right.id);
    if (kept.length > limit) kept.length = limit;
  };
  let least = 0;
  for (let id = 0; id < scores.length; id++) {
    const score = scores[id] ?? 0;
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
