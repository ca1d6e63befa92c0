import type { Git } from '../../base/git/index.ts';
import { idOf, isRefOf } from '../../base/ref.ts';
import { searchWords, splitWords } from '../../base/text/index.ts';
import { readWorktreeFile } from './code-source.ts';

/** A result, as far as it matters whether it holds the words that were asked for. */
export interface Held {
  ref: string;
  domain: string;
  place: string;
  snippet?: string | undefined;
}

/** The working tree, as far as it matters whether it holds words. */
export interface HeldTree {
  read(path: string): Promise<string | undefined>;
  /** Some of the files that hold every one of these texts, in any case. */
  filesWith(texts: string[]): Promise<string[]>;
  hasCommitWith(texts: string[]): Promise<boolean>;
}

const mostFilesWith = 20;

/** What git finds in it: files that are not indexed, too. Where git takes too long, only what was found counts. */
export const heldTree = (root: string, git: Git): HeldTree => {
  const said = (args: string[]): Promise<string> =>
    git
      .run(args, { accept: [1], timeoutMs: 3000, maxOutputBytes: 200_000, mayCut: true })
      .then(({ stdout }) => stdout.toString('utf8'))
      // No commit yet, a pattern that git refuses, or too many files: nobody has to know.
      .catch(() => '');
  return {
    read: async (path) => readWorktreeFile(root, path),
    filesWith: async (texts) => {
      const wanted = texts.flatMap((text) => ['-e', text]);
      const flags = ['-z', '-l', '-I', '-i', '-F', '--untracked', '--all-match'];
      const found = await said(['grep', ...flags, ...wanted, '--', '.']);
      return found.split('\0').filter(Boolean).slice(0, mostFilesWith);
    },
    hasCommitWith: async (texts) => {
      const wanted = texts.map((text) => `--grep=${text}`);
      return (await said(['log', '-1', '--format=%h', '-i', '-F', '--all-match', ...wanted, 'HEAD'])) !== '';
    },
  };
};

/** As many files are read to see whether the thing asked for is in one of them. */
const mostRead = 5;
/** Of three words and more, one may be said differently. */
const enoughOfMany = 0.6;
/** A question has words of its own: one word in three says nothing, every second one does. */
const enoughOfQuestion = 0.4;

/**
 * The one floor of every search and answer. Recall always finds the nearest places, also for a thing that does not exist. For a question after a place, and for bare
 * words: the share of the words asked for that the best of the cited files holds, and a line to say where that is not
 * enough and no other file has them all. Bare words may also be those of a commit or of what was remembered. Any other
 * question is told so only where nothing found holds enough of its words. Whether something is there at all (`isNear`) is
 * known by lines that stand together: a long file has every word somewhere.
 */
export async function nearestOnly(
  subject: string,
  results: Held[],
  tree: HeldTree,
  { filesOnly = true, isQuestion = false, isNear = false }: FloorOptions = {},
): Promise<{ share: number; line: string } | undefined> {
  const asked = subject.replaceAll('_', ' ');
  const wanted = [...new Set(searchWords(asked))];
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
  const holdsFile = async (path: string): Promise<boolean> => {
    const text = (await tree.read(path)) ?? '';
    return isNear ? partsOf(text).some((part) => holds(`${path} ${part}`)) : holds(`${path} ${text}`);
  };
  if (!filesOnly)
    for (const { domain, place, snippet } of results)
      if (domain !== 'code' && holds(`${place} ${snippet ?? ''}`)) return undefined;
  for (const { ref, place } of results.filter(({ domain }) => domain === 'code').slice(0, mostRead)) {
    const path = isRefOf(ref, 'file') ? idOf(ref).replace(/#.*$/s, '') : place.replace(/:\d+.*$/s, '');
    if (await holdsFile(path)) return undefined;
  }
  if (isQuestion ? share >= enoughOfQuestion : wanted.length > (isNear ? 3 : 2) && share >= enoughOfMany)
    return undefined;
  const texts = letterings(asked, wanted);
  for (const path of await tree.filesWith(texts)) if (!isNear || (await holdsFile(path))) return undefined;
  if (!filesOnly && (await tree.hasCommitWith(texts))) return undefined;
  return {
    share,
    line: `No ${filesOnly ? 'file' : 'result'} contains ${wanted.length === 1 ? '' : 'all the words of '}"${asked}"${isNear && share === 1 ? ' in one place' : ''}.`,
  };
}

interface FloorOptions {
  filesOnly?: boolean;
  isQuestion?: boolean;
  isNear?: boolean;
}

/** The letters that a word has in every form: `librari` is `librar` of library. */
function letterings(asked: string, wanted: string[]): string[] {
  const typed = splitWords(asked);
  return wanted.map((word) => {
    const [own = word] = typed.filter((each) => searchWords(each).includes(word));
    let length = 0;
    while (length < word.length && word[length] === own[length]) length++;
    return length >= 3 ? word.slice(0, length) : own;
  });
}

const linesTogether = 12;

/** Parts of a text that overlap by half. */
function partsOf(text: string): string[] {
  const lines = text.split('\n');
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += linesTogether / 2)
    parts.push(lines.slice(at, at + linesTogether).join('\n'));
  return parts;
}

/** More words than this are a sentence, of which some are said differently. */
const mostBareWords = 5;

/** The floor for a search by words, whatever domains its results are from; undefined where they hold what was asked for. */
export async function nothingHere(
  query: string,
  results: Held[],
  tree: HeldTree,
): Promise<string | undefined> {
  // Quoted text and paths are matched to the letter.
  if (results.length === 0 || /["/]|\.\w/.test(query)) return undefined;
  const isQuestion = searchWords(query).length > mostBareWords;
  const nearest = await nearestOnly(query, results, tree, { filesOnly: false, isQuestion });
  return nearest && `${nearest.line} Closest matches:`;
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
