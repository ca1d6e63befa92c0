import { SylkError } from '../../base/errors.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import type { Session, SessionCaller, Sessions } from '../../stores/sessions/index.ts';

export interface MemoryCaller extends SessionCaller {
  kind: 'person' | 'agent' | 'network';
}

/** The session of a call, and what it may see. */
export function createCallerSessions(sessions: Sessions) {
  const isOwn = (caller: MemoryCaller, session: Session): boolean =>
    session.metadata['client'] === caller.client && sessions.current.isInWorktree(caller, session);
  /** A session id is a name, not a key: an agent may use only the sessions of its own client in this worktree. */
  const forCaller = async (caller: MemoryCaller, id: string): Promise<Session> => {
    if (id === 'main') return sessions.current.mainOf(caller);
    const session = await sessions.find(id);
    if (session && (caller.kind === 'person' || isOwn(caller, session))) return session;
    throw new SylkError('NOT_FOUND', `Unknown session ${JSON.stringify(id.slice(0, 80))}.`, {
      hint: 'Run `sylk session list` to see the sessions.',
    });
  };
  return {
    ...sessions,
    /** Created or resumed if needed; a named session must be active. */
    forWriting: async (caller: MemoryCaller, id?: string): Promise<Session> => {
      if (!id) return sessions.current.obtain(caller);
      const session = await forCaller(caller, id);
      if (session.state === 'active') return session;
      throw new SylkError('INVALID_OPERATION', `Session ${id} is not active (state: ${session.state}).`, {
        hint: 'Resume it, or omit the session to use your own.',
      });
    },
    /** Reading creates no session. */
    forReading: async (caller: MemoryCaller, id?: string): Promise<Session | undefined> => {
      if (id === 'main') return sessions.current.peekMain(caller);
      return id ? forCaller(caller, id) : sessions.current.peek(caller);
    },
    forCaller,
    /** Sessions that the caller may name. */
    visibleTo: (caller: MemoryCaller, all: Session[]): Session[] =>
      all.filter((session) => caller.kind === 'person' || isOwn(caller, session)),
    /** The person sees everything. */
    viewerOf: (caller: MemoryCaller, session: Session | undefined): Viewer => ({
      session_id: session?.id ?? '',
      sees_all: caller.kind === 'person',
    }),
    /** Who may resume a checkpoint: the same client of the same person, or the person. */
    ownerOf: (caller: MemoryCaller): string => caller.client,
  };
}

export type CallerSessions = ReturnType<typeof createCallerSessions>;
