import { editDistance } from '../../base/closest.ts';
import { findWeights, readVocabulary } from '../../base/embedding/index.ts';
import { isStopWord, quoteForPattern, searchWords, stem } from '../../base/text/index.ts';
import type { AnswersContext } from './context.ts';
import known from './reader/question-words.json' with { type: 'json' };

/** What a question says that is nowhere in the repository. */
export interface CheckedWords {
  /** Names and words that no file contains, as they were typed. */
  names: string[];
  words: string[];
  /** Words that were mistyped, and those that are there instead. */
  mistyped: Array<{ typed: string; meant: string }>;
}

/** Names stand for themselves: `HTTP_PROXY`, `isSameOrigin`, `http/3`, `i18n`. */
const nameShape = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]|^\p{Lu}{3,}$|^\p{L}+[/-]?\d/u;
const token = /[\p{L}\p{N}_$]+(?:[/-](?=\d)[\p{N}]+|(?:\.|::)[\p{L}_][\p{L}\p{N}_]*)*/gu;
const shortest = 3;
const patienceMs = 3000;

const askingWords = new Set(known.words.split(' '));
const commonWords = new Set(known.common.split(' '));

/** Looks for the names of a question letter by letter, and for its words in any form. What is in the index is there. */
export async function checkWords(
  context: AnswersContext,
  text: string,
  project: string,
): Promise<CheckedWords> {
  const checked: CheckedWords = { names: [], words: [], mistyped: [] };
  const typed = new Set([...text.matchAll(token)].map(([each]) => each.replace(/(?:\.|::).*$/, '')));
  const { passages } = (await context.recall()).parts;
  const isKnown = dictionary(context);
  const plain = [...typed].filter((each) => isWorthChecking(each, project));
  const stems = plain.flatMap((each) => searchWords(each));
  const counts = [passages.frequencies('code', stems), passages.frequencies('commits', stems)];
  const isIndexed = (each: string) =>
    searchWords(each).every((word) => counts.some((count) => count.has(word)));
  for (const each of plain) {
    const isName = nameShape.test(each);
    if (!isName && isIndexed(each)) continue;
    if (await isThere(context, isName ? literally(each) : wordPattern(each))) continue;
    const isTypo = isName ? !/^[\p{Lu}\p{N}_/-]+$|\d/u.test(each) : !isKnown(each.toLowerCase());
    const meant = isTypo ? await meantBy(context, each, isName) : undefined;
    if (meant) checked.mistyped.push({ typed: each, meant });
    else if (isName) checked.names.push(each);
    else checked.words.push(each);
  }
  return checked;
}

function isWorthChecking(each: string, project: string): boolean {
  const lower = each.toLowerCase();
  if (nameShape.test(each)) return lower !== project.toLowerCase();
  return (
    /^\p{L}+$/u.test(each) &&
    each.length >= shortest &&
    !isStopWord(lower) &&
    !askingWords.has(lower) &&
    !commonWords.has(lower) &&
    lower !== project.toLowerCase()
  );
}

const shortWord = 3;

/** A short word is in many others: `orm` is no part of `form`. */
const wordPattern = (each: string): string =>
  each.length <= shortWord ? `(^|[^a-z])${each.toLowerCase()}s?([^a-z]|$)` : quoteForPattern(rootOf(each));

/** Letters that every form of the word begins with. */
function rootOf(each: string): string {
  const lower = each.toLowerCase();
  const root = stem(lower);
  let length = 0;
  while (length < root.length && root[length] === lower[length]) length++;
  return length >= 3 ? lower.slice(0, length) : lower;
}

/** `http/3` is also written http3 and http-3. */
const literally = (name: string): string =>
  /^\p{L}+[/-]?\d/u.test(name) ? name.replace(/^(\p{L}+)[/-]?(?=\d)/u, '$1[-_/. ]?') : quoteForPattern(name);

async function isThere({ git }: AnswersContext, pattern: string): Promise<boolean> {
  const run = (args: string[]) =>
    git.run(args, { accept: [1, 128], timeoutMs: patienceMs, maxOutputBytes: 100_000, mayCut: true });
  try {
    const files = await run(['grep', '-q', '-I', '-i', '-E', '--untracked', '-e', pattern, '--', '.']);
    return files.code === 0 || files.code === 128;
  } catch {
    // Too many files to look through in time: nothing is said to be absent.
    return true;
  }
}

/** Words of English that the static vectors know; everything is one where there are none. */
function dictionary({ embedding }: AnswersContext): (word: string) => boolean {
  try {
    const vocabulary = readVocabulary(findWeights(embedding.weights || undefined).tokenizer);
    const formsOf = (word: string) => [
      word,
      stem(word),
      word.replace(/(?:s|es|ed|ing)$/, ''),
      word.replace(/(?:ed|ing)$/, 'e'),
    ];
    return (word) => formsOf(word).some((each) => vocabulary.get(each) !== undefined);
  } catch {
    // Without weights nothing is taken for mistyped.
    return () => true;
  }
}

const manyLetters = 6;
const surelyLong = 10;

/** Two letters apart is near only where the letters are the same in another order, or the word is long. */
const isSurelyMeant = (one: string, other: string): boolean =>
  one.length >= surelyLong || [...one].sort().join('') === [...other].sort().join('');

/** What is in the repository, or in a question, and differs by a letter, in long words by two. */
async function meantBy(context: AnswersContext, typed: string, isName: boolean): Promise<string | undefined> {
  const letters = typed.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const most = letters.length >= manyLetters ? 2 : 1;
  if (!isName) for (const word of askingWords) if (editDistance(letters, word, most + 1) <= 1) return word;
  const { passages } = (await context.recall()).parts;
  const root = isName ? letters : stem(letters);
  let best: { term: string; distance: number; doc: number } | undefined;
  for (const { term, doc } of passages.wordsOfLength('code', root.length - 1, root.length + 1)) {
    if (term[0] !== root[0] || /\d/.test(term)) continue;
    const distance = editDistance(root, term, most + 1);
    if (distance > most || distance === 0 || (distance > 1 && !isSurelyMeant(root, term))) continue;
    if (!best || distance < best.distance || (distance === best.distance && doc > best.doc))
      best = { term, distance, doc };
  }
  return best && (await asWritten(context, best.term, isName));
}

/** The index has words without endings and names in small letters; the files have them as they are written. */
async function asWritten({ git }: AnswersContext, term: string, isName: boolean): Promise<string> {
  const pattern = `\\b${[...term].join('_*')}${isName ? '' : '[a-z]*'}\\b`;
  const { stdout } = await git.run(['grep', '-h', '-o', '-I', '-i', '-E', '-e', pattern, '--', '.'], {
    accept: [1, 128],
    timeoutMs: patienceMs,
    maxOutputBytes: 100_000,
    mayCut: true,
  });
  const written = stdout
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((each) => (isName ? each : each.toLowerCase()));
  return written.sort((a, b) => a.length - b.length)[0] ?? term;
}
