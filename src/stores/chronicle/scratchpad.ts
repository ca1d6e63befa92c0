import { isoTime } from '../../base/clock.ts';
import { type ChronicleContext, clean, maxContent } from './context.ts';
import type { ChronicleTables } from './tables.ts';

export interface Note {
  key: string;
  content: string;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
}

/** Notes of one session to itself. They are nobody else's, and may expire. */
export function createScratchpad({ db, clock }: ChronicleContext) {
  const live = (session: string) =>
    db
      .selectFrom('scratchpad')
      .selectAll()
      .where('session_id', '=', session)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', clock.now())]));
  const noteOf = ({ session_id: _session, ...row }: ChronicleTables['scratchpad']): Note => ({
    ...row,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
  });
  return {
    write: async (session: string, name: string, note: string, ttlSeconds?: number): Promise<void> => {
      const now = clock.now();
      const key = clean(name);
      const content = clean(note).slice(0, maxContent);
      const expires_at = ttlSeconds ? now + ttlSeconds * 1000 : null;
      await db.deleteFrom('scratchpad').where('expires_at', '<=', now).execute();
      await db
        .insertInto('scratchpad')
        .values({ session_id: session, key, content, created_at: now, updated_at: now, expires_at })
        .onConflict((conflict) =>
          conflict.columns(['session_id', 'key']).doUpdateSet({ content, updated_at: now, expires_at }),
        )
        .execute();
    },
    /** Notes whose keys are not named go. */
    keepOnly: async (session: string, keys: string[]): Promise<void> => {
      const gone = db.deleteFrom('scratchpad').where('session_id', '=', session);
      await (keys.length > 0 ? gone.where('key', 'not in', keys) : gone).execute();
    },
    read: async (session: string, key: string): Promise<Note | undefined> => {
      const row = await live(session).where('key', '=', clean(key)).executeTakeFirst();
      return row && noteOf(row);
    },
    all: async (session: string): Promise<Note[]> =>
      (await live(session).orderBy('key').execute()).map(noteOf),
  };
}
