import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './store.ts';
import type { SessionTables } from './tables.ts';

/** The caller, as far as it determines the session of a call. */
export interface SessionCaller {
  /** Name of the client, or of the person. */
  client: string;
  worktree: string;
  /** Id of the conversation, if a client's hook sends one. It selects a session and grants nothing. */
  conversation?: string | undefined;
}

/** A worktree that was moved: sessions that were begun under an earlier path belong to it. */
export interface MovedWorktree {
  path: string;
  formerPaths: string[];
}

/** The session of a call that names none: "current" is a pointer per caller, never a global one. */
export function createCurrentSessions(
  store: SessionStore,
  { library, clock, moved }: { library: Library; clock: Clock; moved?: MovedWorktree | undefined },
) {
  const db = library.tables<SessionTables>();
  // A name or an id can contain a secret like any other text.
  const callerKey = (given: SessionCaller, caller = redactValue(given)) =>
    [caller.client, caller.worktree, caller.conversation ?? ''].join('\n');

  /** The paths that a caller's worktree has and had. */
  const pathsOf = ({ worktree }: SessionCaller): string[] => [
    worktree,
    ...(moved?.path === worktree ? moved.formerPaths : []),
  ];

  const open = async (id: string | undefined): Promise<Session | undefined> => {
    const session = id === undefined ? undefined : await store.find(id);
    return session && session.state !== 'completed' && session.state !== 'failed' ? session : undefined;
  };
  const boundTo = async (caller: SessionCaller): Promise<string | undefined> =>
    (
      await db
        .selectFrom('session_bindings')
        .select('session_id')
        .where('client', '=', caller.client)
        .where('worktree', '=', caller.worktree)
        .where('conversation', '=', caller.conversation ?? '')
        .executeTakeFirst()
    )?.session_id;
  const pointedTo = async (caller: SessionCaller): Promise<string | undefined> =>
    (
      await db
        .selectFrom('session_pointers')
        .select('session_id')
        .where('caller', '=', callerKey(caller))
        .executeTakeFirst()
    )?.session_id;
  const firstOpen = async (
    given: SessionCaller,
    find: (caller: SessionCaller) => Promise<string | undefined>,
  ): Promise<Session | undefined> => {
    for (const worktree of pathsOf(given)) {
      const session = await open(await find(redactValue({ ...given, worktree })));
      if (session) return session;
    }
    return undefined;
  };

  /** The caller's part of the main session; undefined before its first write. */
  const peekMain = (caller: SessionCaller): Promise<Session | undefined> => firstOpen(caller, boundTo);

  /** The named session that the caller switched to, else the caller's part of the main session. */
  const peek = async (caller: SessionCaller): Promise<Session | undefined> =>
    (await firstOpen(caller, pointedTo)) ?? peekMain(caller);

  const point = async (caller: SessionCaller, id: string): Promise<void> => {
    await db
      .insertInto('session_pointers')
      .values({ caller: callerKey(caller), session_id: id })
      .onConflict((conflict) => conflict.column('caller').doUpdateSet({ session_id: id }))
      .execute();
  };

  /** Another process may have been faster; what counts is that the session is active. */
  const activate = async (session: Session): Promise<Session> => {
    try {
      return await store.transition(session.id, session.state === 'created' ? 'activate' : 'resume');
    } catch (error) {
      const current = await store.get(session.id);
      if (current.state === 'active') return current;
      throw error;
    }
  };

  /** The caller's session, active; its part of the main session is made at the first write. */
  const obtain = async (given: SessionCaller): Promise<Session> => {
    const caller = redactValue(given);
    await enforceLimits();
    const known = await peek(caller);
    if (known?.state === 'active') {
      await store.touch(known.id);
      return known;
    }
    return activate(known ?? (await createMain(caller)));
  };

  /** Of several first writes at once one binding wins; the other sessions were never used and go. */
  const createMain = async (caller: SessionCaller): Promise<Session> => {
    const { client, worktree, conversation = '' } = caller;
    const ended = await boundTo(caller);
    // Another process may have made it since the caller looked.
    const made = await open(ended);
    if (made) return made;
    const created = await store.create({ name: client, kind: 'main', metadata: { client, worktree } });
    const bound = { session_id: created.id, bound_at: clock.now() };
    await db
      .insertInto('session_bindings')
      .values({ client, worktree, conversation, ...bound })
      .onConflict((conflict) =>
        conflict
          .columns(['client', 'worktree', 'conversation'])
          .doUpdateSet(bound)
          .where('session_bindings.session_id', '=', ended ?? ''),
      )
      .execute();
    const winner = await store.get((await boundTo(caller)) ?? created.id);
    if (winner.id !== created.id) await store.discard(created.id);
    return winner;
  };

  /** The caller's part of the main session, whichever session the caller switched to. */
  const mainOf = async (given: SessionCaller): Promise<Session> => {
    const caller = redactValue(given);
    const main = (await peekMain(caller)) ?? (await createMain(caller));
    return main.state === 'active' ? main : activate(main);
  };

  const switchToMain = async (caller: SessionCaller): Promise<Session> => {
    await db.deleteFrom('session_pointers').where('caller', '=', callerKey(caller)).execute();
    return mainOf(caller);
  };

  /** Goes to another session. A named one that is left is suspended when nothing runs in it and nobody else has it. */
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
    if (!left || left.id === id || left.kind === 'main') return { session };
    if (left.state !== 'active' || left.active_dag_id !== '') return { session };
    const others = await db
      .selectFrom('session_pointers')
      .select('caller')
      .where('session_id', '=', left.id)
      .where('caller', '!=', callerKey(caller))
      .execute();
    if (others.length > 0) return { session };
    return { session, left: await store.transition(left.id, 'suspend') };
  };

  /** Enforces idle and lifetime limits; a session over its limit is suspended, never lost. */
  const enforceLimits = async (): Promise<Session[]> => {
    const now = clock.now();
    const ended: Session[] = [];
    for (const session of await store.list({ state: 'active' })) {
      if (session.kind === 'main') continue;
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

  return {
    peek,
    peekMain,
    mainOf,
    obtain,
    point,
    switchTo,
    switchToMain,
    enforceLimits,
    isInWorktree,
  };
}
