import { categories, categoryOfSummary, type NewEntry, summaryTypes } from '../stores/chronicle/index.ts';
import type { Message } from '../stores/messages/index.ts';

const among = <T extends string>(known: readonly T[], given: unknown): T | undefined =>
  known.find((one) => one === given);
const texts = (given: unknown): string[] =>
  Array.isArray(given) ? given.filter((one): one is string => typeof one === 'string') : [];

/** What a stored message says, as an entry of the chronicle in the message's session. */
export function entryOfMessage(
  message: Message,
  payload: { content: string; [field: string]: unknown },
): NewEntry {
  const summary = among(summaryTypes, payload['summary_type']);
  const title = typeof payload['title'] === 'string' ? payload['title'] : payload.content.slice(0, 80);
  return {
    session_id: message.session_id,
    category: among(categories, payload['category']) ?? (summary ? categoryOfSummary(summary) : 'general'),
    summary_type: summary,
    title,
    content: payload.content,
    source: message.source,
    source_kind: message.source === 'user' ? 'person' : 'agent',
    tags: texts(payload['tags']),
    refs: texts(payload['code_references'] ?? payload['refs']),
    metadata: { message_id: message.id },
  };
}
