// owns: answers.db — given answers, their evidence, usage counts
// knows: SQLite
// must not know: when an answer is still valid, what a question means, who asks
import { fileRef } from '../../base/ref.ts';
import { ensureDerived, openOrQuarantine, type Sqlite } from '../../base/sqlite/index.ts';
import { answersSchema } from './tables.ts';

/** A cached answer with everything that decides whether it may be reused. */
export interface KeptAnswer {
  id: number;
  agent: string;
  intent: string;
  /** The subject as the classifier named it, and its synonyms. */
  subject: string;
  related: string[];
  /** The normalized words of the question. */
  concept: string;
  /** The time scope of the question; '' for none. */
  time: string;
  /** Who may see it: a session, everyone, or a person who sees all. */
  sees: string;
  /** The working tree where it differs from the base; '' for the base. */
  overlay: string;
  /** All other options that affect an answer. */
  shape: string;
  asked: string;
  answer: string;
  tokens: number;
  complete: boolean;
  /** Digests of each cited file, directory and ref at caching time, and the states of stores that the answer depends on. */
  files: Record<string, string>;
  directories: Record<string, string>;
  refs: Record<string, string>;
  versions: Record<string, string>;
  vector: Float32Array | undefined;
  /** The embedder of the vector; vectors of different embedders are not compared. */
  maker: string;
  made_at: number;
  used_at: number;
  hits: number;
}

/** The reuse key: same viewer, same tree, same time, same options. */
export interface AnswerPlace {
  agent: string;
  sees: string[];
  overlays: string[];
  time: string;
  shape: string;
}

type AnswerEvent = 'hits' | 'misses' | 'invalidations' | 'expired' | 'evicted';
type AnswerCounts = Record<AnswerEvent | 'entries' | 'tokens_saved', number>;

type JsonColumn = 'related' | 'files' | 'directories' | 'refs' | 'versions';
type Row = Omit<KeptAnswer, JsonColumn | 'vector' | 'complete'> &
  Record<JsonColumn, string> & { vector: Uint8Array | null; complete: number };

const answerOf = (row: Row): KeptAnswer => ({
  ...row,
  related: JSON.parse(row.related),
  files: JSON.parse(row.files),
  directories: JSON.parse(row.directories),
  refs: JSON.parse(row.refs),
  versions: JSON.parse(row.versions),
  complete: row.complete === 1,
  vector: row.vector ? new Float32Array(row.vector.slice().buffer) : undefined,
});

const marks = (values: unknown[]) => values.map(() => '?').join(', ');

export type Answers = ReturnType<typeof openAnswers>;

