import { splitWords, stem, withoutTime } from '../../../base/text/index.ts';
import type { QuestionIntent } from '../reader/index.ts';
import table from './vocabulary.json' with { type: 'json' };

/** What a question is about, freed of how it is put. */
export interface Concept {
  /** Roots of the words that matter, sorted. Two questions with different ones are different. */
  words: string[];
  /** Kinds that were named (`function`, `flow`): may be missing, may not differ. */
  kinds: string[];
  /** What stands before and after `to`, `over`, `than`: which way it goes. */
  directions: Array<{ before: string[]; after: string[] }>;
  key: string;
}

export function conceptOf(text: string, intent: QuestionIntent): Concept {
  // `URLs` is a URL, not `UR` and `Ls`.
  const bare = withoutTime(text).replace(/\b(\p{Lu}{2,})s\b/gu, '$1');
  const kinds = new Set<string>();
  const words = new Set<string>();
  for (const token of bare.split(/\s+/)) {
    const named = isIdentifier(token);
    for (const word of splitWords(token)) {
      const kind = named ? undefined : kindWord(word);
      if (named) words.add(foldWord(word));
      else if (negations.has(word)) words.add('not');
      else if (word === 'why' || word === 'who') words.add(foldWord(word));
      else if (isFrame(word, intent)) continue;
      else if (kind) kinds.add(kind);
      else words.add(foldWord(word));
    }
  }
  // A question of nothing but kinds is about them: "have we had this problem before".
  if (words.size === 0) {
    for (const kind of kinds) words.add(kind);
    kinds.clear();
  }
  const sorted = [...words].sort();
  return {
    words: sorted,
    kinds: [...kinds].sort(),
    directions: directionsOf(bare, words),
    key: sorted.join(' '),
  };
}

/** `getPath`, `create_session`, `res.links`, `Rack::Sendfile`: every part of a name counts. */
const isIdentifier = (token: string): boolean =>
  /[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}|\p{L}(?:\.|::|->)\p{L}|\p{L}\(\)/u.test(token);

const directed = new Set(['to', 'into', 'over', 'than', 'before', 'after']);

function directionsOf(text: string, words: Set<string>): Concept['directions'] {
  const parts = splitWords(text);
  const content = (some: string[]) => some.map(foldWord).filter((word) => words.has(word));
  return parts
    .map((word, at) => ({ word, before: content(parts.slice(0, at)), after: content(parts.slice(at + 1)) }))
    .filter(({ word, before, after }) => directed.has(word) && before.length > 0 && after.length > 0);
}

/** The same thing asked for, however it is put. */
export function isSameConcept(left: Concept, right: Concept): boolean {
  return left.key === right.key && agree(left, right);
}

/** The same but for a slip of the pen; who asks has to see that the questions are near as a whole. */
export function isNearConcept(left: Concept, right: Concept): boolean {
  const mine = left.words.filter((word) => !right.words.includes(word));
  const theirs = right.words.filter((word) => !left.words.includes(word));
  if (mine.length !== theirs.length) return false;
  return mine.every((word) => theirs.some((other) => isSlip(word, other))) && agree(left, right);
}

function agree(left: Concept, right: Concept): boolean {
  const fewer = left.kinds.length < right.kinds.length ? left.kinds : right.kinds;
  const more = fewer === left.kinds ? right.kinds : left.kinds;
  if (!fewer.every((kind) => more.includes(kind))) return false;
  return !left.directions.some((mine) => right.directions.some((theirs) => isReversed(mine, theirs)));
}

const isReversed = (mine: Concept['directions'][number], theirs: Concept['directions'][number]): boolean =>
  mine.before.some((word) => theirs.after.includes(word) && !mine.after.includes(word)) &&
  mine.after.some((word) => theirs.before.includes(word) && !mine.before.includes(word));

/** A letter more, less or other in a long word without digits. */
export function isSlip(left: string, right: string): boolean {
  if (Math.min(left.length, right.length) < 7 || /\d/.test(left + right)) return false;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return long.slice(at + 1) === short.slice(long.length === short.length ? at + 1 : at);
}

const stems = (words: string): string[] => words.split(' ').map(stem);
const firstOf = (words: string): string => words.split(' ', 1).join('');

/** Words that say how something is asked, not what. Their stems count. */
const everywhere = new Set(stems(table.everywhere));
/** Words that only name the intent. With the intent as part of the key they say nothing more. */
const frames = new Map(
  Object.entries(table.byIntent).map(([intent, words]) => [intent, new Set(stems(words))]),
);
/** Kinds of things: one may say them or not, but not say two different ones. */
const kinds = new Map(table.kinds.flatMap((line) => stems(line).map((word) => [word, firstOf(line)])));
/** Names of one thing. Small on purpose: what is not surely the same is not the same. */
const folded = new Map(
  table.synonyms.flatMap((line) => stems(line).map((word) => [word, stem(firstOf(line))])),
);

/** Stop words of the index that change a question. */
export const negations = new Set(['not', 'no', 'never', 'without', 'non']);

export const foldWord = (word: string): string => folded.get(stem(word)) ?? stem(word);

export const isFrame = (word: string, intent: QuestionIntent): boolean =>
  everywhere.has(stem(word)) || frames.get(intent)?.has(stem(word)) === true;

export const kindWord = (word: string): string | undefined => kinds.get(stem(word));

/** Other names under which a subject may be asked for: `error_handling` → errors, exception_handling. */
export function relatedNames(subject: string): string[] {
  const words = subject.split('_').filter(Boolean);
  const names = new Set<string>();
  for (const [at, word] of words.entries()) {
    const line = table.synonyms.find((each) => stems(each).includes(stem(word)));
    for (const other of line?.split(' ') ?? [])
      if (other !== word && stem(other) !== stem(word)) names.add(words.with(at, other).join('_'));
  }
  names.delete(subject);
  return [...names].slice(0, 8);
}
