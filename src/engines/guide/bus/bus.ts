import { isoTime } from '../../../base/clock.ts';
import { SylkError } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { once } from '../../../base/once.ts';
import { type Message, type Messages, type NewMessage, typeRow } from '../../../stores/messages/index.ts';
import { type BusTime, systemTime } from './bus-time.ts';
import type { Bus, Listener, Receipt } from './contract.ts';
import { createCustody } from './custody.ts';
import { createDispatch } from './dispatch.ts';
import { envelopeOf, parcelOf, replyTo } from './envelope.ts';
import { type BusLimits, busLimits, createLedger } from './ledger.ts';
import { createMembership, type SessionDirectory } from './membership.ts';
import { createMessageIds, createMoments } from './message-marks.ts';
import { type Answered, createOutcomes } from './outcomes.ts';
import type { Parcel } from './parcel.ts';
import { createPosts, healthOf, type Post } from './posts.ts';
import { createTopics } from './topics.ts';
import { createTrace } from './trace.ts';

export interface BusOptions {
  messages: Messages;
  sessions: SessionDirectory;
  time?: BusTime;
  random?: () => number;
  limits?: Partial<BusLimits>;
  /** Of an agent that says nothing else. */
  defaults?: { concurrency?: number; capacity?: number; timeout?: number };
  /** Hops that are kept. */
  trace?: number;
  /** Listening alone takes nothing from the library: for a process that may only want to look. */
  onlyWhenAsked?: boolean;
}

const sweepEvery = 250;
const aliveEvery = 5000;

