import { refOf } from '../base/ref.ts';
import { isStopWord, searchWords, splitWords } from '../base/text/index.ts';
import type { AskOptions, FoundCard } from '../engines/answers/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import { textOfEntry } from '../stores/chronicle/index.ts';

const most = 3;
/** Below this share of the question's words an entry is about something else. */
const leastShare = 0.5;

/** What a session wrote itself is not shared and so not in recall, but it is the first that its author asks about. */
export async function ownEntries(
  memory: () => Promise<Memory>,
  text: string,
  { session, domains, path }: AskOptions,
): Promise<FoundCard[]> {
  if (!session || path || (domains && !domains.includes('chronicle'))) return [];
  const asked = wordsOf(text);
  if (asked.size === 0) return [];
  const { chronicle } = await memory();
  const found = await chronicle.find({ session_id: session, sees_all: false }, { text, limit: most * 2 });
  return found
    .filter((entry) => entry.session_id === session && !entry.promoted)
    .map((entry) => {
      const there = wordsOf(textOfEntry(entry));
      const share = [...asked].filter((word) => there.has(word)).length / asked.size;
      return { entry, share };
    })
    .filter(({ share }) => share >= leastShare)
    .slice(0, most)
    .map(({ entry, share }) => ({
      ref: refOf('entry', entry.id),
      domain: 'chronicle',
      title: entry.title,
      snippet: entry.content.slice(0, 400),
      relevance: share,
      reason: `${entry.category} of this session`,
      updated: entry.updated_at,
    }));
}

/** The words of a text that say what it is about. */
export const wordsOf = (text: string): Set<string> =>
  new Set(
    searchWords(
      splitWords(text)
        .filter((word) => !isStopWord(word))
        .join(' '),
    ),
  );
