import { idOf, isRefOf } from '../../base/ref.ts';
import { rarityOf } from '../../base/search/index.ts';
import { searchWords } from '../../base/text/index.ts';
import type { Entry } from '../../stores/chronicle/index.ts';

/** How much less an entry says about the work at hand than the one after it. */
const fading = 0.9;
/** A change of very many files says little about each. */
const mostFiles = 6;
/** A word in more than this share of the entries tells none from another. */
const commonShare = 0.3;
/** Naming a file says as much as several rare words. */
const namedFile = 6;

const filesOf = ({ refs }: Entry): string[] =>
  refs
    .filter((ref) => isRefOf(ref, 'file'))
    .map(idOf)
    .slice(0, mostFiles);

/**
 * Entries, newest first, in the order in which they tell most about where the work is: a file that was written about
 * often and lately is likely the next one, and a second entry about it says less than one about another file.
 */
export function byWork(entries: Entry[]): Entry[] {
  const heat = new Map<string, number>();
  const weights = new Map(entries.map((entry, at) => [entry, fading ** at]));
  for (const [entry, weight] of weights)
    for (const file of filesOf(entry)) heat.set(file, (heat.get(file) ?? 0) + weight);
  const left = new Set(entries);
  const covered = new Set<string>();
  const worth = (entry: Entry) =>
    filesOf(entry).reduce(
      (sum, file) => sum + (covered.has(file) ? 0 : heat.get(file)!),
      weights.get(entry)!,
    );
  const ordered: Entry[] = [];
  while (left.size > 0) {
    let best: Entry | undefined;
    for (const entry of left) if (!best || worth(entry) > worth(best)) best = entry;
    ordered.push(best!);
    left.delete(best!);
    for (const file of filesOf(best!)) covered.add(file);
  }
  return ordered;
}

/** Entries about files that a text names, or with two of its telling words; the best first. */
export function entriesAbout(text: string, entries: Entry[]): Entry[] {
  const asked = new Set(searchWords(text).filter((word) => word.length > 2));
  const words = entries.map(
    ({ title, content, resolution }) => new Set(searchWords(`${title} ${content} ${resolution}`)),
  );
  const rarity = new Map<string, number>();
  for (const word of asked) {
    const holding = words.filter((own) => own.has(word)).length;
    if (holding > 0 && holding <= Math.max(2, entries.length * commonShare))
      rarity.set(word, rarityOf(entries.length, holding));
  }
  const named = (entry: Entry) =>
    filesOf(entry).filter((path) => names(text, path) || names(text, path.slice(path.lastIndexOf('/') + 1)));
  return entries
    .map((entry, at) => {
      const shared = [...rarity].filter(([word]) => words[at]!.has(word));
      const score = shared.reduce((sum, [, worth]) => sum + worth, 0);
      const files = named(entry).length;
      return { entry, score: score + files * namedFile, fits: shared.length >= 2 || files > 0 };
    })
    .filter(({ fits }) => fits)
    .toSorted((left, right) => right.score - left.score)
    .map(({ entry }) => entry);
}

/** The path stands in the text as a word of its own. */
function names(text: string, path: string): boolean {
  const at = path.length > 4 ? text.indexOf(path) : -1;
  return at >= 0 && !/[\w/.-]/.test(text[at - 1] ?? ' ') && !/[\w/-]/.test(text[at + path.length] ?? ' ');
}
