import { fileRef } from '../../base/ref.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import type { AnswerEvent, NewAnswer } from './answer.ts';

/** Puts an answer in place of what was kept for the same question, and the least recently used out when there are too many. */
export function putAnswer(sqlite: Sqlite, answer: NewAnswer, limit: number): void {
  sqlite.write(() => {
    const twins = sqlite.all<{ id: number }>(
      `SELECT id FROM kept_answers WHERE agent = ? AND sees = ? AND overlay = ? AND time = ? AND shape = ? AND intent = ?
       AND concept = ?`,
      answer.agent,
      answer.sees,
      answer.overlay,
      answer.time,
      answer.shape,
      answer.intent,
      answer.concept,
    );
    for (const { id } of twins) sqlite.run('DELETE FROM kept_answers WHERE id = ?', id);
    const { vector } = answer;
    const { lastInsertRowid } = sqlite.run(
      `INSERT INTO kept_answers (agent, intent, subject, concept, related, time, sees, overlay, shape, asked, answer, tokens,
         complete, files, directories, refs, versions, vector, maker, made_at, used_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      answer.agent,
      answer.intent,
      answer.subject,
      answer.concept,
      JSON.stringify(answer.related),
      answer.time,
      answer.sees,
      answer.overlay,
      answer.shape,
      answer.asked,
      answer.answer,
      answer.tokens,
      answer.complete ? 1 : 0,
      JSON.stringify(answer.files),
      JSON.stringify(answer.directories),
      JSON.stringify(answer.refs),
      JSON.stringify(answer.versions),
      vector ? new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength) : null,
      answer.maker,
      answer.madeAt,
      answer.madeAt,
    );
    const sources = [
      ...Object.keys(answer.files).map((path) => fileRef(path)),
      ...Object.keys(answer.directories).map((path) => `directory:${path}`),
      ...Object.keys(answer.refs),
    ];
    for (const source of new Set(sources))
      sqlite.run('INSERT INTO answer_sources VALUES (?, ?)', source, lastInsertRowid);
    evict(sqlite, answer, limit);
  });
}

function evict(sqlite: Sqlite, { agent, intent }: Pick<NewAnswer, 'agent' | 'intent'>, limit: number): void {
  const { changes } = sqlite.run(
    `DELETE FROM kept_answers WHERE id IN
       (SELECT id FROM kept_answers WHERE agent = ? AND intent = ? ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ?)`,
    agent,
    intent,
    limit,
  );
  if (changes > 0) countEvent(sqlite, agent, intent, 'evicted', changes);
}

export function countEvent(
  sqlite: Sqlite,
  agent: string,
  intent: string,
  event: AnswerEvent,
  times = 1,
  tokensSaved = 0,
): void {
  sqlite.run(
    `INSERT INTO answer_counts (agent, intent, ${event}, tokens_saved) VALUES (?, ?, ?, ?)
     ON CONFLICT (agent, intent) DO UPDATE SET ${event} = ${event} + excluded.${event},
       tokens_saved = tokens_saved + excluded.tokens_saved`,
    agent,
    intent,
    times,
    tokensSaved,
  );
}

/** Takes answers out and counts why; the freed pages are overwritten. */
export function dropAnswers(
  sqlite: Sqlite,
  ids: number[],
  why: 'invalidations' | 'expired' | undefined,
): number {
  let dropped = 0;
  sqlite.write(() => {
    for (const id of ids) {
      const row = sqlite.get<{ agent: string; intent: string }>(
        'DELETE FROM kept_answers WHERE id = ? RETURNING agent, intent',
        id,
      );
      if (!row) continue;
      dropped++;
      if (why) countEvent(sqlite, row.agent, row.intent, why);
    }
  });
  return dropped;
}
