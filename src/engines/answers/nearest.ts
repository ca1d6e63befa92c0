import { idOf, isRefOf } from '../../base/ref.ts';
import { searchWords } from '../../base/text/index.ts';
import type { Citation } from './answer.ts';

/** As many files are read to see whether the thing asked for is in one of them. */
const mostRead = 5;
/** Of three words and more, one may be said differently. */
const enoughOfMany = 0.6;
/** A question has words of its own: one word in three says nothing, every second one does. */
const enoughOfQuestion = 0.4;

/**
 * Recall always finds the nearest places, also for a thing that does not exist. For a question after a place, and for bare
 * words: the share of the words asked for that the best of the cited files holds, and a line to say where that is not
 * enough. Bare words may also be those of a commit or of what was remembered. Any other question is told so only where
 * nothing found holds enough of its words.
 */
export async function nearestOnly(
  subject: string,
  citations: Citation[],
  read: (path: string) => Promise<string | undefined>,
  { filesOnly = true, isQuestion = false }: { filesOnly?: boolean; isQuestion?: boolean } = {},
): Promise<{ share: number; line: string } | undefined> {
  const wanted = [...new Set(searchWords(subject.replaceAll('_', ' ')))];
  if (wanted.length === 0) return undefined;
  let share = 0;
  const holds = (text: string): boolean => {
    const there = new Set(searchWords(text));
    share = Math.max(share, wanted.filter((word) => isIn(word, there)).length / wanted.length);
    return share === 1;
  };
  if (!filesOnly)
    for (const { domain, place, snippet } of citations)
      if (domain !== 'code' && holds(`${place} ${snippet ?? ''}`)) return undefined;
  for (const { ref, place } of citations.filter(({ domain }) => domain === 'code').slice(0, mostRead)) {
    const path = isRefOf(ref, 'file') ? idOf(ref).replace(/#.*$/s, '') : place.replace(/:\d+.*$/s, '');
    if (holds(`${path} ${(await read(path)) ?? ''}`)) return undefined;
  }
  if (isQuestion ? share >= enoughOfQuestion : wanted.length > 2 && share >= enoughOfMany) return undefined;
  const asked = subject.replaceAll('_', ' ');
  return {
    share,
    line: `No ${filesOnly ? 'file' : 'result'} contains ${wanted.length === 1 ? '' : 'all the words of '}"${asked}". Closest matches:`,
  };
}

/** `over` is no short form of `overbooking`. */
const shortest = 0.5;

/** `auth` and `authent` are the same word to whoever asks. */
const isIn = (word: string, there: ReadonlySet<string>): boolean =>
  there.has(word) ||
  (word.length >= 4 &&
    [...there].some(
      (each) =>
        each.startsWith(word) ||
        (each.length >= Math.max(4, shortest * word.length) && word.startsWith(each)),
    ));
