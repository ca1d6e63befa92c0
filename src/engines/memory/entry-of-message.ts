import { categories, summaryTypes } from '../../stores/chronicle/index.ts';
import type { Message } from '../../stores/messages/index.ts';
import type { NewMemory } from './remember.ts';

const among = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((each) => each === value);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** The entry that a message asks to store, in the message's session. */
export function entryOfMessage(
  message: Message,
  payload: { content: string; [field: string]: unknown },
): NewMemory {
  const { title } = payload;
  return {
    session_id: message.session_id,
    category: among(categories, payload['category']),
    summary_type: among(summaryTypes, payload['summary_type']),
    title: typeof title === 'string' ? title : undefined,
    content: payload.content,
    source: message.source,
    source_kind: message.source === 'user' ? 'person' : 'agent',
    tags: texts(payload['tags']),
    refs: texts(payload['code_references'] ?? payload['refs']),
    metadata: { message_id: message.id },
  };
}
