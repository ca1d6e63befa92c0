import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Presence } from '../../base/durable/index.ts';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import { redact, redactValue } from '../../base/redact.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Message, MessageStatus } from './message.ts';
import { messageOf, rowOf } from './rows.ts';
import { type MessageTables, unsettled } from './tables.ts';

export interface MessagesContext {
  library: Library;
  db: () => Kysely<MessageTables>;
  clock: Clock;
  presence: Presence;
}

export interface MessageOutcome {
  status: MessageStatus;
  error?: string | undefined;
  reply?: unknown;
  notBefore?: number;
  /** Without an owner: the next listener may take it. */
  release?: boolean;
}

/** Changes of stored messages. Each one names the owner and does nothing if another process owns the message now. */
export function createMessageWrites({ library, db, clock, presence }: MessagesContext) {
  const grouped = createGroupCommit(library);
  const rowNamed = (id: string) =>
    db().selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();

  /** Returns the state of a message that was sent before under the same id. */
  const accept = (message: Message, owner: string): Promise<MessageStatus | undefined> =>
    grouped(async () => {
      const added = await db()
        .insertInto('messages')
        .values(rowOf(message, owner))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows === 1n) return undefined;
      return (await rowNamed(message.id))?.status as MessageStatus | undefined;
    });

  /** Counts the attempt before the agent sees the message, which limits how often it can kill its process. */
  const deliver = (id: string, attempt: number, owner: string): Promise<boolean> =>
    grouped(async () => {
      const changed = await sql`UPDATE messages SET status = 'delivered', attempt = ${attempt}, not_before = 0
        WHERE id = ${id} AND owner = ${owner} AND ${unsettled}`.execute(db());
      return changed.numAffectedRows === 1n;
    });

  /** False if another process owns the message, or it has ended. */
  const settle = (id: string, owner: string, outcome: MessageOutcome): Promise<boolean> =>
    grouped(async () => {
      const { status, error, reply, notBefore = 0, release = false } = outcome;
      const endedAt = status === 'queued' || status === 'failed' ? null : clock.now();
      const changed =
        await sql`UPDATE messages SET status = ${status}, error = ${error === undefined ? null : redact(error)},
          reply = ${replyText(reply)}, not_before = ${notBefore}, processed_at = ${endedAt},
          owner = ${release || endedAt !== null ? '' : owner}
        WHERE id = ${id} AND owner = ${owner} AND ${unsettled}`.execute(db());
      return changed.numAffectedRows === 1n;
    });

  /** Applies the effect and marks it as done, in one transaction. */
  const act = <T>(
    { id, owner, attempt }: { id: string; owner: string; attempt: number },
    work: () => Promise<T>,
  ): Promise<T> =>
    library.write(async () => {
      const row = await rowNamed(id);
      if (row?.status === 'done') return JSON.parse(row.reply ?? 'null') as T;
      if (!row || row.owner !== owner || row.attempt !== attempt || row.status !== 'delivered')
        throw new SylkError('CONFLICT', `Another process owns message ${id} now.`, {
          hint: 'Do nothing: that process handles it.',
        });
      const reply = await work();
      await sql`UPDATE messages SET status = 'done', error = NULL, reply = ${replyText(reply)},
        processed_at = ${clock.now()}, owner = '' WHERE id = ${id}`.execute(db());
      return reply;
    });

  /** Stores a dead non-durable message, so that it can be read and sent again. */
  const bury = (message: Message): Promise<void> =>
    grouped(async () => {
      const row = rowOf({ ...message, payload: redactValue(message.payload) }, '');
      const { status, attempt, processed_at, owner } = row;
      const error = row.error === null ? null : redact(row.error);
      await db()
        .insertInto('messages')
        .values({ ...row, error })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ status, error, attempt, processed_at, owner }),
        )
        .execute();
    });

  const inChunks = async (ids: string[], work: (chunk: string[]) => Promise<unknown>): Promise<void> => {
    for (let from = 0; from < ids.length; from += 400) await work(ids.slice(from, from + 400));
  };

  /** Deletes messages in any state. */
  const erase = ({ ids, session }: { ids: string[]; session?: string | undefined }): Promise<void> =>
    library.write(async () => {
      await inChunks(ids, (chunk) => db().deleteFrom('messages').where('id', 'in', chunk).execute());
      if (session) await db().deleteFrom('messages').where('session_id', '=', session).execute();
    });

  const revive = (id: string, owner: string): Promise<Message> =>
    library.write(async () => {
      const row = await rowNamed(id);
      if (row?.status !== 'dead')
        throw new SylkError(
          row ? 'INVALID_OPERATION' : 'NOT_FOUND',
          row
            ? `Message ${id} is ${row.status}, not dead.`
            : `Unknown message ${JSON.stringify(id.slice(0, 80))}.`,
          { hint: 'Run `sylk guide dead-letters` to list what can be sent again.' },
        );
      // Its old deadline has passed: resent by a person, it has none.
      const { deadline, ttl, ...rest } = JSON.parse(row.envelope) as Record<string, unknown>;
      const fresh = {
        status: 'queued',
        attempt: 0,
        error: null,
        processed_at: null,
        expires_at: null,
        envelope: JSON.stringify(rest),
        owner,
        not_before: 0,
      };
      await db().updateTable('messages').set(fresh).where('id', '=', id).execute();
      return messageOf({ ...row, ...fresh });
    });

  /** Claims messages without a living owner for these agents, under the same ids. */
  const claim = (request: {
    owner: string;
    targets: Array<{ target: string; session?: string | undefined }>;
    limit: number;
    /** Sessions whose messages must wait. */
    without: string[];
  }): Promise<Array<{ message: Message; notBefore: number }>> =>
    library.write(async () => {
      const { owner, targets, limit, without } = request;
      const living = await presence.living();
      let query = db().selectFrom('messages').selectAll().where(unsettled);
      if (living.length > 0) query = query.where('owner', 'not in', living);
      if (without.length > 0) query = query.where('session_id', 'not in', without);
      const rows = await query
        .where((row) =>
          row.or(
            targets.map(({ target, session }) =>
              row.and(session === undefined ? { target } : { target, session_id: session }),
            ),
          ),
        )
        .orderBy('seq')
        .limit(limit)
        .execute();
      // Another process may claim at the same time: a row is ours only if its owner is still the one we read.
      const claimed = new Set<string>();
      const free = [...new Set(rows.map((row) => row.owner))];
      await inChunks(
        rows.map(({ id }) => id),
        async (chunk) => {
          const taking = db()
            .updateTable('messages')
            .set({ owner, status: 'queued' })
            .where('id', 'in', chunk);
          for (const { id } of await taking.where('owner', 'in', free).returning('id').execute())
            claimed.add(id);
        },
      );
      return rows
        .filter(({ id }) => claimed.has(id))
        .map((row) => ({ message: messageOf({ ...row, status: 'queued' }), notBefore: row.not_before }));
    });

  /** Releases these, or everything, that is not settled. */
  const release = (owner: string, ids?: string[]): Promise<void> =>
    library.write(async () => {
      const free = () =>
        db()
          .updateTable('messages')
          .set({ owner: '', status: 'queued' })
          .where('owner', '=', owner)
          .where(unsettled);
      if (ids) return inChunks(ids, (chunk) => free().where('id', 'in', chunk).execute());
      await free().execute();
      await presence.leave(owner);
    });

  return { accept, deliver, settle, act, bury, erase, revive, claim, release, beat: presence.beat };
}

const replyText = (reply: unknown): string | null =>
  reply === undefined ? null : JSON.stringify(redactValue(reply));
