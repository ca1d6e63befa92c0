import type { Selectable } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { redactValue } from '../../base/redact.ts';
import { type Message, messageSchema } from './message.ts';
import { isDurable } from './message-types.ts';
import type { MessageTables } from './tables.ts';

export type MessageRow = Selectable<MessageTables['messages']>;

/** The earlier of deadline and time to live. */
export function expiryOf({
  timestamp,
  deadline,
  ttl,
}: Pick<Message, 'timestamp' | 'deadline' | 'ttl'>): number | undefined {
  const end = Math.min(
    deadline === undefined ? Number.POSITIVE_INFINITY : Date.parse(deadline),
    ttl === undefined ? Number.POSITIVE_INFINITY : Date.parse(timestamp) + ttl,
  );
  return Number.isFinite(end) ? end : undefined;
}

export function rowOf(message: Message, owner: string): Omit<MessageRow, 'seq'> {
  const { id, session_id, source, target, type, priority, status, attempt, payload, error, ...rest } =
    message;
  return {
    id,
    session_id,
    source,
    target: target ?? '',
    type,
    priority,
    status,
    attempt,
    envelope: JSON.stringify(redactValue(rest)),
    payload: JSON.stringify(payload ?? null),
    error: error ?? null,
    reply: null,
    accepted_at: Date.parse(message.timestamp),
    expires_at: expiryOf(message) ?? null,
    not_before: 0,
    processed_at: message.processed_at ? Date.parse(message.processed_at) : null,
    owner,
  };
}

/** A corrupt row is isolated: it comes back with an empty payload and an error. */
export function messageOf(row: MessageRow): Message {
  const torn = (what: string) => ({ torn: `the ${what} could not be read` });
  const rest = parseJson(row.envelope);
  const payload = parseJson(row.payload);
  return messageSchema.parse({
    timestamp: isoTime(row.accepted_at),
    ...(isObject(rest) ? rest : { metadata: torn('envelope') }),
    id: row.id,
    session_id: row.session_id,
    source: row.source,
    target: row.target || undefined,
    type: row.type,
    payload: payload === undefined ? torn('payload') : payload,
    status: row.status,
    attempt: row.attempt,
    priority: row.priority,
    error: row.error || undefined,
    processed_at: row.processed_at ? isoTime(row.processed_at) : undefined,
  }) as Message;
}

/** Secrets are redacted before storing, and the agent gets the stored text: before a crash and after it. */
export const cleaned = (message: Message): Message =>
  isDurable(message.type) ? { ...message, payload: redactValue(message.payload) } : message;