/** A separate file: caching never waits for a bulk load of the index, and deleting it costs nothing. */
export function openAnswers(path: () => string) {
  let opened: Sqlite | undefined;
  const sqlite = (): Sqlite => {
    if (opened) return opened;
    const fresh = openOrQuarantine(path(), { durability: 'normal', cacheMegabytes: 4 }).sqlite;
    try {
      // Forgotten text must also leave the file.
      fresh.exec('PRAGMA secure_delete = ON');
      ensureDerived(fresh, answersSchema);
    } catch (error) {
      fresh.close();
      throw error;
    }
    opened = fresh;
    return fresh;
  };

  const count = (agent: string, intent: string, event: AnswerEvent, times = 1, tokensSaved = 0) =>
    sqlite().run(
      `INSERT INTO answer_counts (agent, intent, ${event}, tokens_saved) VALUES (?, ?, ?, ?)
       ON CONFLICT (agent, intent) DO UPDATE SET ${event} = ${event} + excluded.${event},
         tokens_saved = tokens_saved + excluded.tokens_saved`,
      ...[agent, intent, times, tokensSaved],
    );

  /** Deletes answers and counts the reason; freed pages are overwritten. */
  const drop = (ids: number[], why?: 'invalidations' | 'expired'): number => {
    let dropped = 0;
    sqlite().write(() => {
      for (const id of ids) {
        const removed = 'DELETE FROM kept_answers WHERE id = ? RETURNING agent, intent';
        const row = sqlite().get<{ agent: string; intent: string }>(removed, id);
        if (!row) continue;
        dropped++;
        if (why) count(row.agent, row.intent, why);
      }
    });
    return dropped;
  };

  /** All, or all of one agent. */
  const ids = (agent?: string): number[] =>
    sqlite()
      .all<{ id: number }>('SELECT id FROM kept_answers WHERE ?1 IS NULL OR agent = ?1', agent ?? null)
      .map(({ id }) => id);

  const answersAt = (place: AnswerPlace, more: string, ...values: string[]): KeptAnswer[] =>
    sqlite()
      .all<Row>(
        `SELECT * FROM kept_answers WHERE agent = ? AND time = ? AND shape = ? AND sees IN (${marks(place.sees)})
         AND overlay IN (${marks(place.overlays)}) ${more} ORDER BY made_at DESC, id DESC`,
        ...[place.agent, place.time, place.shape, ...place.sees, ...place.overlays, ...values],
      )
      .map(answerOf);

  return {
    count,
    drop,
    ids,
    /** Answers for exactly these words, newest first. */
    of: (place: AnswerPlace, concept: string) => answersAt(place, 'AND concept = ?', concept),
    /** Answers for any words. */
    at: (place: AnswerPlace) => answersAt(place, ''),
    from: (source: string): KeptAnswer[] =>
      sqlite()
        .all<Row>(
          'SELECT kept_answers.* FROM answer_sources JOIN kept_answers ON id = answer_id WHERE source = ?',
          source,
        )
        .map(answerOf),
    /** Stores an answer in place of the previous one for the same question, and evicts the least recently used when full. */
    put: (given: Omit<KeptAnswer, 'id' | 'used_at' | 'hits'>, limit: number) =>
      sqlite().write(() => {
        const { agent, intent, vector } = given;
        const same = ['agent', 'sees', 'overlay', 'time', 'shape', 'intent', 'concept'] as const;
        sqlite().run(
          `DELETE FROM kept_answers WHERE ${same.map((column) => `${column} = ?`).join(' AND ')}`,
          ...same.map((column) => given[column]),
        );
        const row: Omit<Row, 'id' | 'hits'> = {
          ...given,
          related: JSON.stringify(given.related),
          files: JSON.stringify(given.files),
          directories: JSON.stringify(given.directories),
          refs: JSON.stringify(given.refs),
          versions: JSON.stringify(given.versions),
          complete: given.complete ? 1 : 0,
          vector: vector ? new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength) : null,
          used_at: given.made_at,
        };
        const { lastInsertRowid } = sqlite().run(
          `INSERT INTO kept_answers (${Object.keys(row).join(', ')}) VALUES (${marks(Object.keys(row))})`,
          ...Object.values(row),
        );
        const sources = [
          ...Object.keys(given.files).map((path) => fileRef(path)),
          ...Object.keys(given.directories).map((path) => `directory:${path}`),
          ...Object.keys(given.refs),
        ];
        for (const source of new Set(sources))
          sqlite().run('INSERT INTO answer_sources VALUES (?, ?)', source, lastInsertRowid);
        const { changes } = sqlite().run(
          `DELETE FROM kept_answers WHERE id IN
             (SELECT id FROM kept_answers WHERE agent = ? AND intent = ? ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ?)`,
          ...[agent, intent, limit],
        );
        if (changes > 0) count(agent, intent, 'evicted', changes);
      }),
    served: ({ id, agent, intent, tokens }: KeptAnswer, at: number) =>
      sqlite().write(() => {
        sqlite().run('UPDATE kept_answers SET hits = hits + 1, used_at = ? WHERE id = ?', at, id);
        count(agent, intent, 'hits', 1, tokens);
      }),
    counts: (): Array<{ agent: string; intent: string } & AnswerCounts> =>
      sqlite().all(
        `SELECT agent, intent, sum(entries) AS entries, sum(hits) AS hits, sum(misses) AS misses, sum(invalidations) AS invalidations,
           sum(expired) AS expired, sum(evicted) AS evicted, sum(tokens_saved) AS tokens_saved
         FROM (SELECT agent, intent, 0 AS entries, hits, misses, invalidations, expired, evicted, tokens_saved FROM answer_counts
               UNION ALL SELECT agent, intent, count(*), 0, 0, 0, 0, 0, 0 FROM kept_answers GROUP BY agent, intent)
         GROUP BY agent, intent`,
      ),
    /** The most used answers that the viewer may see. */
    mostServed: (sees: string[] | 'all', limit: number) =>
      sqlite().all<Pick<KeptAnswer, 'agent' | 'intent' | 'subject' | 'asked' | 'hits'>>(
        `SELECT agent, intent, subject, asked, hits FROM kept_answers WHERE hits > 0
         ${sees === 'all' ? '' : `AND sees IN (${marks(sees)})`} ORDER BY hits DESC, id LIMIT ?`,
        ...(sees === 'all' ? [] : sees),
        limit,
      ),
    /** All, or all of one agent; nothing remains in the database log either. */
    clear: (agent?: string): number => {
      const dropped = drop(ids(agent));
      sqlite().exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return dropped;
    },
    bytes: (): number =>
      sqlite().get<{ bytes: number }>(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
      )?.bytes ?? 0,
    close: () => {
      opened?.close();
      opened = undefined;
    },
  };
}
