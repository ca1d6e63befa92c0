import { closest } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import { type Message, typeRow } from '../../stores/messages/index.ts';

/** What the bus needs to know of a session. */
export interface SessionInfo {
  id: string;
  name: string;
  state: string;
  /** Agents that belong to it alone. */
  agents: string[];
}

export interface SessionDirectory {
  find(id: string): Promise<SessionInfo | undefined>;
}

/** Roles addressed by their bare name; `client` is a caller of an operation in its own session. */
export const roles = [
  ...['user', 'guide', 'academic', 'architect', 'orchestrator', 'engineer', 'designer', 'librarian'],
  ...['archivalist', 'inspector', 'tester', 'sessions', 'pipeline', 'client'],
];

/** Another process may change a session: the cache expires after this many milliseconds. */
const freshMs = 200;

/** Whether a message may be sent in its session: it exists, its state accepts this type, and both ends belong to it. */
export function createSessionAccess(
  directory: SessionDirectory,
  {
    now,
    listens,
  }: { now(): number; listens(agent: string, session: string): 'here' | 'elsewhere' | 'nowhere' },
) {
  const cache = new Map<string, { info: SessionInfo | undefined; at: number }>();

  /** From the cache; undefined if the session has to be looked up. */
  const peek = (id: string): { info: SessionInfo | undefined } | undefined => {
    if (id === '') return { info: undefined };
    const entry = cache.get(id);
    return entry && now() - entry.at < freshMs ? entry : undefined;
  };

  const look = async (id: string): Promise<SessionInfo | undefined> => {
    const entry = peek(id);
    if (entry) return entry.info;
    const info = await directory.find(id);
    if (cache.size > 5000) cache.clear();
    cache.set(id, { info, at: now() });
    return info;
  };

  const requireMember = (agent: string, info: SessionInfo | undefined, session: string): void => {
    const where = listens(agent, session);
    if (where === 'here' || info?.agents.includes(agent)) return;
    const role = agent.split(/[:/]/, 1)[0] ?? agent;
    if (!roles.includes(role) && where === 'nowhere') {
      const near = closest(role, roles);
      throw new SylkError('NOT_FOUND', `Unknown agent ${JSON.stringify(agent.slice(0, 80))}.`, {
        hint: near ? `Did you mean ${near}?` : `Agents: ${roles.join(', ')}.`,
      });
    }
    if (where === 'nowhere' && (role === agent || role === 'client')) return;
    throw new SylkError('DENIED', `${agent} does not belong to session ${session}.`, {
      hint: 'Send it in the session of the agent.',
    });
  };

  const requireSession = (message: Message, info: SessionInfo | undefined): void => {
    const { session_id, type } = message;
    const { sessionless, states = ['active'] } = typeRow(type);
    if (session_id === '') {
      if (sessionless) return;
      throw new SylkError('VALIDATION_ERROR', `${type} needs a session.`, { hint: 'Give session_id.' });
    }
    if (!info)
      throw new SylkError('NOT_FOUND', `Unknown session ${session_id.slice(0, 80)}.`, {
        hint: 'Run `sylk session list` to see the sessions.',
      });
    if (sessionless || states.includes(info.state)) return;
    const name = info.name ? `${JSON.stringify(info.name)} ` : '';
    throw new SylkError(
      'INVALID_OPERATION',
      `Session ${name}(${session_id}) is not active (state: ${info.state}); it does not accept ${type}.`,
      {
        hint:
          info.state === 'suspended'
            ? `Resume it: sylk session resume ${session_id}`
            : 'Use an active session.',
        data: { session_id, state: info.state },
      },
    );
  };

  const verifyIn = (message: Message, target: string, info: SessionInfo | undefined): void => {
    requireSession(message, info);
    if (typeRow(message.type).internal && typeof message.metadata?.['pipeline_id'] !== 'string')
      throw new SylkError('VALIDATION_ERROR', `${message.type} works inside a pipeline only.`, {
        hint: 'Give metadata.pipeline_id.',
      });
    requireMember(message.source, info, message.session_id);
    requireMember(target, info, message.session_id);
  };

  const takesIn = (message: Message, info: SessionInfo | undefined): 'yes' | 'later' | 'never' => {
    const { states = ['active'], sessionless } = typeRow(message.type);
    if (message.session_id === '' || sessionless || (info && states.includes(info.state))) return 'yes';
    return !info || info.state === 'completed' || info.state === 'failed' ? 'never' : 'later';
  };

  return {
    look,
    /** Throws, or returns a promise if the session has to be looked up first. */
    verify: (message: Message, target: string): Promise<void> | undefined => {
      const entry = peek(message.session_id);
      if (!entry) return look(message.session_id).then((info) => verifyIn(message, target, info));
      verifyIn(message, target, entry.info);
      return undefined;
    },
    /** Whether the cache shows that a waiting message may be delivered now. */
    takesNow: (message: Message): boolean => {
      const entry = peek(message.session_id);
      return entry !== undefined && takesIn(message, entry.info) === 'yes';
    },
    /** Whether a message that waits may be delivered. */
    takes: async (message: Message) => takesIn(message, await look(message.session_id)),
    forget: (id: string) => cache.delete(id),
  };
}

export type SessionAccess = ReturnType<typeof createSessionAccess>;
