// owns: answers.db — answers that were given, what they rest on, how often they served
// knows: SQLite
// must not know: when an answer is still good, what a question means, who asks
import { ensureDerived, openOrQuarantine, type Sqlite } from '../../base/sqlite/index.ts';
import type { AnswerEvent, NewAnswer } from './answer.ts';
import { countEvent, dropAnswers, putAnswer } from './ingest.ts';
import {
  type AnswerPlace,
  answerById,
  answersFrom,
  answersOf,
  countsByIntent,
  headsAt,
  idsOf,
  mostServed,
} from './query.ts';
import { answersSchema } from './tables.ts';

export type { KeptAnswer, NewAnswer } from './answer.ts';
export type { AnswerHead, AnswerPlace } from './query.ts';

export type Answers = ReturnType<typeof openAnswers>;

/** A file of its own: keeping an answer never waits for a bulk load of the index, and throwing it away costs nothing. */
export function openAnswers(path: () => string) {
  let opened: Sqlite | undefined;
  const sqlite = (): Sqlite => {
    if (opened) return opened;
    const fresh = openOrQuarantine(path(), { durability: 'normal', cacheMegabytes: 4 }).sqlite;
    try {
      // What was forgotten is to be gone from the file too.
      fresh.exec('PRAGMA secure_delete = ON');
      ensureDerived(fresh, answersSchema);
    } catch (error) {
      fresh.close();
      throw error;
    }
    opened = fresh;
    return fresh;
  };
  return {
    of: (place: AnswerPlace, concept: string) => answersOf(sqlite(), place, concept),
    heads: (place: AnswerPlace) => headsAt(sqlite(), place),
    get: (id: number) => answerById(sqlite(), id),
    from: (source: string) => answersFrom(sqlite(), source),
    put: (answer: NewAnswer, limit: number) => putAnswer(sqlite(), answer, limit),
    drop: (ids: number[], why?: 'invalidations' | 'expired') => dropAnswers(sqlite(), ids, why),
    /** Everything, or everything of one agent. */
    ids: (agent?: string) => idsOf(sqlite(), agent),
    served: (answer: { id: number; agent: string; intent: string; tokens: number }, at: number) =>
      sqlite().write(() => {
        sqlite().run('UPDATE kept_answers SET hits = hits + 1, used_at = ? WHERE id = ?', at, answer.id);
        countEvent(sqlite(), answer.agent, answer.intent, 'hits', 1, answer.tokens);
      }),
    count: (agent: string, intent: string, event: AnswerEvent) => countEvent(sqlite(), agent, intent, event),
    counts: () => countsByIntent(sqlite()),
    mostServed: (sees: string[] | 'all', limit: number) => mostServed(sqlite(), sees, limit),
    /** Nothing of what was dropped is left in the log of the database either. */
    settle: () => sqlite().exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    bytes: () =>
      sqlite().get<{ bytes: number }>(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
      )!.bytes,
    close: () => {
      opened?.close();
      opened = undefined;
    },
  };
}
