import { backoff } from '../../base/backoff.ts';
import { reportOf, SylkError } from '../../base/errors.ts';
import { type Message, type MessageStatus, typeRow } from '../../stores/messages/index.ts';
import type { BusContext } from './context.ts';
import { type Queued, replyTo } from './queued.ts';

// Every message ends once: done, dead or expired. Until then it is retried or stored for later.

const defaultAttempts = 3;
const firstRetryMs = 500;

const messageFaults = new Set([
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'DENIED',
  'INVARIANT_VIOLATION',
  'INVALID_OPERATION',
]);

/** The message is at fault, not the agent: a retry would not help. */
export const isMessageFault = (thrown: unknown): boolean => messageFaults.has(reportOf(thrown).code);

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;

function recordHop(
  { time, trace, timestamp }: BusContext,
  item: Queued,
  status: MessageStatus,
  ran: number,
): void {
  const { message, tier, cost } = item;
  trace.record({
    at: timestamp(time.now()),
    message_id: message.id,
    correlation_id: message.correlation_id,
    session_id: message.session_id,
    type: message.type,
    source: message.source,
    target: item.target,
    priority: message.priority,
    status,
    attempt: message.attempt,
    waited_ms: microseconds(Math.max(0, time.steady() - item.since - ran)),
    ran_ms: microseconds(ran),
    tier,
    cost,
    error: message.error,
  });
}

function end(
  context: BusContext,
  item: Queued,
  status: 'done' | 'dead' | 'expired',
  ran: number,
  error?: string,
): void {
  const { message } = item;
  message.status = status;
  message.processed_at = context.timestamp(context.time.now());
  if (error !== message.error) message.error = error;
  context.held.countEnd(item, status);
  context.held.remove(item);
  recordHop(context, item, status, ran);
  const waiter = status === 'done' ? undefined : context.waiters.get(message.id);
  waiter?.reject(unansweredError(item, status, error));
  context.settled();
}

/** Something that has happened: to whoever listens here and has room for it, and to the trace in any case. */
export function tellOf(context: BusContext, item: Queued): void {
  const { message, target } = item;
  const mailbox = context.mailboxes.find(target, message.session_id);
  if (mailbox && mailbox.queue.sizeOf(message.session_id) < mailbox.capacity) {
    context.held.add(item);
    context.held.sums.accepted++;
    context.enqueue(item);
  } else recordHop(context, item, 'done', 0);
}

function unansweredError({ message, target }: Queued, status: string, error: string | undefined): SylkError {
  const data = { message_id: message.id, attempts: message.attempt };
  return status === 'expired'
    ? new SylkError('TIMEOUT', `${target} did not answer ${message.type} in time.`, {
        hint: 'Allow more time, or run `sylk guide health`.',
        data,
      })
    : new SylkError('UNAVAILABLE', `${target} could not answer ${message.type}: ${error ?? 'it failed'}`, {
        hint: 'Run `sylk guide dead-letters` to see the message, or `sylk guide replay` to resend it.',
        data,
      });
}

/** Passes the reply to the waiting sender, or sends it to the agent that asked. */
function answer({ waiters, mailboxes, held, send }: BusContext, message: Message, reply: unknown): void {
  const waiter = waiters.get(message.id);
  if (waiter) {
    waiter.resolve({ message, reply });
    return;
  }
  if (!typeRow(message.type).reply || mailboxes.listens(message.source, message.session_id) !== 'here')
    return;
  send(replyTo(message, message.target ?? '', reply)).catch(() => held.drop('reply not accepted'));
}

/** Stores an outcome. False if it is not ours: the message was done before, or another process owns it. */
async function store(
  context: BusContext,
  item: Queued,
  outcome: { status: MessageStatus; error?: string; reply?: unknown; notBefore?: number },
  ran: number,
): Promise<boolean> {
  const { messages, owner, held } = context;
  if (!item.durable || (await messages.settle(item.message.id, owner, outcome))) return true;
  const stored = await messages.find(item.message.id);
  if (stored?.message.status === 'done') {
    end(context, item, 'done', ran);
    answer(context, item.message, stored.reply);
  } else {
    held.remove(item);
    held.drop('taken over');
    context.settled();
  }
  return false;
}

