import type { Sqlite } from '../../base/sqlite/index.ts';
import type { AnswerCounts, KeptAnswer } from './answer.ts';

/** Everything that one asker may be given: same eyes, same tree, same time, same shape. */
export interface AnswerPlace {
  agent: string;
  sees: string[];
  overlays: string[];
  time: string;
  shape: string;
}

interface Row
  extends Omit<
    KeptAnswer,
    'related' | 'files' | 'directories' | 'refs' | 'versions' | 'vector' | 'complete' | 'madeAt' | 'usedAt'
  > {
  related: string;
  files: string;
  directories: string;
  refs: string;
  versions: string;
  vector: Uint8Array | null;
  complete: number;
  made_at: number;
  used_at: number;
}

const marks = (values: string[]) => values.map(() => '?').join(', ');

const at = (place: AnswerPlace) =>
  [
    `agent = ? AND time = ? AND shape = ? AND sees IN (${marks(place.sees)}) AND overlay IN (${marks(place.overlays)})`,
    [place.agent, place.time, place.shape, ...place.sees, ...place.overlays],
  ] as const;

/** Kept for the very same words, the newest first. */
export function answersOf(sqlite: Sqlite, place: AnswerPlace, concept: string): KeptAnswer[] {
  const [where, values] = at(place);
  return sqlite
    .all<Row>(
      `SELECT * FROM kept_answers WHERE concept = ? AND ${where} ORDER BY made_at DESC, id DESC`,
      concept,
      ...values,
    )
    .map(answerOf);
}

/** What is needed to find an answer whose question was put in other words. */
export type AnswerHead = Pick<
  KeptAnswer,
  'id' | 'intent' | 'subject' | 'concept' | 'related' | 'asked' | 'vector' | 'maker'
>;

export function headsAt(sqlite: Sqlite, place: AnswerPlace): AnswerHead[] {
  const [where, values] = at(place);
  return sqlite
    .all<Omit<AnswerHead, 'related' | 'vector'> & { related: string; vector: Uint8Array | null }>(
      `SELECT id, intent, subject, concept, related, asked, vector, maker FROM kept_answers WHERE ${where}
       ORDER BY made_at DESC, id DESC`,
      ...values,
    )
    .map((row) => ({ ...row, related: JSON.parse(row.related) as string[], vector: vectorOf(row.vector) }));
}

export function answerById(sqlite: Sqlite, id: number): KeptAnswer | undefined {
  const row = sqlite.get<Row>('SELECT * FROM kept_answers WHERE id = ?', id);
  return row && answerOf(row);
}

export function answersFrom(sqlite: Sqlite, source: string): KeptAnswer[] {
  return sqlite
    .all<Row>(
      'SELECT kept_answers.* FROM answer_sources JOIN kept_answers ON id = answer_id WHERE source = ?',
      source,
    )
    .map(answerOf);
}

export const idsOf = (sqlite: Sqlite, agent: string | undefined): number[] =>
  sqlite
    .all<{ id: number }>('SELECT id FROM kept_answers WHERE ?1 IS NULL OR agent = ?1', agent ?? null)
    .map((row) => row.id);

/** The most served, among those that these eyes may see. */
export const mostServed = (sqlite: Sqlite, sees: string[] | 'all', limit: number) =>
  sqlite.all<Pick<KeptAnswer, 'agent' | 'intent' | 'subject' | 'asked' | 'hits'>>(
    `SELECT agent, intent, subject, asked, hits FROM kept_answers WHERE hits > 0
     ${sees === 'all' ? '' : `AND sees IN (${marks(sees)})`} ORDER BY hits DESC, id LIMIT ?`,
    ...(sees === 'all' ? [] : sees),
    limit,
  );

export function countsByIntent(
  sqlite: Sqlite,
): Array<{ agent: string; intent: string; entries: number } & AnswerCounts> {
  return sqlite.all(
    `SELECT agent, intent, sum(entries) AS entries, sum(hits) AS hits, sum(misses) AS misses, sum(invalidations) AS invalidations,
       sum(expired) AS expired, sum(evicted) AS evicted, sum(tokens_saved) AS tokens_saved
     FROM (SELECT agent, intent, 0 AS entries, hits, misses, invalidations, expired, evicted, tokens_saved FROM answer_counts
           UNION ALL SELECT agent, intent, count(*), 0, 0, 0, 0, 0, 0 FROM kept_answers GROUP BY agent, intent)
     GROUP BY agent, intent`,
  );
}

function answerOf({ made_at, used_at, vector, ...row }: Row): KeptAnswer {
  return {
    ...row,
    related: JSON.parse(row.related) as string[],
    complete: row.complete === 1,
    files: JSON.parse(row.files) as Record<string, string>,
    directories: JSON.parse(row.directories) as Record<string, string>,
    refs: JSON.parse(row.refs) as Record<string, string>,
    versions: JSON.parse(row.versions) as Record<string, string>,
    vector: vectorOf(vector),
    madeAt: made_at,
    usedAt: used_at,
  };
}

const vectorOf = (bytes: Uint8Array | null): Float32Array | undefined =>
  bytes ? new Float32Array(bytes.slice().buffer) : undefined;
