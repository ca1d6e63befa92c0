import { idOf, isRefOf } from '../../base/ref.ts';
import { searchWords } from '../../base/text/index.ts';

/** A result, as far as it matters whether it holds the words that were asked for. */
export interface Held {
  ref: string;
  domain: string;
  place: string;
  snippet?: string | undefined;
}

/** As many files are read to see whether the thing asked for is in one of them. */
const mostRead = 5;
/** Of three words and more, one may be said differently. */
const enoughOfMany = 0.6;
/** A question has words of its own: one word in three says nothing, every second one does. */
const enoughOfQuestion = 0.4;

/**
 * The one floor of every search and answer. Recall always finds the nearest places, also for a thing that does not exist. For a question after a place, and for bare
 * words: the share of the words asked for that the best of the cited files holds, and a line to say where that is not
 * enough. Bare words may also be those of a commit or of what was remembered. Any other question is told so only where
 * nothing found holds enough of its words.
 */
export async function nearestOnly(
  subject: string,
  results: Held[],
  read: (path: string) => Promise<string | undefined>,
  { filesOnly = true, isQuestion = false }: { filesOnly?: boolean; isQuestion?: boolean } = {},
): Promise<{ share: number; line: string } | undefined> {
  const wanted = [...new Set(searchWords(subject.replaceAll('_', ' ')))];
  if (wanted.length === 0) return undefined;
  const typed = subject.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  let share = 0;
  const holds = (text: string): boolean => {
    const there = new Set(searchWords(text));
    const plain = text.toLowerCase();
    // A part of a longer name: `htmlattributes` in `SelectHTMLAttributes`.
    const isPart = (word: string) =>
      typed.some((each) => each.length >= 5 && each.startsWith(word) && plain.includes(each));
    const held = wanted.filter((word) => isIn(word, there) || isPart(word));
    share = Math.max(share, held.length / wanted.length);
    return share === 1;
  };
  if (!filesOnly)
    for (const { domain, place, snippet } of results)
      if (domain !== 'code' && holds(`${place} ${snippet ?? ''}`)) return undefined;
  for (const { ref, place } of results.filter(({ domain }) => domain === 'code').slice(0, mostRead)) {
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

/** More words than this are a sentence, of which some are said differently. */
const mostBareWords = 5;

/** The floor for a search by words, whatever domains its results are from; undefined where they hold what was asked for. */
export async function nothingHere(
  query: string,
  results: Held[],
  read: (path: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  // Quoted text and paths are matched to the letter.
  if (results.length === 0 || /["/]|\.\w/.test(query)) return undefined;
  const isQuestion = searchWords(query).length > mostBareWords;
  return (await nearestOnly(query, results, read, { filesOnly: false, isQuestion }))?.line;
}

/** `over` is no short form of `overbooking`. */
const shortest = 0.7;

/** `auth` and `authent` are the same word to whoever asks. */
const isIn = (word: string, there: ReadonlySet<string>): boolean =>
  there.has(word) ||
  (word.length >= 4 &&
    [...there].some(
      (each) =>
        each.startsWith(word) ||
        (each.length >= Math.max(4, shortest * word.length) && word.startsWith(each)),
    ));