/** `isStored`: the agent's transaction has marked it as done. */
export async function complete(
  context: BusContext,
  item: Queued,
  { reply, ran, isStored }: { reply: unknown; ran: number; isStored: boolean },
): Promise<void> {
  if (!isStored && !(await store(context, item, { status: 'done', reply }, ran))) return;
  end(context, item, 'done', ran);
  answer(context, item.message, reply);
}

/** `isUnclear`: it may have acted before the timeout, so that only fenced effects may be retried. */
export async function fail(
  context: BusContext,
  item: Queued,
  { thrown, ran, isUnclear }: { thrown: unknown; ran: number; isUnclear: boolean },
): Promise<void> {
  const { time, held } = context;
  const { message } = item;
  const report = reportOf(thrown);
  const error = `${report.code}: ${report.message}`;
  if (
    message.attempt >= (message.max_attempts ?? defaultAttempts) ||
    isMessageFault(thrown) ||
    (isUnclear && !item.durable)
  )
    return die(context, item, error, ran);
  const wait = backoff(message.attempt, { first: firstRetryMs }, context.random);
  const notBefore = time.now() + wait;
  if (notBefore >= item.expires) return expire(context, item, error, ran);
  if (!(await store(context, item, { status: 'failed', error, notBefore }, ran))) return;
  message.status = 'failed';
  message.error = error;
  held.sums.retried++;
  recordHop(context, item, 'failed', ran);
  rest(context, item, wait);
  context.settled();
}

async function die(context: BusContext, item: Queued, error: string, ran: number): Promise<void> {
  const { messages, time, timestamp } = context;
  if (item.durable) {
    if (!(await store(context, item, { status: 'dead', error }, ran))) return;
  } else {
    const processed_at = timestamp(time.now());
    await messages.bury({ ...item.message, target: item.target, status: 'dead', error, processed_at });
  }
  end(context, item, 'dead', ran, error);
}

export async function expire(context: BusContext, item: Queued, error = 'timed out', ran = 0): Promise<void> {
  if (await store(context, item, { status: 'expired', error }, ran))
    end(context, item, 'expired', ran, error);
}

/** Queues it again after `wait` milliseconds. */
export function rest({ time, resting, enqueue }: BusContext, item: Queued, wait: number): void {
  const { id } = item.message;
  const cancel = time.after(wait, () => {
    resting.delete(id);
    item.message.status = 'queued';
    enqueue(item);
  });
  resting.set(id, { item, cancel });
}

export const endedText = (session: string, state = 'removed'): string =>
  `session ${session} has ended (${state})`;

/** Durable from now on, though its type may be lost. */
export async function makeDurable({ messages, owner }: BusContext, item: Queued): Promise<void> {
  if (item.durable) return;
  item.durable = true;
  await messages.accept({ ...item.message, target: item.target, status: 'queued' }, owner);
}

/** Stores an undeliverable message for a later listener; one that never can be delivered expires. */
export async function putAway(context: BusContext, items: Queued[]): Promise<void> {
  const { messages, owner, access, held } = context;
  for (const item of items) {
    const { id, session_id } = item.message;
    if ((await access.takes(item.message)) === 'never') {
      await expire(context, item, endedText(session_id, (await access.look(session_id))?.state));
      continue;
    }
    await makeDurable(context, item);
    await messages.settle(id, owner, { status: 'queued', release: true });
    held.remove(item);
  }
  context.settled();
}

/** For unawaited work: a failure is counted. The library still has the message. */
export function inBackground({ held }: BusContext, work: Promise<unknown>): void {
  work.catch(() => held.drop('outcome not stored'));
}
