import type { Message, Messages, NewMessage } from '../../stores/messages/index.ts';
import type { BusTime, Receipt } from './contract.ts';
import type { Held } from './held.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { Queued } from './queued.ts';
import type { SessionAccess } from './session-access.ts';
import type { Trace } from './trace.ts';

export interface Waiter {
  session: string;
  resolve(answer: { message: Message; reply: unknown }): void;
  reject(error: unknown): void;
}

/** Shared by the parts of one bus. */
export interface BusContext {
  messages: Messages;
  owner: string;
  time: BusTime;
  random: () => number;
  /** The text of a moment. */
  timestamp(at: number): string;
  mailboxes: Mailboxes;
  access: SessionAccess;
  held: Held;
  trace: Trace;
  /** Senders that wait for a reply, by message. */
  waiters: Map<string, Waiter>;
  /** Messages that wait for another attempt. */
  resting: Map<string, { item: Queued; cancel(): void }>;
  enqueue(item: Queued): void;
  send(message: NewMessage): Promise<Receipt>;
  /** Registers this process as alive, before it owns anything. */
  announce(): Promise<void>;
  /** A mailbox has room, and the library has more for it. */
  refill(): void;
  /** Something ended: waiters for idleness may check again. */
  settled(): void;
}
