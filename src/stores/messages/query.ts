import { sql } from 'kysely';
import type { MessagesStand } from './ingest.ts';
import type { Message, MessageStatus } from './message.ts';
import { notAmong } from './owners.ts';
import { type MessageRow, messageOf } from './rows.ts';

export interface DeadFilter {
  session?: string | undefined;
  agent?: string | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const waiting = sql<boolean>`status IN ('queued', 'delivered', 'processing', 'failed')`;

/** What waits, what died, and how many there are of each. */
export function createMessageQueries({ library, db, clock }: MessagesStand) {
  const read = (row: object): Message => messageOf(row as MessageRow);
  return {
    find: async (id: string): Promise<{ message: Message; reply: unknown } | undefined> => {
      const row = await db().selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
      return row && { message: read(row), reply: row.reply === null ? undefined : JSON.parse(row.reply) };
    },
    pendingOf: async (session: string): Promise<Message[]> =>
      (
        await db()
          .selectFrom('messages')
          .selectAll()
          .where('session_id', '=', session)
          .where(waiting)
          .orderBy('seq')
          .execute()
      ).map(read),
    dead: async (filter: DeadFilter = {}): Promise<{ items: Message[]; total: number }> => {
      let query = db().selectFrom('messages').where('status', '=', 'dead');
      if (filter.session !== undefined) query = query.where('session_id', '=', filter.session);
      if (filter.agent !== undefined) query = query.where('target', '=', filter.agent);
      const { total } = await query
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await query
        .selectAll()
        .orderBy('seq', 'desc')
        .limit(filter.limit ?? 50)
        .offset(filter.offset ?? 0)
        .execute();
      return { items: rows.map(read), total: Number(total) };
    },
    counts: async (): Promise<
      Array<{ target: string; status: MessageStatus; count: number; oldest_at: number }>
    > => {
      const rows = await db()
        .selectFrom('messages')
        .select(['target', 'status'])
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.min<number>('accepted_at').as('oldest_at'),
        ])
        .groupBy(['target', 'status'])
        .orderBy('target')
        .orderBy('status')
        .execute();
      return rows.map((row) => ({ ...row, status: row.status as MessageStatus, count: Number(row.count) }));
    },
    /** A session that has ended takes nothing any more. */
    expireSession: (session: string, why: string, except: string[] = []): Promise<string[]> =>
      library.write(async () => {
        const rows = await db()
          .updateTable('messages')
          .set({ status: 'expired', error: why, processed_at: clock.now(), owner: '' })
          .where('session_id', '=', session)
          .where(waiting)
          .where(notAmong(except))
          .returning('id')
          .execute();
        return rows.map((row) => row.id);
      }),
    /** What was done long ago is forgotten; what died stays until somebody looked at it, within a bound. */
    prune: (before: number, keepDead: number): Promise<void> =>
      library.write(async () => {
        await db()
          .deleteFrom('messages')
          .where('status', 'in', ['done', 'expired'])
          .where('processed_at', '<', before)
          .execute();
        await sql`DELETE FROM messages WHERE status = 'dead' AND seq <= (
          SELECT seq FROM messages WHERE status = 'dead' ORDER BY seq DESC LIMIT 1 OFFSET ${keepDead})`.execute(
          db(),
        );
      }),
  };
}
