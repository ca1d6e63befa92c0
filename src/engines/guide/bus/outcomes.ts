import { reportOf, SylkError } from '../../../base/errors.ts';
import type { Message, MessageStatus, Messages } from '../../../stores/messages/index.ts';
import type { BusTime } from './bus-time.ts';
import type { Hop } from './contract.ts';
import type { Ledger } from './ledger.ts';
import type { Parcel } from './parcel.ts';
import { retryDelay, retryLimits } from './retry.ts';
import type { Trace } from './trace.ts';

export interface Answered {
  message: Message;
  reply: unknown;
}

export interface Waiter {
  session: string;
  resolve(answered: Answered): void;
  reject(error: SylkError): void;
}

export interface OutcomeParts {
  messages: Messages;
  owner: string;
  time: BusTime;
  random: () => number;
  moment: (at: number) => string;
  ledger: Ledger;
  trace: Trace;
  /** Puts a message that has rested back into its queue. */
  again(parcel: Parcel): void;
  /** Tells whoever asked, and whoever is addressed by the answer. */
  answer(message: Message, reply: unknown): void;
  /** Something ended: whoever waits for quiet may look again. */
  ended(): void;
}

const hopeless = new Set([
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'DENIED',
  'INVARIANT_VIOLATION',
  'INVALID_OPERATION',
]);

/** The fault of the message rather than of the agent: trying again would not help, and the agent is well. */
export const isHopeless = (thrown: unknown): boolean => hopeless.has(reportOf(thrown).code);

/** What becomes of a message: done, tried again, dead, over its time, or kept for later. Each ends in exactly one. */
export function createOutcomes(parts: OutcomeParts) {
  const { messages, owner, time, random, ledger, trace, moment } = parts;
  const resting = new Map<string, { parcel: Parcel; cancel: () => void }>();
  const waiters = new Map<string, Waiter>();

  const hop = (parcel: Parcel, status: MessageStatus, ran = 0, error?: string): void => {
    const { message } = parcel;
    const waited = Math.max(0, time.steady() - parcel.since - ran);
    if (ran > 0 || status === 'done') ledger.waited(waited);
    const told: Omit<Hop, 'seq'> = {
      at: moment(time.now()),
      message_id: message.id,
      session_id: message.session_id,
      type: message.type,
      source: message.source,
      target: parcel.target,
      priority: message.priority,
      status,
      attempt: message.attempt,
      waited_ms: Math.round(waited * 1000) / 1000,
      ran_ms: Math.round(ran * 1000) / 1000,
    };
    if (message.correlation_id !== undefined) told.correlation_id = message.correlation_id;
    if (parcel.tier !== undefined) told.tier = parcel.tier;
    if (parcel.cost !== undefined) told.cost = parcel.cost;
    if (error !== undefined) told.error = error;
    trace.record(told);
  };

  const end = (parcel: Parcel, status: 'done' | 'dead' | 'expired', ran: number, error?: string): void => {
    const { message } = parcel;
    message.status = status;
    message.processed_at = moment(time.now());
    if (error !== undefined) message.error = error;
    ledger.sums[status]++;
    ledger.noted(parcel);
    ledger.free(parcel);
    hop(parcel, status, ran, error);
    const waiter = waiters.get(message.id);
    if (waiter && status !== 'done') {
      waiters.delete(message.id);
      waiter.reject(
        new SylkError(
          status === 'expired' ? 'TIMEOUT' : 'UNAVAILABLE',
          status === 'expired'
            ? `${parcel.target} did not answer ${message.type} in time.`
            : `${parcel.target} could not answer ${message.type}: ${error ?? 'it failed'}`,
          {
            hint:
              status === 'expired'
                ? 'Give it more time, or see `sylk guide health`.'
                : '`sylk guide dead-letters` shows the message; `sylk guide replay` sends it again.',
            data: { message_id: message.id, attempts: message.attempt },
          },
        ),
      );
    }
    parts.ended();
  };

  const done = async (parcel: Parcel, reply: unknown, ran: number, acted: boolean): Promise<void> => {
    if (parcel.durable && !acted) {
      const kept = await messages.settle(parcel.message.id, owner, { status: 'done', reply });
      if (!kept && !(await isDone(parcel))) return lost(parcel);
    }
    end(parcel, 'done', ran);
    parts.answer(parcel.message, reply);
  };

  const isDone = async (parcel: Parcel): Promise<boolean> =>
    (await messages.find(parcel.message.id))?.message.status === 'done';

  /** Somebody else has it by now, and answers for it. */
  const lost = (parcel: Parcel): void => {
    ledger.free(parcel);
    ledger.drop('taken over');
    parts.ended();
  };

  const die = async (parcel: Parcel, error: string, ran: number): Promise<void> => {
    const { message } = parcel;
    if (parcel.durable) {
      const kept = await messages.settle(message.id, owner, { status: 'dead', error });
      if (!kept) return (await isDone(parcel)) ? end(parcel, 'done', ran) : lost(parcel);
    } else {
      await messages.bury({
        ...message,
        target: parcel.target,
        status: 'dead',
        error,
        processed_at: moment(time.now()),
      });
    }
    end(parcel, 'dead', ran, error);
  };

  /** `unclear`: it may have acted before its time was over, so that only what is fenced may be tried again. */
  const failed = async (parcel: Parcel, thrown: unknown, ran: number, unclear = false): Promise<void> => {
    const { message } = parcel;
    const report = reportOf(thrown);
    const error = `${report.code}: ${report.message}`;
    const most = message.max_attempts ?? retryLimits.attempts;
    if (message.attempt >= most || isHopeless(thrown) || (unclear && !parcel.durable))
      return die(parcel, error, ran);
    const delay = retryDelay(message.attempt, random);
    if (time.now() + delay >= parcel.expires) return expire(parcel, ran, error);
    message.status = 'failed';
    message.error = error;
    if (parcel.durable) {
      const kept = await messages.settle(message.id, owner, {
        status: 'failed',
        error,
        notBefore: time.now() + delay,
      });
      if (!kept) return (await isDone(parcel)) ? end(parcel, 'done', ran) : lost(parcel);
    }
    ledger.sums.retried++;
    hop(parcel, 'failed', ran, error);
    rest(parcel, delay);
    parts.ended();
  };

  const rest = (parcel: Parcel, delay: number): void => {
    const cancel = time.after(delay, () => {
      resting.delete(parcel.message.id);
      parcel.message.status = 'queued';
      parts.again(parcel);
    });
    resting.set(parcel.message.id, { parcel, cancel });
  };

  const expire = async (parcel: Parcel, ran = 0, error = 'its time was over'): Promise<void> => {
    if (parcel.durable) {
      const kept = await messages.settle(parcel.message.id, owner, { status: 'expired', error });
      if (!kept) return (await isDone(parcel)) ? end(parcel, 'done', ran) : lost(parcel);
    }
    end(parcel, 'expired', ran, error);
  };

  return {
    done,
    failed,
    expire,
    rest,
    lost,
    waiters,
    /** What rests before another attempt and is asked for, taken out. */
    wakeEarly: (wanted: (parcel: Parcel) => boolean): Parcel[] => {
      const taken = [...resting.values()].filter(({ parcel }) => wanted(parcel));
      for (const { parcel, cancel } of taken) {
        cancel();
        resting.delete(parcel.message.id);
      }
      return taken.map(({ parcel }) => parcel);
    },
  };
}

export type Outcomes = ReturnType<typeof createOutcomes>;
