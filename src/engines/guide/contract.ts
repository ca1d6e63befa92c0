import type {
  Message,
  MessageStatus,
  MessageType,
  NewMessage,
  Priority,
} from '../../stores/messages/index.ts';

/** Time as the bus sees it: an argument, so that a test can move it. */
export interface BusTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only grow, for durations. */
  steady(): number;
  /** Runs `work` later; the answer cancels it. */
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
  /** Aborts when the time for this message is over; what the agent does afterwards is ignored. */
  readonly signal: AbortSignal;
  /**
   * Does `work` at most once for this message: for a durable one in the transaction that marks it as done, so that a
   * crash leaves both or neither. A second delivery answers what the first one answered and does nothing.
   */
  act<T>(work: () => Promise<T>): Promise<T>;
  /** For the trace: which tier answered, and what it cost. */
  note(facts: { tier?: string; cost?: number }): void;
}

/** Answers the payload of the reply; `undefined` where there is nothing to say. */
export type Respond = (message: Message, delivery: Delivery) => Promise<unknown>;

export interface Listener {
  /** `librarian`, or `engineer:2` for one of several. */
  agent: string;
  /** Belongs to this session only; without it the agent is shared by all. */
  session?: string;
  /** Only these types; an agent may be put together from several listeners. All when left out. */
  types?: MessageType[];
  respond: Respond;
  /** Messages at once, over all sessions (default 8). */
  concurrency?: number;
  /** Messages that may wait for it in one session (default of the bus). */
  capacity?: number;
  /** Milliseconds until one attempt counts as failed (default of the bus). */
  timeout?: number;
  /** Like requests of one session that wait together are answered by one call; replies in the same order. */
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
}

/** One message on its way to one agent, recorded when its state changed. */
export interface Hop {
  seq: number;
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

export interface AgentHealth {
  agent: string;
  session?: string | undefined;
  state: 'healthy' | 'idle' | 'degraded' | 'stuck' | 'open';
  breaker: 'closed' | 'open' | 'half_open';
  queued: number;
  in_flight: number;
  done: number;
  failed: number;
  last_success_at?: string | undefined;
  last_failure_at?: string | undefined;
  last_error?: string | undefined;
}

export interface BusStatistics {
  accepted: number;
  done: number;
  dead: number;
  expired: number;
  retried: number;
  /** A queue was full or an agent was away: the sender knows, nothing is lost. */
  refused: number;
  batched: number;
  cost: number;
  waiting: number;
  in_flight: number;
  /** Given up after they had been accepted, by reason: only what may be lost. */
  dropped: Record<string, number>;
  by_tier: Record<string, number>;
}

export interface Subscription {
  /** Messages that this subscriber was too slow for. */
  dropped(): number;
  end(): void;
}

export interface Bus {
  /** Takes a message or refuses it by name; a durable one is committed when this returns. */
  send(message: NewMessage): Promise<Receipt>;
  /** Sends and waits for the answer; fails when the message dies or its time is over. */
  request(message: NewMessage): Promise<Message>;
  /** One copy for each of these agents, or for every one that listens in the session, but not for the sender. */
  broadcast(
    message: NewMessage,
    targets?: string[],
  ): Promise<{ items: Receipt[]; problems: Array<{ target: string; message: string }> }>;
  listen(listener: Listener): () => void;
  /** Watches a topic: `session/<id>`, `agent/<name>`, `type/<TYPE>`, or a name of one's own. */
  subscribe(
    topic: string,
    subscriber: { name: string; session?: string; capacity?: number },
    seen: (message: Message) => Promise<void> | void,
  ): Subscription;
  /** Answers how many subscribers of the topic took it. */
  publish(topic: string, message: NewMessage): Promise<number>;
  /** Chooses the target of a message that names none and whose type says `guide`. */
  routeBy(router: (message: Message) => Promise<string>): void;
  /** A session changed its state: what waits for it is stored, taken up or given up accordingly. */
  sessionChanged(session: string, state: string): Promise<void>;
  /** Everything of a session that waits, oldest first; stored in the library from now on. */
  pendingOf(session: string): Promise<Message[]>;
  /** Puts messages of a snapshot back that are missing and were never acted on; answers how many. */
  restore(messages: Message[]): Promise<number>;
  /** Takes over what other processes left behind, for the agents that listen here. */
  recover(): Promise<number>;
  deadLetters(filter?: {
    session?: string | undefined;
    agent?: string | undefined;
    limit?: number;
    offset?: number;
  }): Promise<{ items: Message[]; total: number }>;
  /** Throws where a message is of another session than the only one that may be seen. */
  requireVisible(id: string, session: string | undefined): Promise<void>;
  /** What the library holds, by agent and state. */
  stored(): Promise<Array<{ target: string; status: MessageStatus; count: number; oldest_at: string }>>;
  /** Sends a dead message again under its own id, with its attempts counted from the start. */
  replay(id: string): Promise<Receipt>;
  health(): AgentHealth[];
  statistics(): BusStatistics;
  hops(filter?: HopFilter): Hop[];
  watch(seen: (hop: Hop) => void): () => void;
  /** Resolves when nothing waits that an agent of this process could take now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
