import type {
  Message,
  MessageStatus,
  MessageType,
  NewMessage,
  Priority,
} from '../../../stores/messages/index.ts';

/** What an agent is handed with a message. */
export interface Delivery {
  /** Ends when the time for this message is over; what the agent does afterwards is ignored. */
  readonly signal: AbortSignal;
  /**
   * Does `work` at most once for this message: for a durable one in the transaction that marks it as done, so that a
   * crash leaves both or neither. A second delivery answers what the first one answered and does nothing.
   */
  act<T>(work: () => Promise<T>): Promise<T>;
  /** What this hop took, for the trace: which tier answered, and what it cost. */
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

/** One message on its way to one agent, told when its state changed. */
export interface Hop {
  seq: number;
  at: string;
  message_id: string;
  correlation_id?: string;
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
  tier?: string;
  cost?: number;
  error?: string;
}

export interface AgentHealth {
  agent: string;
  session?: string;
  state: 'healthy' | 'idle' | 'degraded' | 'stuck' | 'open';
  breaker: 'closed' | 'open' | 'half_open';
  queued: number;
  in_flight: number;
  done: number;
  failed: number;
  last_success_at?: string;
  last_failure_at?: string;
  last_error?: string;
  p50_ms: number;
  p99_ms: number;
}

export interface BusStatistics {
  accepted: number;
  done: number;
  dead: number;
  expired: number;
  retried: number;
  /** Refused because a queue was full or an agent was away: the sender knows, nothing is lost. */
  refused: number;
  /** Given up after they had been accepted, by reason: only what may be lost. */
  dropped: Record<string, number>;
  batched: number;
  waiting: number;
  in_flight: number;
  bytes_waiting: number;
  by_type: Record<string, number>;
  by_target: Record<string, number>;
  by_tier: Record<string, number>;
  by_priority: Record<string, number>;
  cost: number;
  wait_p50_ms: number;
  wait_p99_ms: number;
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
  /** Tells the subscribers of a topic; answers how many took it. */
  publish(topic: string, message: NewMessage): Promise<number>;
  /** Chooses the target of a message that names none and whose type says `guide`. */
  routeBy(router: (message: Message) => Promise<string>): void;
  /** A session changed its state: what waits for it is kept, taken up or given up accordingly. */
  sessionChanged(session: string, state: string): Promise<void>;
  /** Everything of a session that waits, oldest first; kept in the library from now on. */
  pendingOf(session: string): Promise<Message[]>;
  /** Puts messages of a snapshot back that are not there any more and that were never acted on. */
  restore(messages: Message[]): Promise<number>;
  /** Takes over what other processes left behind, for the agents that listen here. */
  recover(): Promise<number>;
  deadLetters(filter?: {
    session?: string | undefined;
    agent?: string | undefined;
    limit?: number;
    offset?: number;
  }): Promise<{
    items: Message[];
    total: number;
  }>;
  /** Refuses where a message is of another session than the only one that may be seen. */
  requireVisible(id: string, session: string | undefined): Promise<void>;
  /** What the library holds, by agent and state. */
  kept(): Promise<Array<{ target: string; status: MessageStatus; count: number; oldest_at: string }>>;
  /** Sends a dead message again under its own id, with its attempts counted anew. */
  replay(id: string): Promise<Receipt>;
  health(): AgentHealth[];
  statistics(): BusStatistics;
  hops(filter?: { after?: number; session?: string; agent?: string; message?: string }): Hop[];
  watch(seen: (hop: Hop) => void): () => void;
  /** Resolves when nothing waits that an agent of this process could take now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
