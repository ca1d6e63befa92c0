import { closest } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import { type Message, typeRow } from '../../../stores/messages/index.ts';

/** What the bus needs to know of a session. */
export interface SessionStanding {
  id: string;
  name: string;
  state: string;
  /** Agents that belong to it alone. */
  agents: string[];
}

export interface SessionDirectory {
  find(id: string): Promise<SessionStanding | undefined>;
}

/** Roles that can be addressed by their bare name; `client` is whoever called an operation in a session of its own. */
export const roles = [
  'user',
  'guide',
  'academic',
  'architect',
  'orchestrator',
  'engineer',
  'designer',
  'librarian',
  'archivalist',
  'inspector',
  'tester',
  'sessions',
  'pipeline',
  'client',
];

/** Another process may change a session: what is known of it is looked up again after this many milliseconds. */
const freshFor = 200;

/**
 * Whether a message may be sent in its session, asked for every message: the session exists, it is in a state that
 * takes this type, and both ends belong to it.
 */
export function createMembership(
  directory: SessionDirectory,
  parts: { now: () => number; listens: (agent: string, session: string) => 'here' | 'elsewhere' | 'nowhere' },
) {
  const known = new Map<string, { standing: SessionStanding | undefined; at: number }>();

  const peek = (id: string): { standing: SessionStanding | undefined } | undefined => {
    const found = known.get(id);
    return found && parts.now() - found.at < freshFor ? found : undefined;
  };

  const look = async (id: string): Promise<SessionStanding | undefined> => {
    const found = peek(id);
    if (found) return found.standing;
    const standing = await directory.find(id);
    if (known.size > 5000) known.clear();
    known.set(id, { standing, at: parts.now() });
    return standing;
  };

  const belongs = (agent: string, standing: SessionStanding | undefined, session: string): void => {
    const where = parts.listens(agent, session);
    if (where === 'here' || standing?.agents.includes(agent)) return;
    const [role] = agent.split(/[:/]/, 1) as [string];
    if (!roles.includes(role) && where === 'nowhere') {
      const near = closest(role, roles);
      throw new SylkError('NOT_FOUND', `There is no agent ${JSON.stringify(agent.slice(0, 80))}.`, {
        hint: near ? `Did you mean ${near}?` : `Agents: ${roles.join(', ')}.`,
      });
    }
    if (where === 'nowhere' && (role === agent || role === 'client')) return;
    throw new SylkError('DENIED', `${agent} does not belong to session ${session}.`, {
      hint: 'Send it in the session that the agent works in.',
    });
  };

  const judge = (message: Message, target: string, standing: SessionStanding | undefined): void => {
    const row = typeRow(message.type);
    const { session_id } = message;
    if (session_id !== '') {
      if (!standing)
        throw new SylkError('NOT_FOUND', `Session ${session_id.slice(0, 80)} was not found.`, {
          hint: '`sylk session list` shows them.',
        });
      if (!row.sessionless && !(row.states ?? ['active']).includes(standing.state))
        throw new SylkError(
          'INVALID_OPERATION',
          `Session ${standing.name ? `${JSON.stringify(standing.name)} ` : ''}(${session_id}) is not active (state: ${standing.state}); it does not take ${message.type}.`,
          {
            hint:
              standing.state === 'suspended'
                ? `Resume it: sylk session resume ${session_id}`
                : 'Use an active session.',
            data: { session_id, state: standing.state },
          },
        );
    } else if (!row.sessionless) {
      throw new SylkError('VALIDATION_ERROR', `${message.type} needs a session.`, {
        hint: 'Give session_id.',
      });
    }
    if (row.internal && typeof message.metadata?.['pipeline_id'] !== 'string')
      throw new SylkError('VALIDATION_ERROR', `${message.type} travels inside of a pipeline only.`, {
        hint: 'Give metadata.pipeline_id.',
      });
    belongs(message.source, standing, session_id);
    belongs(target, standing, session_id);
  };

  return {
    look,
    peek,
    /** Throws, or answers a promise where the session has to be looked up first. */
    verify: (message: Message, target: string): Promise<void> | undefined => {
      const { session_id } = message;
      const found = session_id === '' ? { standing: undefined } : peek(session_id);
      if (!found) return look(session_id).then((standing) => judge(message, target, standing));
      judge(message, target, found.standing);
      return undefined;
    },
    /** Whether a message that waits may be handed out now. */
    takes: (message: Message, standing: SessionStanding | undefined): 'yes' | 'later' | 'never' => {
      if (message.session_id === '') return 'yes';
      const { states = ['active'], sessionless } = typeRow(message.type);
      if (sessionless || (standing && states.includes(standing.state))) return 'yes';
      if (!standing || standing.state === 'completed' || standing.state === 'failed') return 'never';
      return 'later';
    },
    forget: (id: string) => known.delete(id),
  };
}

export type Membership = ReturnType<typeof createMembership>;
