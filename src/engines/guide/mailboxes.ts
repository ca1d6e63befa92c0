import { isoTime } from '../../base/clock.ts';
import { type Breaker, createBreaker, createFairQueue, type FairQueue } from '../../base/durable/index.ts';
import { SylkError } from '../../base/errors.ts';
import { type MessageType, priorities } from '../../stores/messages/index.ts';
import type { Listener } from './contract.ts';
import type { Queued } from './queued.ts';

/** Messages that an agent works on now; more than one when they are answered together. */
export interface Attempt {
  mailbox: Mailbox;
  items: Queued[];
  /** The first of them; it represents all in the breaker. */
  first: Queued;
  listener: Listener | undefined;
  started: number;
  until: number;
  isOver: boolean;
  /** Its effect in a committed transaction. */
  acted?: { reply: unknown };
  controller?: AbortController;
}

/** The queue of one agent. */
export interface Mailbox {
  key: string;
  agent: string;
  session: string | undefined;
  listeners: Listener[];
  queue: FairQueue<Queued>;
  breaker: Breaker;
  attempts: Set<Attempt>;
  concurrency: number;
  capacity: number;
  timeout: number;
  isScheduled: boolean;
  /** The library has more than fit here. */
  hasMore: boolean;
  done: number;
  failed: number;
  lastSuccess?: number;
  lastFailure?: number;
  lastError?: string;
}

const keyOf = (agent: string, session: string | undefined): string =>
  session === undefined ? agent : `${agent}@${session}`;

/** Critical : high : normal : low. */
const turns = [8, 4, 2, 1];
const newQueue = () =>
  createFairQueue<Queued>({
    turns,
    groupOf: ({ message }) => message.session_id,
    laneOf: ({ message }) => turns.length - 1 - priorities.indexOf(message.priority),
    // A large message takes the turns of several small ones.
    costOf: ({ size }) => 1 + Math.min(15, Math.floor(size / 4096)),
  });

export function createMailboxes(defaults: { concurrency: number; capacity: number; timeout: number }) {
  const mailboxes = new Map<string, Mailbox>();
  /** Mailboxes of one session: while there are none, no keys are built. */
  let scoped = 0;
  const find = (agent: string, session: string): Mailbox | undefined =>
    (scoped > 0 ? mailboxes.get(keyOf(agent, session)) : undefined) ?? mailboxes.get(agent);
  return {
    find,
    open: (listener: Listener): Mailbox => {
      const { agent, session, types } = listener;
      const key = keyOf(agent, session);
      const mailbox = mailboxes.get(key) ?? {
        key,
        agent,
        session,
        listeners: [],
        queue: newQueue(),
        breaker: createBreaker(),
        attempts: new Set<Attempt>(),
        isScheduled: false,
        hasMore: false,
        done: 0,
        failed: 0,
        ...defaults,
      };
      if (
        mailbox.listeners.some(
          (other) => !other.types || !types || other.types.some((type) => types.includes(type)),
        )
      )
        throw new SylkError('CONFLICT', `${key} already listens to these messages.`, {
          hint: 'Give the types that each listener takes.',
        });
      if (!mailboxes.has(key) && session !== undefined) scoped++;
      mailboxes.set(key, mailbox);
      mailbox.listeners.push(listener);
      mailbox.concurrency = listener.concurrency ?? mailbox.concurrency;
      mailbox.capacity = listener.capacity ?? mailbox.capacity;
      mailbox.timeout = listener.timeout ?? mailbox.timeout;
      return mailbox;
    },
    /** True if that was the last listener of the agent. */
    close: (mailbox: Mailbox, listener: Listener): boolean => {
      mailbox.listeners = mailbox.listeners.filter((other) => other !== listener);
      if (mailbox.listeners.length > 0) return false;
      if (mailbox.session !== undefined) scoped--;
      return mailboxes.delete(mailbox.key);
    },
    all: (): Mailbox[] => [...mailboxes.values()],
    inSession: (session: string): Mailbox[] =>
      [...mailboxes.values()].filter((mailbox) => (mailbox.session ?? session) === session),
    listens: (agent: string, session: string): 'here' | 'elsewhere' | 'nowhere' => {
      if (find(agent, session)) return 'here';
      return [...mailboxes.values()].some((mailbox) => mailbox.agent === agent) ? 'elsewhere' : 'nowhere';
    },
  };
}

export type Mailboxes = ReturnType<typeof createMailboxes>;

export const listenerFor = (mailbox: Mailbox, type: MessageType): Listener | undefined =>
  mailbox.listeners.find(({ types }) => !types || types.includes(type));

const isoOrNone = (at: number | undefined) => (at === undefined ? undefined : isoTime(at));

export function healthOf(mailbox: Mailbox, now: number) {
  const { attempts, timeout, lastFailure, done, failed } = mailbox;
  const breaker = mailbox.breaker.worst(now);
  const queued = mailbox.queue.size();
  const late = [...attempts].filter((attempt) => now > attempt.until - timeout / 2).length;
  const failsNow = lastFailure !== undefined && now - lastFailure < 30_000;
  const stateNow = (): 'healthy' | 'idle' | 'degraded' | 'stuck' | 'open' => {
    if (breaker === 'open') return 'open';
    if (late > 0 && late === attempts.size && queued > 0) return 'stuck';
    if (breaker === 'half_open' || failsNow || late > 0) return 'degraded';
    return queued + attempts.size + done === 0 ? 'idle' : 'healthy';
  };
  return {
    agent: mailbox.agent,
    session: mailbox.session,
    state: stateNow(),
    breaker,
    queued,
    in_flight: attempts.size,
    done,
    failed,
    last_success_at: isoOrNone(mailbox.lastSuccess),
    last_failure_at: isoOrNone(lastFailure),
    last_error: mailbox.lastError,
  };
}
