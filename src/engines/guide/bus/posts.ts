import { SylkError } from '../../../base/errors.ts';
import type { MessageType } from '../../../stores/messages/index.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import type { AgentHealth, Delivery, Listener } from './contract.ts';
import { createHistogram } from './histogram.ts';
import { createInbox, type Inbox } from './inbox.ts';
import type { Parcel } from './parcel.ts';

/** Messages that an agent works on at this moment; more than one when they are answered together. */
export interface Flight {
  post: Post;
  parcels: Parcel[];
  listener: Listener;
  started: number;
  until: number;
  over: boolean;
  acted?: { reply: unknown };
  controller?: AbortController;
  delivery?: Delivery;
}

/** Where the messages for one agent arrive. */
export interface Post {
  key: string;
  agent: string;
  session: string | undefined;
  listeners: Listener[];
  inbox: Inbox;
  breaker: Breaker;
  flights: Set<Flight>;
  concurrency: number;
  capacity: number;
  timeout: number;
  scheduled: boolean;
  /** It is woken when the breaker lets the next message try. */
  resuming: boolean;
  /** There is more in the library than had room here. */
  more: boolean;
  done: number;
  failed: number;
  lastSuccess: number | undefined;
  lastFailure: number | undefined;
  lastError: string | undefined;
  latency: ReturnType<typeof createHistogram>;
}

const keyOf = (agent: string, session: string | undefined): string =>
  session === undefined ? agent : `${agent}@${session}`;

export function createPosts(defaults: { concurrency: number; capacity: number; timeout: number }) {
  const posts = new Map<string, Post>();
  /** Sessions in which an agent of that name listens, to tell "elsewhere" from "nowhere". */
  const scoped = new Map<string, number>();

  const find = (agent: string, session: string): Post | undefined =>
    scoped.size > 0 ? (posts.get(keyOf(agent, session)) ?? posts.get(agent)) : posts.get(agent);

  const open = (listener: Listener): Post => {
    const { agent, session } = listener;
    const key = keyOf(agent, session);
    let post = posts.get(key);
    if (!post) {
      post = {
        key,
        agent,
        session,
        listeners: [],
        inbox: createInbox(),
        breaker: createBreaker(),
        flights: new Set<Flight>(),
        scheduled: false,
        resuming: false,
        more: false,
        done: 0,
        failed: 0,
        lastSuccess: undefined,
        lastFailure: undefined,
        lastError: undefined,
        latency: createHistogram(),
        ...defaults,
      };
      posts.set(key, post);
      if (session !== undefined) scoped.set(agent, (scoped.get(agent) ?? 0) + 1);
    }
    const clash = post.listeners.some(
      (other) =>
        !other.types || !listener.types || other.types.some((type) => listener.types!.includes(type)),
    );
    if (clash)
      throw new SylkError('CONFLICT', `${key} already listens to these messages.`, {
        hint: 'Give the types that each listener takes.',
      });
    post.listeners.push(listener);
    post.concurrency = listener.concurrency ?? post.concurrency;
    post.capacity = listener.capacity ?? post.capacity;
    post.timeout = listener.timeout ?? post.timeout;
    return post;
  };

  return {
    find,
    open,
    /** True when that was the last listener of the agent. */
    close: (post: Post, listener: Listener): boolean => {
      post.listeners = post.listeners.filter((other) => other !== listener);
      if (post.listeners.length > 0) return false;
      posts.delete(post.key);
      if (post.session !== undefined) {
        const left = scoped.get(post.agent)! - 1;
        if (left === 0) scoped.delete(post.agent);
        else scoped.set(post.agent, left);
      }
      return true;
    },
    all: (): Post[] => [...posts.values()],
    inSession: (session: string): Post[] =>
      [...posts.values()].filter((post) => post.session === undefined || post.session === session),
    listens: (agent: string, session: string): 'here' | 'elsewhere' | 'nowhere' =>
      find(agent, session) ? 'here' : scoped.has(agent) ? 'elsewhere' : 'nowhere',
    listenerFor: (post: Post, type: MessageType): Listener | undefined =>
      post.listeners.find(({ types }) => !types || types.includes(type)),
  };
}

export type Posts = ReturnType<typeof createPosts>;

/** How an agent is doing, in one word and in figures. */
export function healthOf(post: Post, now: number, iso: (at: number) => string): AgentHealth {
  const breaker = post.breaker.worst(now);
  const queued = post.inbox.size();
  const late = [...post.flights].filter((flight) => now > flight.until - post.timeout / 2).length;
  const failing = post.lastFailure !== undefined && now - post.lastFailure < 30_000;
  const state =
    breaker === 'open'
      ? 'open'
      : late > 0 && late === post.flights.size && queued > 0
        ? 'stuck'
        : breaker === 'half_open' || failing || late > 0
          ? 'degraded'
          : queued + post.flights.size + post.done === 0
            ? 'idle'
            : 'healthy';
  return {
    agent: post.agent,
    session: post.session,
    state,
    breaker,
    queued,
    in_flight: post.flights.size,
    done: post.done,
    failed: post.failed,
    last_success_at: post.lastSuccess === undefined ? undefined : iso(post.lastSuccess),
    last_failure_at: post.lastFailure === undefined ? undefined : iso(post.lastFailure),
    last_error: post.lastError,
    p50_ms: post.latency.quantile(0.5),
    p99_ms: post.latency.quantile(0.99),
  };
}
