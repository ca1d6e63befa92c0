import { z } from 'zod';
import type { Message, MessageStatus, MessageType, Priority } from '../../stores/messages/index.ts';

/** The clock of the bus: an argument, so that a test can move it. */
export interface BusTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only grow, for durations. */
  steady(): number;
  /** Runs `work` later; the returned function cancels it. */
  after(milliseconds: number, work: () => void): () => void;
}

export const systemTime: BusTime = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** What an agent gets with a message. */
export interface Delivery {
  /** Aborts when the message times out; what the agent does afterwards is ignored. */
  readonly signal: AbortSignal;
  /**
   * Does `work` at most once for this message: for a durable one in the transaction that marks it as done, so that a
   * crash leaves both or neither. A second delivery returns the first result and does nothing.
   */
  act<T>(work: () => Promise<T>): Promise<T>;
  /** For the trace: the level that answered, and its cost. */
  note(facts: { tier?: string; cost?: number }): void;
}

/** Returns the payload of the reply; `undefined` for none. */
export type Respond = (message: Message, delivery: Delivery) => Promise<unknown>;

export interface Listener {
  /** `librarian`, or `engineer:2` for one of several. */
  agent: string;
  /** Belongs to this session only; otherwise the agent is shared by all. */
  session?: string;
  /** Only these types; an agent may consist of several listeners. All when omitted. */
  types?: MessageType[];
  respond: Respond;
  /** Messages at once, over all sessions (default 8). */
  concurrency?: number;
  /** Maximum queue length in one session (default of the bus). */
  capacity?: number;
  /** Milliseconds until one attempt counts as failed (default of the bus). */
  timeout?: number;
  /** Similar waiting requests of one session are answered by one call; replies in the same order. */
  batch?: {
    key(message: Message): string | undefined;
    limit: number;
    respond(messages: Message[], delivery: Delivery): Promise<unknown[]>;
  };
}

export interface Receipt {
  id: string;
  status: MessageStatus;
  target: string;
  /** Committed to the library before this receipt was given. */
  durable: boolean;
  /** Set where no agent listens here: it waits for one until then. */
  expires_at?: string;
}

/** One message on its way to one agent, recorded on each change of state. */
export interface Hop {
  at: string;
  message_id: string;
  correlation_id?: string | undefined;
  session_id: string;
  type: MessageType;
  source: string;
  target: string;
  priority: Priority;
  status: MessageStatus;
  attempt: number;
  /** Milliseconds from acceptance to the agent, and in the agent. */
  waited_ms: number;
  ran_ms: number;
  tier?: string | undefined;
  cost?: number | undefined;
  error?: string | undefined;
}

export interface HopFilter {
  session?: string | undefined;
  agent?: string | undefined;
  /** A message and its answers. */
  message?: string | undefined;
}

export const agentHealthSchema = z.object({
  agent: z.string(),
  session: z.string().optional(),
  state: z.enum(['healthy', 'idle', 'degraded', 'stuck', 'open']),
  breaker: z.enum(['closed', 'open', 'half_open']),
  queued: z.number(),
  in_flight: z.number(),
  done: z.number(),
  failed: z.number(),
  last_success_at: z.string().optional(),
  last_failure_at: z.string().optional(),
  last_error: z.string().optional(),
});

const counts = z.record(z.string(), z.number());
export const busStatisticsSchema = z.object({
  accepted: z.number(),
  done: z.number(),
  dead: z.number(),
  expired: z.number(),
  retried: z.number(),
  refused: z
    .number()
    .describe('a queue was full or an agent was unavailable: the sender was told, nothing is lost'),
  dropped: counts.describe('dropped after acceptance, by reason: only messages that may be lost'),
  batched: z.number(),
  waiting: z.number(),
  in_flight: z.number(),
  by_tier: counts,
  cost: z.number(),
});
