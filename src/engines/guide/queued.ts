import { randomBytes } from 'node:crypto';
import { SylkError } from '../../base/errors.ts';
import {
  cleaned,
  expiryOf,
  isDurable,
  type Message,
  type NewMessage,
  newMessageSchema,
  typeRow,
} from '../../stores/messages/index.ts';

/** A message on its way through this process. */
export interface Queued {
  message: Message;
  target: string;
  /** Its state is in the library. */
  durable: boolean;
  size: number;
  /** Steady time of acceptance. */
  since: number;
  /** Milliseconds since the epoch; infinity without a deadline. */
  expires: number;
  tier?: string;
  cost?: number;
}

/** Like `newId('msg')`, but faster: the random part is drawn once, then it counts. */
export function createMessageIds(): (now: number) => string {
  const random = randomBytes(6).toString('hex');
  let count = 0;
  return (now) =>
    `msg_${now.toString(36).padStart(9, '0')}${random}${(++count).toString(36).padStart(8, '0')}`;
}

/** A full envelope from the sender's fields. */
export function newEnvelope(input: NewMessage, id: string, timestamp: string): Message {
  const parsed = newMessageSchema.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SylkError(
      'VALIDATION_ERROR',
      `Invalid message: ${issue?.path.join('.') || 'it'}: ${issue?.message}`,
      { hint: 'A message has type, source, session_id and payload; see docs/bus.md for the types.' },
    );
  }
  // The parsed object is ours: filled in place, because every message passes here.
  const message = parsed.data as Message;
  message.id ??= id;
  message.timestamp = timestamp;
  message.status = 'queued';
  message.attempt = 0;
  return cleaned(message);
}

/** Default time to live of non-durable messages: nobody waits longer for a reply. */
const volatileLifeMs = 600_000;

export function toQueued(
  message: Message,
  target: string,
  { now, steady, mostBytes }: { now: number; steady: number; mostBytes: number },
): Queued {
  const size = sizeOf(message.payload, mostBytes) + 200;
  if (size > mostBytes)
    throw new SylkError(
      'VALIDATION_ERROR',
      `The payload of ${message.type} is larger than ${mostBytes} bytes.`,
      { hint: 'Store the text first and send its ref.' },
    );
  const durable = isDurable(message.type);
  const expires = expiryOf(message) ?? (durable ? Number.POSITIVE_INFINITY : now + volatileLifeMs);
  return { message, target, durable, size, since: steady, expires };
}

/** Approximate size of a value in bytes; stops counting at `enough`. */
function sizeOf(value: unknown, enough: number): number {
  let size = 0;
  const count = (part: unknown): void => {
    if (size > enough) return;
    if (typeof part === 'string') size += part.length + 2;
    else if (part === null || typeof part !== 'object') size += 8;
    else if (Array.isArray(part)) for (const item of part) count(item);
    else
      for (const key in part) {
        size += key.length + 4;
        count((part as Record<string, unknown>)[key]);
      }
  };
  count(value);
  return size;
}

/** The reply to a message: same correlation, reversed. */
export function replyTo(message: Message, source: string, payload: unknown): NewMessage {
  const pipeline = message.metadata?.['pipeline_id'];
  return {
    correlation_id: message.correlation_id ?? message.id,
    parent_id: message.id,
    session_id: message.session_id,
    source,
    target: message.source,
    type: typeRow(message.type).reply ?? message.type,
    payload,
    priority: message.priority,
    metadata: pipeline === undefined ? undefined : { pipeline_id: pipeline },
  };
}
