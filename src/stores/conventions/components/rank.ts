import { once } from '../../../base/once.ts';
import { searchWords, splitWords, stem } from '../../../base/text/index.ts';
import { componentTables, type Placed } from './patterns.ts';

/** Words that mean the same, by stem. */
const synonyms = once(() => {
  const byStem = new Map<string, Set<string>>();
  for (const group of componentTables().synonyms) {
    const stems = new Set(group.map(stem));
    for (const word of stems) byStem.set(word, stems);
  }
  return byStem;
});

const sets = (text: string): Set<string> => new Set(searchWords(text));

/** What a component is about, weighted: its name says most. */
export interface Indexed {
  component: Placed;
  name: Set<string>;
  description: Set<string>;
  place: Set<string>;
}

export const indexed = (component: Placed): Indexed => ({
  component,
  name: sets(component.name),
  description: sets(component.description),
  place: sets(
    `${component.path.split('/').slice(-3).join(' ')} ${component.props.map((prop) => prop.name).join(' ')}`,
  ),
});

/** How well each answers a need, best first. A rare word counts for more than one that is everywhere. */
export function rankComponents(need: string, all: Indexed[]): Array<{ component: Placed; score: number }> {
  const wanted = [
    ...new Set(searchWords(need.replace(/\b(component|hook|utility|function|helper|reusable)s?\b/gi, ' '))),
  ];
  if (wanted.length === 0) return [];
  const rarity = new Map(
    wanted.map((word) => [
      word,
      Math.log(1 + all.length / (1 + all.filter((entry) => has(entry.name, word)).length)),
    ]),
  );
  const whole = [...rarity.values()].reduce((sum, weight) => sum + weight, 0) || 1;
  return all
    .flatMap((entry) => {
      let score = 0;
      for (const [word, weight] of rarity) score += (weight / whole) * strength(entry, word);
      // Among equals the one whose name holds little else is meant.
      const extra = splitWords(entry.component.name).length;
      return score >= least ? [{ component: entry.component, score: score - extra / 100 }] : [];
    })
    .sort((a, b) => b.score - a.score || (a.component.path < b.component.path ? -1 : 1));
}

/** Below this a need shares too little with what was found. */
const least = 0.45;

function strength(entry: Indexed, word: string): number {
  if (entry.name.has(word)) return 1;
  if (has(entry.name, word)) return 0.85;
  if (has(entry.description, word)) return 0.6;
  return has(entry.place, word) ? 0.35 : 0;
}

function has(words: Set<string>, word: string): boolean {
  if (words.has(word)) return true;
  for (const other of synonyms().get(word) ?? []) if (words.has(other)) return true;
  return false;
}
