import { type Clock, isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Library } from '../../base/library/index.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './store.ts';
import type { SessionTables } from './tables.ts';

/** Everything a session needs to continue elsewhere. Parts of other stores are passed in as data. */
export interface SessionSnapshot {
  id: string;
  session: Session;
  archivalist_state: Record<string, unknown>;
  dag_state: Record<string, unknown> | null;
  pending_messages: unknown[];
  agent_states: Record<string, unknown>;
  created_at: string;
}

type SnapshotParts = Partial<
  Pick<SessionSnapshot, 'archivalist_state' | 'dag_state' | 'pending_messages' | 'agent_states'>
>;

export function createSnapshots(store: SessionStore, { library, clock }: { library: Library; clock: Clock }) {
  const db = library.tables<SessionTables>();
  return {
    take: async (id: string, parts: SnapshotParts = {}): Promise<SessionSnapshot> => {
      const session = await store.get(id);
      const now = clock.now();
      const snapshot: SessionSnapshot = {
        id: newId('snap', now),
        session,
        archivalist_state: parts.archivalist_state ?? {},
        dag_state: parts.dag_state ?? null,
        pending_messages: parts.pending_messages ?? [],
        agent_states: parts.agent_states ?? {},
        created_at: isoTime(now),
      };
      await db
        .insertInto('session_snapshots')
        .values({ id: snapshot.id, session_id: id, created_at: now, content: JSON.stringify(snapshot) })
        .execute();
      return snapshot;
    },
    get: async (id: string): Promise<SessionSnapshot> => {
      const row = await db
        .selectFrom('session_snapshots')
        .select('content')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row)
        throw new SylkError('NOT_FOUND', `Unknown snapshot ${JSON.stringify(id.slice(0, 80))}.`, {
          hint: 'A snapshot id starts with snap_.',
        });
      return JSON.parse(row.content) as SessionSnapshot;
    },
    latest: async (session: string): Promise<SessionSnapshot | undefined> => {
      const row = await db
        .selectFrom('session_snapshots')
        .select('content')
        .where('session_id', '=', session)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .executeTakeFirst();
      return row && (JSON.parse(row.content) as SessionSnapshot);
    },
    /** Restores the session's context, workflow and metadata; its state is not changed. */
    restore: async (snapshot: SessionSnapshot): Promise<Session> => {
      const { context, metadata, active_dag_id, dag_history, name } = snapshot.session;
      return store.change(snapshot.session.id, () => ({
        context,
        metadata,
        active_dag_id,
        dag_history,
        name,
      }));
    },
  };
}
