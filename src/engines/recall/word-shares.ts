import { quoteForPattern, splitWords, stem, termsOf } from '../../base/text/index.ts';
import shortForms from './short-forms.json' with { type: 'json' };

const alike = new Map<string, Set<string>>();
for (const group of shortForms) {
  const stems = group.split(' ').map(stem);
  for (const each of stems) alike.set(each, new Set([...(alike.get(each) ?? []), ...stems]));
}
/** The word and its short and long forms. */
export const formsOf = (word: string): ReadonlySet<string> => alike.get(word) ?? new Set([word]);

const saidOtherwise = 0.75;
const abbreviated = 0.6;
const shortestAbbreviation = 3;
/** `call` is in `caller`, `format` in `formatter`. */
const shortestRoot = 4;
const longestEnding = 3;

export type Weigher = ReturnType<typeof weigher>;

/** Its words, and names such as macOS and GitHub also whole. */
export const wordsIn = (text: string): Set<string> => new Set(termsOf(text).map(stem));

/** `shut down` is also said in one word. */
function joinedWords(text: string): Map<string, string[]> {
  const joined = new Map<string, string[]>();
  const typed = splitWords(text);
  for (const [at, second] of typed.slice(1).entries()) {
    const whole = stem(`${typed[at]}${second}`);
    for (const each of [typed[at] ?? '', second])
      joined.set(stem(each), [...(joined.get(stem(each)) ?? []), whole]);
  }
  return joined;
}

/** The share of the words that a text has, by how rare they are. */
export function weigher(text: string, words: string[], rarity: (word: string) => number) {
  const weights = words.map((word) => rarity(word));
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const joined = joinedWords(text);
  const isJoined = (word: string, there: ReadonlySet<string>) =>
    joined.get(word)?.some((each) => there.has(each));
  const held = (there: ReadonlySet<string>, isName: boolean): number[] =>
    words.map((word) => {
      if (there.has(word) || isJoined(word, there)) return 1;
      for (const other of alike.get(word) ?? []) if (there.has(other)) return saidOtherwise;
      if (!isName || word.length < shortestRoot) return 0;
      for (const each of there)
        if (each.startsWith(word) && each.length - word.length <= longestEnding) return saidOtherwise;
      for (const each of there)
        if (each.length >= shortestAbbreviation && word.length > shortestRoot && word.startsWith(each))
          return abbreviated;
      return 0;
    });
  // Most lines have nothing of it: their letters tell before they are split into words.
  const roots = words
    .flatMap((word) => [...formsOf(word), ...(joined.get(word) ?? [])])
    .map((each) => each.slice(0, 3));
  const mayHold = new RegExp([...new Set(roots)].map(quoteForPattern).join('|'), 'i');
  const nothing = words.map(() => 0);
  const share = (values: number[]): number =>
    values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / all;
  return {
    held,
    share,
    nothing,
    names: (text: string): number[] => held(wordsIn(text), true),
    line: (text: string): number[] => (mayHold.test(text) ? held(wordsIn(text), false) : nothing),
  };
}

/** The best of several for each word. */
export const most = (lists: number[][]): number[] =>
  lists.reduce<number[]>((best, list) => list.map((each, at) => Math.max(each, best[at] ?? 0)), []);
