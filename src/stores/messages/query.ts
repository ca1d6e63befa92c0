import { sql } from 'kysely';
import type { MessagesContext } from './ingest.ts';
import type { Message, MessageStatus } from './message.ts';
import { messageOf } from './rows.ts';
import { unsettled } from './tables.ts';

export interface DeadFilter {
  session?: string | undefined;
  agent?: string | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const overdueText = 'no agent took it in time';

/** Waiting and dead messages, with counts. */
export function createMessageQueries({ library, db, clock, presence }: MessagesContext) {
  return {
    find: async (id: string): Promise<{ message: Message; reply: unknown } | undefined> => {
      const row = await db().selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return undefined;
      const isOverdue = row.expires_at !== null && row.expires_at <= clock.now() && row.processed_at === null;
      return {
        message: messageOf(isOverdue ? { ...row, status: 'expired', error: overdueText } : row),
        reply: row.reply === null ? undefined : JSON.parse(row.reply),
      };
    },
    pendingOf: async (session: string): Promise<Message[]> => {
      const waiting = db().selectFrom('messages').selectAll().where('session_id', '=', session);
      return (await waiting.where(unsettled).orderBy('seq').execute()).map(messageOf);
    },
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
      return { items: rows.map(messageOf), total: Number(total) };
    },
    counts: async () => {
      const now = clock.now();
      const rows = await db()
        .selectFrom('messages')
        .select('target')
        // A read changes nothing: what is overdue counts as expired before the next process writes it down.
        .select(
          sql<string>`CASE WHEN expires_at <= ${now} AND ${unsettled} THEN 'expired' ELSE status END`.as(
            'status',
          ),
        )
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.min<number>('accepted_at').as('oldest_at'),
        ])
        .groupBy(['target', sql`2`])
        .orderBy('target')
        .orderBy(sql`2`)
        .execute();
      return rows.map((row) => ({ ...row, status: row.status as MessageStatus, count: Number(row.count) }));
    },
    /** Messages that no process took before their time was over. A process ends those that it holds by itself. */
    expireOverdue: (): Promise<void> =>
      library.write(async () => {
        const now = clock.now();
        const overdue = db()
          .updateTable('messages')
          .set({ status: 'expired', error: overdueText, processed_at: now, owner: '' })
          .where('expires_at', '<=', now)
          .where(unsettled);
        const living = await presence.living();
        await (living.length > 0 ? overdue.where('owner', 'not in', living) : overdue).execute();
      }),
    /** A session that has ended accepts nothing. */
    expireSession: async (session: string, why: string, except: string[] = []): Promise<void> => {
      const query = db()
        .updateTable('messages')
        .set({ status: 'expired', error: why, processed_at: clock.now(), owner: '' })
        .where('session_id', '=', session)
        .where(unsettled);
      await (except.length > 0 ? query.where('id', 'not in', except) : query).execute();
    },
    /** Deletes old finished messages; dead ones stay until someone looked at them, up to a limit. */
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
