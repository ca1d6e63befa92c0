import type { EventLog } from '../../base/events.ts';
import type { Library } from '../../base/library/index.ts';
import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import {
  type Category,
  type Chronicle,
  categories,
  categoryOfSummary,
  commonCategories,
  extractRefs,
  type NewEntry,
  type Submission,
  summaryTypes,
} from '../../stores/chronicle/index.ts';
import type { Message } from '../../stores/messages/index.ts';
import type { Sessions } from '../../stores/sessions/index.ts';
import type { Claims } from '../claims/index.ts';
import type { Knowledge } from '../knowledge/index.ts';

export interface NewMemory extends Omit<NewEntry, 'category'> {
  /** Derived from the type of a summary when omitted. */
  category?: Category | undefined;
  /** Paths or refs that it is about; `created:PATH`, `modified:PATH`, `deleted:PATH` for files it changed. */
  refs?: string[] | undefined;
}

export interface Remembered extends Submission {
  /** Number of links of the entry. */
  edges: number;
}

export interface RememberContext {
  library: Library;
  store: Pick<Sessions, 'find'>;
  chronicle: Chronicle;
  claims: () => Promise<Claims>;
  knowledge: () => Promise<Knowledge>;
  events: EventLog;
}

/**
 * The only writer of entries: finds refs, stores without secrets, links, checks against the code, publishes. Whoever
 * says a sentence, and by whatever way, the entry is the same. It is stored with its links or not at all.
 */
export function createRemember(context: RememberContext) {
  const { library, store, chronicle, claims, knowledge, events } = context;
  /** `isGenerated`: the text was composed from entries, which already have the refs. */
  return async (given: NewMemory, { isGenerated = false } = {}): Promise<Remembered> => {
    const { refs, changed } = readReferences(given.refs ?? []);
    const { summary_type } = given;
    const category = given.category ?? (summary_type ? categoryOfSummary(summary_type) : 'general');
    const isCommon =
      commonCategories.includes(category) && (await store.find(given.session_id))?.kind === 'main';
    const { entries } = await knowledge();
    const { edges, ...stored } = await library.write(async () => {
      const submission = await chronicle.store({
        ...given,
        category,
        shared: isCommon || given.shared === true,
        tags: [...(given.tags ?? []), ...(summary_type ? [summary_type] : [])],
        // A key of 40 hexadecimal digits would pass as a commit.
        refs: [...refs, ...(isGenerated ? [] : extractRefs(redact(given.content)))],
        metadata: Object.keys(changed).length > 0 ? { ...given.metadata, changed } : given.metadata,
      });
      return { ...submission, edges: await entries.linkStored(submission.entry) };
    });
    const { entry, warnings } = await (await claims()).checkEntry(stored.entry);
    events.publish('memory', { id: entry.id, category: entry.category, session: entry.session_id });
    return { ...stored, entry, warnings, edges };
  };
}

export type Remember = ReturnType<typeof createRemember>;

/** `src/a.ts` → file:src/a.ts; `modified:src/a.ts` also says what was done to it. */
function readReferences(given: string[]): { refs: string[]; changed: Record<string, string> } {
  const changed: Record<string, string> = {};
  const refs = given.map((text) => {
    const [, change, path] = /^(created|modified|deleted):(?:file:)?(.+)$/.exec(text) ?? [];
    if (change && path) changed[path] = change;
    const ref = path ?? text;
    return /^[a-z]+:/.test(ref) ? ref : fileRef(ref);
  });
  return { refs, changed };
}

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
