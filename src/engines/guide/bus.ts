import { isoTime } from '../../base/clock.ts';
import { newOwner } from '../../base/durable/index.ts';
import { reportOf, SylkError } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import {
  expiryOf,
  type Message,
  type Messages,
  type NewMessage,
  typeRow,
} from '../../stores/messages/index.ts';
import type { BusContext, Waiter } from './context.ts';
import { type BusTime, type Listener, type Receipt, systemTime } from './contract.ts';
import { createDelivery } from './delivery.ts';
import { letGo, recover, sessionChanged, takeUp } from './durability.ts';
import { type BusLimits, busLimits, createHeld } from './held.ts';
import { createMailboxes, healthOf, type Mailbox } from './mailboxes.ts';
import { inBackground, putAway, tellOf } from './outcomes.ts';
import { createMessageIds, newEnvelope, type Queued, replyTo, toQueued } from './queued.ts';
import { createSessionAccess, type SessionDirectory } from './session-access.ts';
import { createTrace } from './trace.ts';

export type Bus = ReturnType<typeof createBus>;

export interface BusOptions {
  messages: Messages;
  sessions: SessionDirectory;
  time?: BusTime;
  random?: () => number;
  limits?: Partial<BusLimits>;
  /** Default for an agent that sets none. */
  defaults?: { concurrency?: number; capacity?: number; timeout?: number };
  /** Listening alone takes nothing from the library: for a process that only observes. */
  onlyWhenAsked?: boolean;
}

const sweepMs = 250;
/** How long a message waits for an agent that does not run, unless it says so itself. */
const unattendedLifeMs = 7 * 86_400_000;
const beatMs = 5000;

