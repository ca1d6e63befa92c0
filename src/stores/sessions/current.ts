import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './store.ts';
import type { SessionTables } from './tables.ts';

/** Who is asking, as far as it decides which session a call belongs to. */
export interface SessionCaller {
  /** Name of the client, or of the person. */
  client: string;
  worktree: string;
  /** Handle of the conversation, when a client's hook sends one. It names a session; it grants nothing. */
  conversation?: string | undefined;
}

/** A worktree that was moved: sessions that were begun under an earlier path belong to it. */
export interface MovedWorktree {
  path: string;
  formerPaths: string[];
}

/** Which session a call without one belongs to: "current" is a pointer of each caller, never one for all. */
export function createCurrentSessions(
  store: SessionStore,
  { library, clock, moved }: { library: Library; clock: Clock; moved?: MovedWorktree | undefined },
) {
  const db = library.tables<SessionTables>();
  // A name or a handle can hold a secret as well as any other text.
  const callerKey = (given: SessionCaller, caller = redactValue(given)) =>
    [caller.client, caller.worktree, caller.conversation ?? ''].join('\n');

  /** The paths that a caller's worktree has and had. */
  const pathsOf = ({ worktree }: SessionCaller): string[] => [
    worktree,
    ...(moved?.path === worktree ? moved.formerPaths : []),
  ];

  const peek = async (given: SessionCaller): Promise<Session | undefined> => {
    for (const worktree of pathsOf(given)) {
      const session = await peekAt({ ...given, worktree });
      if (session) return session;
    }
    return undefined;
  };

  const peekAt = async (given: SessionCaller): Promise<Session | undefined> => {
    const caller = redactValue(given);
    const pointer = await db
      .selectFrom('session_pointers')
      .select('session_id')
      .where('caller', '=', callerKey(caller))
      .executeTakeFirst();
    const bound =
      pointer ??
      (await db
        .selectFrom('session_bindings')
        .select('session_id')
        .where('client', '=', caller.client)
        .where('worktree', '=', caller.worktree)
        .where('conversation', '=', caller.conversation ?? '')
        .executeTakeFirst());
    const session = bound && (await store.find(bound.session_id));
    return session && session.state !== 'completed' && session.state !== 'failed' ? session : undefined;
  };

  const point = async (caller: SessionCaller, id: string): Promise<void> => {
    await db
      .insertInto('session_pointers')
      .values({ caller: callerKey(caller), session_id: id })
      .onConflict((conflict) => conflict.column('caller').doUpdateSet({ session_id: id }))
      .execute();
  };

  /** The caller's session, active; made at the first write of a conversation. */
  const obtain = async (given: SessionCaller): Promise<Session> => {
    const caller = redactValue(given);
    const known = await peek(caller);
    if (known?.state === 'active') {
      await store.touch(known.id);
      return known;
    }
    if (known) return store.transition(known.id, known.state === 'created' ? 'activate' : 'resume');
    const created = await store.create({
      name: `${caller.client}`,
      metadata: { client: caller.client, worktree: caller.worktree },
    });
    await db
      .insertInto('session_bindings')
      .values({
        client: caller.client,
        worktree: caller.worktree,
        conversation: caller.conversation ?? '',
        session_id: created.id,
        bound_at: clock.now(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['client', 'worktree', 'conversation'])
          .doUpdateSet({ session_id: created.id, bound_at: clock.now() }),
      )
      .execute();
    return store.transition(created.id, 'activate');
  };

  /** Leaves the old session, which is suspended when nothing runs in it and nobody else has it, and goes to another. */
  const switchTo = async (
    caller: SessionCaller,
    id: string,
  ): Promise<{ session: Session; left?: Session }> => {
    const target = await store.get(id);
    const left = await peek(caller);
    const verbs: Partial<Record<Session['state'], 'activate' | 'resume'>> = {
      created: 'activate',
      suspended: 'resume',
    };
    const verb = verbs[target.state];
    const session = verb ? await store.transition(id, verb) : target;
    await point(caller, id);
    if (!left || left.id === id || left.state !== 'active' || left.active_dag_id !== '') return { session };
    const others = await db
      .selectFrom('session_pointers')
      .select('caller')
      .where('session_id', '=', left.id)
      .where('caller', '!=', callerKey(caller))
      .execute();
    if (others.length > 0) return { session };
    return { session, left: await store.transition(left.id, 'suspend') };
  };

  /** Enforces idle and life-time limits; what a limit ends is suspended, never lost. */
  const enforceLimits = async (): Promise<Session[]> => {
    const now = clock.now();
    const ended: Session[] = [];
    for (const session of await store.list({ state: 'active' })) {
      const idle = (now - Date.parse(session.last_active_at)) / 1000;
      const age = (now - Date.parse(session.activated_at ?? session.created_at)) / 1000;
      const { auto_suspend_after, session_timeout } = session.config;
      const isIdle = auto_suspend_after > 0 && idle > auto_suspend_after;
      if (!isIdle && !(session_timeout > 0 && age > session_timeout)) continue;
      const reason = isIdle ? `idle for ${Math.floor(idle)} s` : `older than ${session_timeout} s`;
      ended.push(await store.transition(session.id, 'suspend', { reason }));
    }
    return ended;
  };

  /** Whether a session was begun in the worktree of the caller. */
  const isInWorktree = (caller: SessionCaller, { metadata }: Session): boolean =>
    pathsOf(caller).includes(`${metadata['worktree']}`);

  return { peek, obtain, point, switchTo, enforceLimits, isInWorktree };
}