export function createBus(options: BusOptions): Bus {
  const { messages, sessions } = options;
  const time = options.time ?? systemTime;
  const limits = { ...busLimits, ...options.limits };
  const owner = newId('bus', time.now());
  const newMessageId = createMessageIds();
  const moment = createMoments();
  const posts = createPosts({
    concurrency: 8,
    capacity: limits.perSession,
    timeout: 30_000,
    ...options.defaults,
  });
  const ledger = createLedger(limits);
  const trace = createTrace(options.trace ?? 2000);
  const topics = createTopics((name) => ledger.drop(`slow subscriber ${name}`));
  const membership = createMembership(sessions, { now: time.now, listens: posts.listens });
  let router: ((message: Message) => Promise<string>) | undefined;
  let closed = false;
  const timers = new Map<string, () => void>();
  let quiet: Array<() => void> = [];

  const every = (name: string, milliseconds: number, work: () => boolean): void => {
    if (timers.has(name) || closed) return;
    timers.set(
      name,
      time.after(milliseconds, () => {
        timers.delete(name);
        if (!closed && work()) every(name, milliseconds, work);
      }),
    );
  };

  const enqueue = (parcel: Parcel): void => {
    const post = posts.find(parcel.target, parcel.message.session_id);
    if (!post) {
      void custody.park([parcel]).catch(() => ledger.drop('outcome not kept'));
      return;
    }
    post.inbox.push(parcel);
    dispatch.wake(post);
    every('sweep', sweepEvery, () => {
      dispatch.sweep();
      return ledger.held.size > 0;
    });
  };

  function ended(): void {
    if (quiet.length > 0 && isQuiet()) for (const tell of quiet.splice(0)) tell();
  }

  const outcomes = createOutcomes({
    messages,
    owner,
    time,
    ledger,
    trace,
    moment,
    random: options.random ?? Math.random,
    again: enqueue,
    answer: (message, reply) => {
      const waiter = outcomes.waiters.get(message.id);
      if (waiter) {
        outcomes.waiters.delete(message.id);
        waiter.resolve({ message, reply });
        return;
      }
      if (!typeRow(message.type).reply || posts.listens(message.source, message.session_id) !== 'here')
        return;
      const back = replyTo(message, message.target ?? '', reply);
      send(back).catch(() => ledger.drop('reply not taken'));
    },
    ended,
  });

  /** Others believe that this process lives while it says so; what a silent one had is taken over. */
  const heard = once(async () => {
    await messages.outside(() => messages.beat(owner));
    every('alive', aliveEvery, () => {
      void messages
        .beat(owner)
        .then(() => custody.recover())
        .catch(() => ledger.drop('not heard'));
      return true;
    });
  });
  const custody = createCustody({
    messages,
    owner,
    time,
    posts,
    ledger,
    membership,
    outcomes,
    enqueue,
    heard,
    ended,
  });
  let _refilling: Promise<unknown> | undefined;
  const dispatch = createDispatch({
    messages,
    owner,
    time,
    posts,
    membership,
    outcomes,
    ledger,
    park: custody.park,
    refill: () => {
      _refilling ??= custody.recover().finally(() => {
        _refilling = undefined;
      });
    },
  });

  const isQuiet = (): boolean =>
    posts.all().every((post) => post.flights.size === 0 && (post.inbox.size() === 0 || blocked(post)));
  const blocked = (post: Post): boolean =>
    post.inbox.sessions().every((session) => post.breaker.state(session, time.now()) === 'open');

  const targetOf = (message: Message): string | Promise<string> => {
    if (message.target !== undefined) return message.target;
    const { to } = typeRow(message.type);
    if (to === 'sender') {
      throw new SylkError('VALIDATION_ERROR', `${message.type} answers somebody: its target is missing.`, {
        hint: 'Give the target, or answer by returning from the listener.',
      });
    }
    if (to !== 'guide') return to;
    // Whoever is not sure asks the Librarian: searching does no harm.
    return router ? router(message) : 'librarian';
  };

  const refuse = (target: string, why: string, hint: string): SylkError => {
    ledger.sums.refused++;
    return new SylkError('UNAVAILABLE', why, { hint, data: { target } });
  };

  const send = async (given: NewMessage): Promise<Receipt> => {
    if (closed) throw refuse('', 'The bus is closed.', 'Start Sylk again and send the message once more.');
    const now = time.now();
    const message = envelopeOf(given, newMessageId(now), moment(now));
    const named = targetOf(message);
    const target = typeof named === 'string' ? named : await named;
    message.target = target;
    const verifying = membership.verify(message, target);
    if (verifying) await verifying;
    checkCorrelation(message);
    const { session_id } = message;
    const parcel = parcelOf(message, target, { now, steady: time.steady(), most: limits.message });
    const receipt = (status: Receipt['status']): Receipt => {
      return { id: message.id, status, target, durable: parcel.durable };
    };
    const known = ledger.held.get(message.id);
    if (known) return receipt(known.message.status);
    ledger.requireRoom(session_id, parcel.size);
    const post = posts.find(target, session_id);
    if (!parcel.durable) requireTaker(post, message, target, now);
    if (post && post.inbox.sizeOf(session_id) >= post.capacity)
      throw ledger.full(`The queue of ${post.key} is full`, {
        target,
        waiting: post.inbox.sizeOf(session_id),
      });
    ledger.hold(parcel);
    if (parcel.durable) {
      const before = await commit(parcel, post);
      if (before !== undefined) return receipt(before);
    }
    if (posts.find(target, session_id)) {
      ledger.accepted(parcel);
      enqueue(parcel);
    } else ledger.free(parcel);
    topics.tell(message, target);
    const { copy } = typeRow(message.type);
    if (copy !== undefined && copy !== target && message.metadata?.['copy_of'] === undefined)
      copyTo(message, copy);
    return receipt('queued');
  };

  /** Answers the state of a message that was sent before under the same id. */
  const commit = async (parcel: Parcel, post: Post | undefined) => {
    try {
      if (post) await heard();
      const { known } = await messages.accept(parcel.message, post ? owner : '');
      if (known !== undefined) ledger.free(parcel);
      return known;
    } catch (error) {
      ledger.free(parcel);
      throw error;
    }
  };

  const requireTaker = (post: Post | undefined, message: Message, target: string, now: number): void => {
    if (!post)
      throw refuse(
        target,
        `Nobody listens as ${target}: ${message.type} was not taken.`,
        'It needs agents, which this installation does not run; ask the Librarian, the Archivalist or the Academic.',
      );
    if (post.breaker.state(message.session_id, now) === 'open')
      throw refuse(
        target,
        `${target} keeps failing and is left alone for a while: ${message.type} was not taken.`,
        `Try again in ${Math.ceil((post.breaker.rests(now) ?? 0) / 1000)} s; \`sylk guide health\` tells why.`,
      );
  };

  const checkCorrelation = (message: Message): void => {
    const asked =
      message.correlation_id === undefined ? undefined : outcomes.waiters.get(message.correlation_id);
    if (asked && asked.session !== message.session_id)
      throw new SylkError('DENIED', 'The message answers one of another session.', {
        hint: 'Answer in the session that asked.',
      });
  };

  const copyTo = (message: Message, copy: string): void => {
    const { id, timestamp, status, attempt, error, processed_at, ...rest } = message;
    send({
      ...rest,
      parent_id: id,
      target: copy,
      metadata: { ...message.metadata, copy_of: id },
    }).catch(() => ledger.drop(`copy for ${copy}`));
  };

  const request = async (given: NewMessage): Promise<Message> => {
    const id = given.id ?? newMessageId(time.now());
    const answered = new Promise<Answered>((resolve, reject) => {
      outcomes.waiters.set(id, { session: given.session_id ?? '', resolve, reject });
    });
    // A refusal is told by `send`; nobody else may see it as unheard.
    answered.catch(() => {});
    try {
      const { durable, status, target } = await send({ ...given, id });
      const kept = durable && status === 'done' ? await messages.find(id) : undefined;
      const { message, reply } = kept ?? (await answered);
      const now = time.now();
      const at = moment(now);
      return {
        ...(replyTo(message, target, reply) as Message),
        id: newMessageId(now),
        timestamp: at,
        status: 'done',
        attempt: 1,
        processed_at: at,
      };
    } finally {
      outcomes.waiters.delete(id);
    }
  };

  const listen = (listener: Listener): (() => void) => {
    const post = posts.open(listener);
    if (!options.onlyWhenAsked)
      void messages.outside(() => custody.recover()).catch(() => ledger.drop('not heard'));
    return () => {
      if (!posts.close(post, listener)) return;
      for (const parcel of post.inbox.withdraw(() => true)) {
        if (parcel.durable) void custody.park([parcel]).catch(() => ledger.drop('outcome not kept'));
        else {
          ledger.drop('agent left');
          ledger.free(parcel);
        }
      }
    };
  };

  return {
    send,
    request,
    listen,
    broadcast: async (given, targets) => {
      const session = given.session_id ?? '';
      const to = targets ?? [
        ...new Set(
          posts
            .inSession(session)
            .map((post) => post.agent)
            .filter((agent) => agent !== given.source && agent !== 'user'),
        ),
      ];
      const parent = given.id ?? newMessageId(time.now());
      const { id: _id, ...rest } = given;
      const sent = await Promise.allSettled(to.map((target) => send({ ...rest, target, parent_id: parent })));
      return {
        items: sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
        problems: sent.flatMap((one, at) =>
          one.status === 'rejected' ? [{ target: to[at]!, message: (one.reason as Error).message }] : [],
        ),
      };
    },
    subscribe: topics.subscribe,
    publish: async (topic, given) => {
      const now = time.now();
      const message = envelopeOf(given, newMessageId(now), moment(now));
      await membership.verify(message, message.target ?? message.source);
      return topics.offer(topic, message);
    },
    routeBy: (given) => {
      router = given;
    },
    sessionChanged: (session, state) => messages.outside(() => custody.sessionChanged(session, state)),
    pendingOf: custody.pendingOf,
    restore: custody.restore,
    recover: () => messages.outside(() => custody.recover()),
    deadLetters: (filter) => messages.dead(filter),
    kept: async () => (await messages.counts()).map((row) => ({ ...row, oldest_at: isoTime(row.oldest_at) })),
    requireVisible: async (id, session) => {
      if (session === undefined || (await messages.find(id))?.message.session_id === session) return;
      throw new SylkError('NOT_FOUND', `There is no message ${JSON.stringify(id.slice(0, 80))} for you.`, {
        hint: '`sylk guide dead-letters` lists what can be sent again.',
      });
    },
    replay: async (id) => {
      const found = await messages.find(id);
      if (found?.message.status === 'dead') {
        const verifying = membership.verify(found.message, found.message.target ?? '');
        if (verifying) await verifying;
      }
      const { target = '', session_id } = found?.message ?? { session_id: '' };
      const here = posts.find(target, session_id) !== undefined;
      const revived = await messages.revive(id, here ? owner : '');
      ledger.sums.accepted++;
      if (here) custody.take(revived, 0);
      return { id, status: 'queued', target, durable: true };
    },
    health: () => posts.all().map((post) => healthOf(post, time.now(), isoTime)),
    statistics: () => ledger.statistics(dispatch.inFlight()),
    hops: trace.hops,
    watch: trace.watch,
    idle: () => (isQuiet() ? Promise.resolve() : new Promise((resolve) => quiet.push(resolve))),
    close: async () => {
      if (closed) return;
      closed = true;
      for (const cancel of timers.values()) cancel();
      outcomes.wakeEarly(() => true);
      for (const post of posts.all()) for (const flight of post.flights) flight.controller?.abort();
      await custody.letGo();
      quiet = [];
      for (const [, waiter] of outcomes.waiters)
        waiter.reject(new SylkError('CANCELLED', 'The bus was closed before the answer came.'));
      outcomes.waiters.clear();
    },
  };
}