export function createBus(options: BusOptions) {
  const { messages, sessions, time = systemTime } = options;
  const limits = { ...busLimits, ...options.limits };
  const newMessageId = createMessageIds();
  const mailboxes = createMailboxes({
    concurrency: 8,
    capacity: limits.perSession,
    timeout: 30_000,
    ...options.defaults,
  });
  const held = createHeld(limits);
  const timers = new Map<string, () => void>();
  let router: ((message: Message) => Promise<string>) | undefined;
  let isClosed = false;
  let whenIdle: Array<() => void> = [];
  let refilling: Promise<unknown> | undefined;
  let lastTimestamp = { at: Number.NaN, text: '' };

  const repeat = (name: string, milliseconds: number, work: () => boolean): void => {
    if (timers.has(name) || isClosed) return;
    const run = () => {
      timers.delete(name);
      if (!isClosed && work()) repeat(name, milliseconds, work);
    };
    timers.set(name, time.after(milliseconds, run));
  };

  const context: BusContext = {
    messages,
    owner: newOwner(),
    time,
    random: options.random ?? Math.random,
    timestamp: (at) => {
      if (at !== lastTimestamp.at) lastTimestamp = { at, text: isoTime(at) };
      return lastTimestamp.text;
    },
    mailboxes,
    access: createSessionAccess(sessions, { now: time.now, listens: mailboxes.listens }),
    held,
    trace: createTrace(),
    waiters: new Map<string, Waiter>(),
    resting: new Map(),
    enqueue: (item) => {
      const mailbox = mailboxes.find(item.target, item.message.session_id);
      if (!mailbox) return inBackground(context, putAway(context, [item]));
      mailbox.queue.push(item);
      delivery.wake(mailbox);
      repeat('sweep', sweepMs, () => {
        delivery.sweep();
        return held.items.size > 0;
      });
    },
    send: (message) => send(message),
    announce: once(async () => {
      await messages.outside(() => messages.beat(context.owner));
      repeat('beat', beatMs, () => {
        inBackground(
          context,
          messages.beat(context.owner).then(() => recover(context)),
        );
        return true;
      });
    }),
    refill: () => {
      refilling ??= recover(context).finally(() => {
        refilling = undefined;
      });
      inBackground(context, refilling);
    },
    settled: () => {
      if (whenIdle.length > 0 && isIdle()) for (const resolve of whenIdle.splice(0)) resolve();
    },
  };
  const { access, trace, waiters, owner } = context;
  const delivery = createDelivery(context);

  const isBlocked = ({ queue, breaker }: Mailbox): boolean =>
    queue.groups().every((session) => breaker.state(session, time.now()) === 'open');
  const isIdle = (): boolean =>
    mailboxes
      .all()
      .every((mailbox) => mailbox.attempts.size === 0 && (mailbox.queue.size() === 0 || isBlocked(mailbox)));

  const targetOf = (message: Message): string | Promise<string> => {
    if (message.target !== undefined) return message.target;
    const { to } = typeRow(message.type);
    if (to === 'sender')
      throw new SylkError('VALIDATION_ERROR', `${message.type} is a reply: its target is missing.`, {
        hint: 'Give the target, or reply by returning from the listener.',
      });
    if (to !== 'guide') return to;
    // When in doubt, the Librarian: searching is harmless.
    return router ? router(message) : 'librarian';
  };

  const requireTaker = (
    mailbox: Mailbox | undefined,
    { type, session_id }: Message,
    target: string,
  ): void => {
    const now = time.now();
    if (!mailbox)
      throw held.refuse(
        `No agent listens as ${target}: ${type} was not accepted.`,
        'It needs agents, which this installation does not run. Ask the Librarian, the Archivalist or the Academic.',
        { target },
      );
    if (mailbox.breaker.state(session_id, now) === 'open')
      throw held.refuse(
        `${target} keeps failing and is paused: ${type} was not accepted.`,
        `Try again in ${Math.ceil((mailbox.breaker.waitMs(now) ?? 0) / 1000)} s. Run \`sylk guide health\` for the reason.`,
        { target },
      );
  };

  const requireOwnCorrelation = ({ correlation_id, session_id }: Message): void => {
    const waiter = correlation_id === undefined ? undefined : waiters.get(correlation_id);
    if (waiter && waiter.session !== session_id)
      throw new SylkError('DENIED', 'The message replies to one of another session.', {
        hint: 'Reply in the session that asked.',
      });
  };

  const send = async (input: NewMessage): Promise<Receipt> => {
    if (isClosed) throw held.refuse('The bus is closed.', 'Start Sylk again and resend the message.');
    const now = time.now();
    const message = newEnvelope(input, newMessageId(now), context.timestamp(now));
    const { session_id, id } = message;
    const routed = targetOf(message);
    const target = typeof routed === 'string' ? routed : await routed;
    message.target = target;
    const verifying = access.verify(message, target);
    if (verifying) await verifying;
    requireOwnCorrelation(message);
    const mailbox = mailboxes.find(target, session_id);
    if (!mailbox && expiryOf(message) === undefined) message.ttl = unattendedLifeMs;
    const item = toQueued(message, target, { now, steady: time.steady(), mostBytes: limits.message });
    const receipt = (status: Receipt['status']): Receipt => ({
      id,
      status,
      target,
      durable: item.durable,
      expires_at: mailbox ? undefined : isoTime(item.expires),
    });
    const earlier = held.items.get(id);
    if (earlier) return receipt(earlier.message.status);
    held.requireRoom(session_id, item.size);
    if (!item.durable) requireTaker(mailbox, message, target);
    const waiting = mailbox?.queue.sizeOf(session_id) ?? 0;
    if (mailbox && waiting >= mailbox.capacity)
      throw held.full(`The queue of ${mailbox.key} is full`, { target, waiting });
    held.add(item);
    if (item.durable) {
      const status = await commit(item, mailbox !== undefined);
      if (status !== undefined) return receipt(status);
    }
    if (mailboxes.find(target, session_id)) {
      held.sums.accepted++;
      context.enqueue(item);
    } else held.remove(item);
    sendCopy(message, target);
    return receipt('queued');
  };

  /** Returns the state of a message that was sent before under the same id. */
  const commit = async (item: Queued, isTaken: boolean): Promise<Receipt['status'] | undefined> => {
    try {
      if (isTaken) await context.announce();
      const status = await messages.accept(item.message, isTaken ? owner : '');
      if (status !== undefined) held.remove(item);
      return status;
    } catch (error) {
      held.remove(item);
      throw error;
    }
  };

  const sendCopy = (message: Message, target: string): void => {
    const { copy } = typeRow(message.type);
    if (copy === undefined || copy === target || message.metadata?.['copy_of'] !== undefined) return;
    const { id, timestamp, status, attempt, error, processed_at, ...rest } = message;
    const metadata = { ...message.metadata, copy_of: id };
    send({ ...rest, parent_id: id, target: copy, metadata }).catch(() => held.drop(`copy for ${copy}`));
  };

  const request = async (input: NewMessage): Promise<Message> => {
    const id = input.id ?? newMessageId(time.now());
    const waiting = new Promise<Parameters<Waiter['resolve']>[0]>((resolve, reject) => {
      waiters.set(id, { session: input.session_id ?? '', resolve, reject });
    });
    // A refusal comes from `send`; nobody waits for this one then.
    waiting.catch(() => {});
    try {
      const { durable, status, target } = await send({ ...input, id });
      const earlier = durable && status === 'done' ? await messages.find(id) : undefined;
      const { message, reply } = earlier ?? (await waiting);
      const now = time.now();
      const at = context.timestamp(now);
      const answer = replyTo(message, target, reply) as Message;
      return {
        ...answer,
        id: newMessageId(now),
        timestamp: at,
        status: 'done',
        attempt: 1,
        processed_at: at,
      };
    } finally {
      waiters.delete(id);
    }
  };

  /** Sends and returns what became of it when this process has done what it can: the reply, the error, or neither yet. */
  const exchange = async (input: NewMessage): Promise<Receipt & { reply?: unknown; error?: string }> => {
    const id = input.id ?? newMessageId(time.now());
    let outcome: { status?: Receipt['status']; reply?: unknown; error?: string } = {};
    waiters.set(id, {
      session: input.session_id ?? '',
      resolve: ({ reply }) => {
        outcome = { status: 'done', reply };
      },
      reject: (error) => {
        outcome = { status: 'failed', error: reportOf(error).message };
      },
    });
    try {
      const receipt = await send({ ...input, id });
      await messages.outside(() => recover(context));
      await idle();
      // The agent has finished, and the outcome is being stored.
      while (['delivered', 'processing'].includes(held.items.get(id)?.message.status ?? ''))
        await new Promise<void>((resolve) => whenIdle.push(resolve));
      return { ...receipt, ...outcome };
    } finally {
      waiters.delete(id);
    }
  };

  const idle = (): Promise<void> =>
    isIdle() ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve));

  const stopListening = (mailbox: Mailbox): void => {
    for (const item of mailbox.queue.withdraw(() => true)) {
      if (item.durable) inBackground(context, putAway(context, [item]));
      else {
        held.drop('agent left');
        held.remove(item);
      }
    }
  };

  return {
    /** Accepts a message or refuses it with a reason; a durable one is committed when this returns. */
    send,
    /** Tells whoever listens here of something that has happened, and the trace. Nothing is stored, and nothing refused. */
    tell: (input: NewMessage): void => {
      if (isClosed) return;
      const now = time.now();
      const message = newEnvelope(input, newMessageId(now), context.timestamp(now));
      const target = message.target ?? typeRow(message.type).to;
      message.target = target;
      const size = { now, steady: time.steady(), mostBytes: Number.POSITIVE_INFINITY };
      tellOf(context, { ...toQueued(message, target, size), durable: false });
    },
    exchange,
    /** Sends and waits for the reply; fails when the message dies or times out. */
    request,
    listen: (listener: Listener): (() => void) => {
      const mailbox = mailboxes.open(listener);
      if (!options.onlyWhenAsked)
        inBackground(
          context,
          messages.outside(() => recover(context)),
        );
      return () => {
        if (mailboxes.close(mailbox, listener)) stopListening(mailbox);
      };
    },
    /** One copy for each of these agents, or for every listening agent of the session except the sender. */
    broadcast: async (input: NewMessage, targets?: string[]) => {
      const { id: parent_id = newMessageId(time.now()), ...rest } = input;
      const listening = () => mailboxes.inSession(input.session_id ?? '').map(({ agent }) => agent);
      const to =
        targets ?? [...new Set(listening())].filter((agent) => agent !== input.source && agent !== 'user');
      const items: Receipt[] = [];
      const problems: Array<{ target: string; message: string }> = [];
      await Promise.all(
        to.map((target) =>
          send({ ...rest, target, parent_id }).then(
            (receipt) => items.push(receipt),
            (error) => problems.push({ target, message: reportOf(error).message }),
          ),
        ),
      );
      return { items, problems };
    },
    /** Chooses the target of a message without one whose type says `guide`. */
    routeBy: (choose: (message: Message) => Promise<string>) => {
      router = choose;
    },
    /** A session changed its state: its waiting messages are stored, resumed or dropped accordingly. */
    sessionChanged: (session: string, state: string) =>
      messages.outside(() => sessionChanged(context, session, state)),
    /** Takes over messages of dead processes, for the agents that listen here. */
    recover: () => messages.outside(() => recover(context)),
    /** A stored message with its reply. */
    find: messages.find,
    deadLetters: messages.dead,
    /** What the library holds, by agent and state. */
    stored: async () =>
      (await messages.counts()).map((row) => ({ ...row, oldest_at: isoTime(row.oldest_at) })),
    /** Throws if a message belongs to another session than the visible one. */
    requireVisible: async (id: string, session: string | undefined): Promise<void> => {
      if (session === undefined || (await messages.find(id))?.message.session_id === session) return;
      throw new SylkError('NOT_FOUND', `Unknown message ${JSON.stringify(id.slice(0, 80))}.`, {
        hint: 'Run `sylk guide dead-letters` to list what can be sent again.',
      });
    },
    /** Sends a dead message again under its own id, with its attempt counter reset. */
    replay: async (id: string): Promise<Receipt> => {
      const dead = await messages.find(id);
      const { target = '', session_id = '' } = dead?.message ?? {};
      if (dead?.message.status === 'dead') await access.verify(dead.message, target);
      const isHere = mailboxes.find(target, session_id) !== undefined;
      if (isHere) await context.announce();
      const message = await messages.revive(id, isHere ? owner : '');
      held.sums.accepted++;
      if (isHere) takeUp(context, message, 0);
      return { id, status: 'queued', target, durable: true };
    },
    health: () => mailboxes.all().map((mailbox) => healthOf(mailbox, time.now())),
    statistics: () => held.statistics(delivery.inFlight()),
    watch: trace.watch,
    /** Resolves when no message waits that an agent of this process could take now. */
    idle,
    close: async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      for (const cancel of timers.values()) cancel();
      for (const { attempts } of mailboxes.all()) for (const { controller } of attempts) controller?.abort();
      await letGo(context);
      whenIdle = [];
      for (const waiter of waiters.values())
        waiter.reject(new SylkError('CANCELLED', 'The bus was closed before the reply came.'));
      waiters.clear();
    },
  };
}
