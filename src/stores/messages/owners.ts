import { sql } from 'kysely';
import { isRunning } from '../../base/process/index.ts';
import type { MessagesStand } from './ingest.ts';
import { type MessageRow, messageOf } from './rows.ts';

/** How long a process is believed to live after its last word. */
const believedFor = 60_000;

/** One parameter, however many there are. */
export const notAmong = (ids: string[]) =>
  sql<boolean>`id NOT IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Which process has which message in its queue. What a dead process had is free for the next one. */
export function createOwners({ library, db, clock }: MessagesStand) {
  const beat = async (owner: string): Promise<void> => {
    const alive_until = clock.now() + believedFor;
    await db()
      .insertInto('message_owners')
      .values({ owner, pid: process.pid, alive_until })
      .onConflict((conflict) => conflict.column('owner').doUpdateSet({ alive_until }))
      .execute();
  };

  /** Takes what nobody has, or whose owner is gone, for these agents: the same messages under the same ids. */
  const claim = ({
    owner,
    targets,
    limit,
    without = [],
  }: {
    owner: string;
    targets: Array<{ target: string; session?: string | undefined }>;
    limit: number;
    /** Sessions whose messages have to wait. */
    without?: string[];
  }) =>
    library.write(async () => {
      if (targets.length === 0 || limit <= 0) return [];
      for (const row of await db().selectFrom('message_owners').selectAll().execute())
        if (row.owner !== owner && (row.alive_until < clock.now() || !isRunning(row.pid)))
          await db().deleteFrom('message_owners').where('owner', '=', row.owner).execute();
      const rows = await db()
        .selectFrom('messages')
        .selectAll()
        .where((row) =>
          row.or(
            targets.map(({ target, session }) =>
              session === undefined
                ? row('target', '=', target)
                : row.and([row('target', '=', target), row('session_id', '=', session)]),
            ),
          ),
        )
        .where(sql<boolean>`status IN ('queued', 'delivered', 'processing', 'failed')`)
        .where('owner', 'not in', (free) => free.selectFrom('message_owners').select('owner'))
        .$if(without.length > 0, (query) => query.where('session_id', 'not in', without))
        .orderBy('seq')
        .limit(limit)
        .execute();
      for (let from = 0; from < rows.length; from += 400)
        await db()
          .updateTable('messages')
          .set({ owner, status: 'queued' })
          .where(
            'id',
            'in',
            rows.slice(from, from + 400).map((row) => row.id),
          )
          .execute();
      return rows.map((row) => ({
        message: { ...messageOf(row as MessageRow), status: 'queued' as const },
        notBefore: row.not_before,
      }));
    });

  /** Lets go of everything, or of one session's, that is not settled and not at work. */
  const release = (owner: string, session?: string, except: string[] = []): Promise<void> =>
    library.write(async () => {
      await db()
        .updateTable('messages')
        .set({ owner: '', status: 'queued' })
        .where('owner', '=', owner)
        .where(sql<boolean>`status IN ('queued', 'delivered', 'processing', 'failed')`)
        .$if(session !== undefined, (query) => query.where('session_id', '=', session!))
        .where(notAmong(except))
        .execute();
      if (session === undefined) await db().deleteFrom('message_owners').where('owner', '=', owner).execute();
    });

  return { beat, claim, release };
}
