import { once } from '../../../base/once.ts';
import { createTextSet } from '../../../base/search/index.ts';
import { searchWords, splitWords, stem } from '../../../base/text/index.ts';
import { componentTables, type Placed } from './patterns.ts';

/** Synonyms, by stem. */
const synonyms = once(() => {
  const byStem = new Map<string, string[]>();
  for (const group of componentTables().synonyms) {
    const stems = [...new Set(group.map(stem))];
    for (const word of stems) byStem.set(word, stems);
  }
  return byStem;
});

/** Name, description, and path with the names of props; the name weighs most. */
const weights = [8, 2, 0.7];
/** Below this share a need and a component are unrelated. */
const leastShare = 0.45;

export interface Ranked {
  component: Placed;
  score: number;
}

/** Scores of components for a need, best first. */
export function rankComponents(need: string, all: Placed[]): Ranked[] {
  const wanted = new Set(
    searchWords(need.replace(/\b(component|hook|utility|function|helper|reusable)s?\b/gi, ' ')),
  );
  const terms = [...wanted].map((word) => [word, ...(synonyms().get(word) ?? [])]);
  const texts = createTextSet(all.map(wordsOf), weights, { lengthShare: 0 });
  const most = texts.most(terms);
  const scores = texts.scores(terms);
  return all
    .flatMap((component, at) => {
      const share = (scores[at] ?? 0) / Math.max(most, 1e-9);
      // Among equals, the one with the fewest other words in its name wins.
      const score = share - splitWords(component.name).length / 100;
      return share >= leastShare ? [{ component, score }] : [];
    })
    .sort((a, b) => b.score - a.score || (a.component.path < b.component.path ? -1 : 1));
}

const wordsOf = ({ name, description, path, props }: Placed): string[][] => [
  [...new Set(searchWords(name))],
  [...new Set(searchWords(description))],
  [
    ...new Set(
      searchWords(`${path.split('/').slice(-3).join(' ')} ${props.map((prop) => prop.name).join(' ')}`),
    ),
  ],
];
