import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { type Clock, isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { parseJson } from '../../base/json.ts';
import type { Library } from '../../base/library/index.ts';
import { redact, redactValue } from '../../base/redact.ts';
import {
  nextState,
  type Session,
  type SessionConfig,
  type SessionContext,
  type SessionState,
  sessionConfigSchema,
  sessionContextSchema,
  type Transition,
} from './session.ts';
import type { SessionTables } from './tables.ts';

export interface NewSession {
  name?: string | undefined;
  kind?: Session['kind'] | undefined;
  base_branch?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  config?: Partial<SessionConfig> | undefined;
}

export type SessionListener = (event: {
  transition: Transition | 'create' | 'close';
  session: Session;
  before: Session | undefined;
}) => void | Promise<void>;

type FixedField = 'id' | 'kind' | 'state' | 'archived' | 'config' | 'summary' | 'version' | `${string}_at`;

const rowNamed = (db: Kysely<SessionTables>, id: string) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();

async function requireRow(db: Kysely<SessionTables>, id: string) {
  const row = await rowNamed(db, id);
  if (row) return row;
  throw new SylkError('NOT_FOUND', `Unknown session ${JSON.stringify(id.slice(0, 80))}.`, {
    hint: 'Run `sylk session list` to see the sessions.',
  });
}

/** Sessions and their states. Every change increments the version and records an event. */
export function createSessionStore({
  library,
  clock,
  defaults = {},
}: {
  library: Library;
  clock: Clock;
  defaults?: Partial<SessionConfig> | undefined;
}) {
  const db = library.tables<SessionTables>();
  const listeners = new Set<SessionListener>();
  const tell = async (event: Parameters<SessionListener>[0]) => {
    for (const listener of listeners)
      try {
        await listener(event);
      } catch {
        // The change has happened; a listener answers for itself.
      }
  };

  const find = async (id: string): Promise<Session | undefined> => {
    const row = await rowNamed(db, id);
    return row && sessionOf(row);
  };
  const get = async (id: string): Promise<Session> => sessionOf(await requireRow(db, id));

  const create = async (given: NewSession): Promise<Session> => {
    const now = clock.now();
    const id = newId('ses', now);
    const config = sessionConfigSchema.parse({ ...defaults, ...given.config });
    await db
      .insertInto('sessions')
      .values({
        id,
        name: redact(given.name ?? '').slice(0, 200),
        state: 'created',
        archived: 0,
        created_at: now,
        activated_at: null,
        suspended_at: null,
        completed_at: null,
        last_active_at: now,
        context: JSON.stringify(sessionContextSchema.parse({})),
        active_dag_id: '',
        dag_history: '[]',
        branch_name: '',
        base_branch: redact(given.base_branch ?? ''),
        worktree: '',
        config: JSON.stringify(config),
        metadata: JSON.stringify({ ...redactValue(given.metadata ?? {}), kind: given.kind ?? 'named' }),
        summary: '',
        version: 1,
      })
      .execute();
    await record(db, id, now, 'created');
    const session = await get(id);
    await tell({ transition: 'create', session, before: undefined });
    return session;
  };

  const transition = async (
    id: string,
    verb: Transition,
    note: { summary?: string; reason?: string } = {},
  ): Promise<Session> => {
    const now = clock.now();
    const before = await db.transaction().execute(async (trx) => {
      const row = await requireRow(trx, id);
      const state = nextState(sessionOf(row), verb);
      const ended = state === 'completed' || state === 'failed';
      const suspendedAt: Partial<Record<SessionState, number | null>> = { active: null, suspended: now };
      await trx
        .updateTable('sessions')
        .set({
          state,
          last_active_at: now,
          version: row.version + 1,
          activated_at: state === 'active' ? now : undefined,
          suspended_at: suspendedAt[state],
          completed_at: ended ? now : undefined,
          summary: redactValue(note.summary),
        })
        .where('id', '=', id)
        .execute();
      if (ended) await trx.deleteFrom('session_locks').where('session_id', '=', id).execute();
      await record(trx, id, now, verb, note);
      return sessionOf(row);
    });
    const session = await get(id);
    await tell({ transition: verb, session, before });
    return session;
  };

  /** Archives an ended session; any other must change its state first. */
  const close = async (id: string): Promise<Session> => {
    const before = await get(id);
    if (before.state !== 'completed' && before.state !== 'failed') {
      throw new SylkError('INVALID_OPERATION', `Session ${id} cannot be closed: it is ${before.state}.`, {
        hint: 'Complete it first.',
      });
    }
    const now = clock.now();
    await db
      .updateTable('sessions')
      .set({ archived: 1, version: before.version + 1 })
      .where('id', '=', id)
      .execute();
    await record(db, id, now, 'close');
    const session = await get(id);
    await tell({ transition: 'close', session, before });
    return session;
  };

  const change = async (
    id: string,
    patch: (session: Session) => Partial<Omit<Session, FixedField>>,
  ): Promise<Session> => {
    await db.transaction().execute(async (trx) => {
      const row = await requireRow(trx, id);
      const { context, metadata, dag_history, ...plain } = redactValue(patch(sessionOf(row)));
      await trx
        .updateTable('sessions')
        .set({
          ...plain,
          context: context && JSON.stringify(sessionContextSchema.parse(context)),
          metadata: metadata && JSON.stringify({ ...metadata, kind: metadataOf(row).kind }),
          dag_history: dag_history && JSON.stringify(dag_history),
          last_active_at: clock.now(),
          version: row.version + 1,
        })
        .where('id', '=', id)
        .execute();
    });
    return get(id);
  };

  return {
    find,
    get,
    create,
    transition,
    close,
    change,
    /** Removes a session that was created and never used. */
    discard: async (id: string): Promise<void> => {
      await db.deleteFrom('sessions').where('id', '=', id).where('state', '=', 'created').execute();
    },
    updateContext: (id: string, patch: Partial<SessionContext>) => {
      const at = isoTime(clock.now());
      const dated = (intents: SessionContext['user_wants'] | undefined) =>
        intents?.map((each) => ({ ...each, at: each.at ?? at }));
      const { user_wants, user_rejects, ...rest } = patch;
      return change(id, ({ context }) => ({
        context: {
          ...context,
          ...rest,
          user_wants: dated(user_wants) ?? context.user_wants,
          user_rejects: dated(user_rejects) ?? context.user_rejects,
        },
      }));
    },
    touch: async (id: string) => {
      await db.updateTable('sessions').set({ last_active_at: clock.now() }).where('id', '=', id).execute();
    },
    list: async (
      filter: { state?: SessionState | undefined; archived?: boolean | undefined } = {},
    ): Promise<Session[]> => {
      let query = db
        .selectFrom('sessions')
        .selectAll()
        .orderBy('last_active_at', 'desc')
        .orderBy('id', 'desc');
      if (filter.state) query = query.where('state', '=', filter.state);
      if (!filter.archived) query = query.where('archived', '=', 0);
      return (await query.execute()).map(sessionOf);
    },
    events: async (id: string) => {
      const rows = await db
        .selectFrom('session_events')
        .selectAll()
        .where('session_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        at: new Date(row.at).toISOString(),
        event: row.event,
        data: JSON.parse(row.data) as Record<string, unknown>,
      }));
    },
    /** Changes with every event and every change of a session, or of any. */
    mark: async (id?: string): Promise<string> => {
      const [events, sessions] = [db.selectFrom('session_events'), db.selectFrom('sessions')];
      const event = await (id === undefined ? events : events.where('session_id', '=', id))
        .select(({ fn }) => fn.max('id').as('last'))
        .executeTakeFirst();
      const session = await (id === undefined ? sessions : sessions.where('id', '=', id))
        .select(({ fn }) => [fn.sum('version').as('versions'), fn.countAll().as('count')])
        .executeTakeFirst();
      return [event?.last ?? 0, session?.versions ?? 0, session?.count ?? 0].join(' ');
    },
    /** A lifecycle hook: runs after every change of state; its failure does not undo the change. */
    onTransition: (listener: SessionListener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function record(
  db: Kysely<SessionTables>,
  session: string,
  at: number,
  event: string,
  data: Record<string, unknown> = {},
): Promise<void> {
  await db
    .insertInto('session_events')
    .values({ session_id: session, at, event, data: JSON.stringify(redactValue(data)) })
    .execute();
}

/** The kind is kept with the metadata. */
const metadataOf = (row: Selectable<SessionTables['sessions']>): Pick<Session, 'kind' | 'metadata'> => {
  const { kind, ...metadata } = z.record(z.string(), z.unknown()).catch({}).parse(parseJson(row.metadata));
  return { kind: kind === 'main' ? 'main' : 'named', metadata };
};

const sessionOf = (row: Selectable<SessionTables['sessions']>): Session => ({
  ...row,
  ...metadataOf(row),
  archived: row.archived === 1,
  created_at: isoTime(row.created_at),
  activated_at: timeOf(row.activated_at),
  suspended_at: timeOf(row.suspended_at),
  completed_at: timeOf(row.completed_at),
  last_active_at: isoTime(row.last_active_at),
  context: sessionContextSchema.parse(parseJson(row.context) ?? {}),
  dag_history: z.array(z.string()).catch([]).parse(parseJson(row.dag_history)),
  config: sessionConfigSchema.parse(parseJson(row.config) ?? {}),
});

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at));

export type SessionStore = ReturnType<typeof createSessionStore>;
