import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { SylkError } from '../errors.ts';

export interface ReplyTables {
  _replies: { key: string; question: string; reply: string; at: string };
}

const keptMilliseconds = 7 * 24 * 3600 * 1000;

/**
 * Idempotency: the reply to a keyed write is kept with it, in its transaction. The same key with the same question
 * answers that reply and writes nothing; with another question it is refused.
 */
export async function replyOnce<T>(
  tables: () => Kysely<ReplyTables>,
  { key, question, now }: { key: string; question: unknown; now: number },
  work: () => Promise<T>,
): Promise<{ reply: T; replayed: boolean }> {
  const asked = createHash('sha256').update(JSON.stringify(question)).digest('hex');
  const kept = await tables().selectFrom('_replies').selectAll().where('key', '=', key).executeTakeFirst();
  if (kept && kept.question !== asked) {
    throw new SylkError('CONFLICT', `The idempotency key ${JSON.stringify(key)} was used for another call.`, {
      hint: 'Use a new key for every different write.',
    });
  }
  if (kept) return { reply: JSON.parse(kept.reply) as T, replayed: true };
  const reply = await work();
  const at = new Date(now).toISOString();
  const old = new Date(now - keptMilliseconds).toISOString();
  await tables().deleteFrom('_replies').where('at', '<', old).execute();
  await tables()
    .insertInto('_replies')
    .values({ key, question: asked, reply: JSON.stringify(reply), at })
    .execute();
  return { reply, replayed: false };
}
