import { SylkError } from '../../../base/errors.ts';
import {
  cleaned,
  expiryOf,
  isDurable,
  type Message,
  type NewMessage,
  newMessageSchema,
  typeRow,
} from '../../../stores/messages/index.ts';
import { type Parcel, sizeOf } from './parcel.ts';

/** A whole envelope from what a sender says. Anything that does not hold is refused by name. */
export function envelopeOf(given: NewMessage, id: string, timestamp: string): Message {
  const parsed = newMessageSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SylkError(
      'VALIDATION_ERROR',
      `The message does not hold: ${issue!.path.join('.') || 'it'}: ${issue!.message}`,
      { hint: 'A message has type, source, session_id and payload; see docs/bus.md for the types.' },
    );
  }
  // The parsed object is ours alone: filled in place, because every message passes here.
  const message = parsed.data as Message;
  message.id ??= id;
  message.timestamp = timestamp;
  message.status = 'queued';
  message.attempt = 0;
  return cleaned(message);
}

/** Time to live of what may be lost, when nothing is said: nobody waits longer for an answer. */
const volatileLife = 600_000;

export function parcelOf(
  message: Message,
  target: string,
  { now, steady, most }: { now: number; steady: number; most: number },
): Parcel {
  const size = sizeOf(message.payload, most) + 200;
  if (size > most)
    throw new SylkError('VALIDATION_ERROR', `The payload of ${message.type} is larger than ${most} bytes.`, {
      hint: 'Store the text first and send its ref.',
    });
  const durable = isDurable(message.type);
  const expires = expiryOf(message) ?? (durable ? Number.POSITIVE_INFINITY : now + volatileLife);
  return { message, target, durable, size, since: steady, expires };
}

/** The answer to a message: same correlation, the other way round. */
export function replyTo(message: Message, source: string, payload: unknown): NewMessage {
  return {
    correlation_id: message.correlation_id ?? message.id,
    parent_id: message.id,
    session_id: message.session_id,
    source,
    target: message.source,
    type: typeRow(message.type).reply ?? message.type,
    payload,
    priority: message.priority,
    metadata:
      message.metadata?.['pipeline_id'] === undefined
        ? undefined
        : { pipeline_id: message.metadata['pipeline_id'] },
  };
}
