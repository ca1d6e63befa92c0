import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import { redact, redactValue } from '../../base/redact.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Message, MessageStatus } from './message.ts';
import { type MessageRow, messageOf, rowOf } from './rows.ts';
import type { MessageTables } from './tables.ts';

export interface MessagesStand {
  library: Library;
  db: () => Kysely<MessageTables>;
  clock: Clock;
}

/** How a message is taken in, handed out, done and given up. Every write names its owner: a late one changes nothing. */
export function createMessageWrites({ library, db, clock }: MessagesStand) {
  const group = createGroupCommit(library);

  const accept = (message: Message, owner: string): Promise<{ known?: MessageStatus }> =>
    group.run(async () => {
      const row = rowOf(message, owner);
      const added = await db()
        .insertInto('messages')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows === 1n) return {};
      const there = await db()
        .selectFrom('messages')
        .select('status')
        .where('id', '=', message.id)
        .executeTakeFirstOrThrow();
      return { known: there.status as MessageStatus };
    });

  /** Counts the attempt before the agent sees the message, so that one which kills its process does not do so for ever. */
  const deliver = (id: string, attempt: number, owner: string): Promise<boolean> =>
    group.run(async () => {
      const changed = await sql`UPDATE messages SET status = 'delivered', attempt = ${attempt}, not_before = 0
        WHERE id = ${id} AND owner = ${owner} AND status IN ('queued', 'failed', 'delivered', 'processing')`.execute(
        db(),
      );
      return changed.numAffectedRows === 1n;
    });

  const settle = (
    id: string,
    owner: string,
    outcome: {
      status: MessageStatus;
      error?: string;
      reply?: unknown;
      notBefore?: number;
      release?: boolean;
    },
  ): Promise<boolean> =>
    group.run(async () => {
      const ended = outcome.status === 'queued' || outcome.status === 'failed' ? null : clock.now();
      const changed =
        await sql`UPDATE messages SET status = ${outcome.status}, error = ${outcome.error === undefined ? null : redact(outcome.error)},
          reply = ${replyText(outcome.reply)}, not_before = ${outcome.notBefore ?? 0}, processed_at = ${ended},
          owner = ${outcome.release || ended !== null ? '' : owner}
        WHERE id = ${id} AND owner = ${owner} AND status NOT IN ('done', 'dead', 'expired')`.execute(db());
      return changed.numAffectedRows === 1n;
    });

  /** The effect and the mark that it happened, in one transaction. */
  const act = <T>(
    { id, owner, attempt }: { id: string; owner: string; attempt: number },
    work: () => Promise<T>,
  ): Promise<{ reply: T; again: boolean }> =>
    library.write(async () => {
      const row = await db()
        .selectFrom('messages')
        .select(['status', 'reply', 'owner', 'attempt'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row?.status === 'done') return { reply: JSON.parse(row.reply ?? 'null') as T, again: true };
      if (!row || row.owner !== owner || row.attempt !== attempt || row.status !== 'delivered')
        throw new SylkError('CONFLICT', `Message ${id} was given to somebody else meanwhile.`, {
          hint: 'Do nothing: whoever has it now acts on it.',
        });
      const reply = await work();
      await sql`UPDATE messages SET status = 'done', error = NULL, reply = ${replyText(reply)}, processed_at = ${clock.now()}, owner = ''
        WHERE id = ${id}`.execute(db());
      return { reply, again: false };
    });

  /** A message that died though it was not kept: kept now, to be read and sent again. */
  const bury = (message: Message): Promise<void> =>
    group.run(async () => {
      const row = rowOf({ ...message, payload: redactValue(message.payload) }, '');
      const { status, error, attempt, processed_at, owner } = row;
      await db()
        .insertInto('messages')
        .values({ ...row, error: error === null ? null : redact(error) })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ status, error, attempt, processed_at, owner }),
        )
        .execute();
    });

  /** What was forgotten elsewhere, or everything of a session: gone, whatever became of it. */
  const erase = ({ ids, session }: { ids: string[]; session?: string | undefined }): Promise<void> =>
    library.write(async () => {
      await sql`DELETE FROM messages WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.execute(
        db(),
      );
      if (session) await db().deleteFrom('messages').where('session_id', '=', session).execute();
    });

  const revive = (id: string, owner: string): Promise<Message> =>
    library.write(async () => {
      const row = await db().selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
      if (row?.status !== 'dead')
        throw new SylkError(
          row ? 'INVALID_OPERATION' : 'NOT_FOUND',
          row
            ? `Message ${id} is ${row.status}, not dead.`
            : `There is no message ${JSON.stringify(id.slice(0, 80))}.`,
          { hint: '`sylk guide dead-letters` lists what can be sent again.' },
        );
      // Its old deadline is over by now: sent again by a person, it has all the time it needs.
      const envelope = JSON.parse(row.envelope) as Record<string, unknown>;
      const { deadline, ttl, ...rest } = envelope;
      const revived = {
        status: 'queued',
        attempt: 0,
        error: null,
        processed_at: null,
        expires_at: null,
        envelope: JSON.stringify(rest),
        owner,
        not_before: 0,
      };
      await db().updateTable('messages').set(revived).where('id', '=', id).execute();
      return messageOf({ ...row, ...revived } as MessageRow);
    });

  return { accept, deliver, settle, act, bury, erase, revive, counts: group.counts };
}

const replyText = (reply: unknown): string | null =>
  reply === undefined ? null : JSON.stringify(redactValue(reply));
