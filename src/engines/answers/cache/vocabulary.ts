import { stem } from '../../../base/text/index.ts';
import type { QuestionIntent } from '../reader/index.ts';
import table from './vocabulary.json' with { type: 'json' };

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
