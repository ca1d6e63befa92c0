import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import { redact } from '../../base/redact.ts';
import type { SessionTables } from './tables.ts';

/** File locks between sessions: many readers or one writer. They expire, so that a dead session blocks no one. */
export function createLocks({ library, clock }: { library: Library; clock: Clock }) {
  const db = library.tables<SessionTables>();
  return {
    acquire: async (
      session: string,
      named: string[],
      mode: 'read' | 'write',
      seconds: number,
    ): Promise<void> => {
      const now = clock.now();
      const paths = named.map(redact);
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('session_locks').where('expires_at', '<=', now).execute();
        for (const path of paths) {
          const others = await trx
            .selectFrom('session_locks')
            .selectAll()
            .where('path', '=', path)
            .where('session_id', '!=', session)
            .execute();
          const rival = others.find((lock) => mode === 'write' || lock.mode === 'write');
          if (rival) {
            const client = await clientOf(trx, rival.session_id);
            throw new SylkError('CONFLICT', `${path} is locked for ${rival.mode} by ${client}.`, {
              hint: `Work on something else, or wait until ${new Date(rival.expires_at).toISOString()}.`,
              data: { path, client, mode: rival.mode },
            });
          }
          await trx
            .insertInto('session_locks')
            .values({ path, session_id: session, mode, acquired_at: now, expires_at: now + seconds * 1000 })
            .onConflict((conflict) =>
              conflict
                .columns(['path', 'session_id'])
                .doUpdateSet({ mode, expires_at: now + seconds * 1000 }),
            )
            .execute();
        }
      });
    },
    release: async (session: string, paths?: string[]): Promise<number> => {
      let query = db.deleteFrom('session_locks').where('session_id', '=', session);
      if (paths) query = query.where('path', 'in', paths.map(redact));
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
    list: async () => {
      const rows = await db
        .selectFrom('session_locks')
        .selectAll()
        .where('expires_at', '>', clock.now())
        .orderBy('path')
        .execute();
      return rows.map(({ path, session_id, mode, expires_at }) => ({
        path,
        session_id,
        mode: mode as 'read' | 'write',
        expires_at: new Date(expires_at).toISOString(),
      }));
    },
  };
}

/** Who holds a lock is told; in which session, and what it does there, is not. */
async function clientOf(db: Kysely<SessionTables>, session: string): Promise<string> {
  const row = await db.selectFrom('sessions').select('metadata').where('id', '=', session).executeTakeFirst();
  const { client } = z
    .object({ client: z.string() })
    .catch({ client: 'another client' })
    .parse(JSON.parse(row?.metadata ?? '{}'));
  return client;
}
