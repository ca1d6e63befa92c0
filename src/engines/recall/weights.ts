import type { RecallQuery } from './query.ts';
import table from './weights.json' with { type: 'json' };

/** What a signal is worth at a fifth, a half, four fifths and the whole of its best value; straight lines between. */
export type Curve = readonly number[];
export const curveAt = [0.2, 0.5, 0.8, 1] as const;

/** How much each signal counts: so much for the whole of it, or by a curve. Signals are 0 … 1, so weights can be compared. */
export type Weights = Record<string, number | Curve>;

/**
 * Learned by `npm run lab -- recall-quality learn` on the histories of fifteen public repositories: each commit's message asks for the
 * files that the commit changed. None of the repositories that figures are reported on was among them. Set by hand are `defines`,
 * because messages of commits hardly ever name a definition and questions do, and `unsaid`, by questions in other words.
 */
export const learnedWeights: Weights = table.learned;

/** Learned in the same way where nothing is known by its meaning: what is left has to say more. */
export const wordWeights: Weights = table.words;

/** Questions look for a place: tests and documents come later, and less hangs on what was changed of late. */
const moreForPlaces = { test: -0.4, wanted_test: 0.4, document: -0.12, wanted_document: 0.12 };
const lessForPlaces = ['lately', 'lately_standing', 'recent_votes', 'recent_votes_standing'];

/**
 * Who describes a change wants also what changes with it; who asks wants the place that answers. Who only names a thing is in
 * between. Set by 240 questions about six repositories that no figure is reported on.
 */
function forPlaces(weights: Weights, share: number): Weights {
  const moved = new Map(Object.entries(weights));
  const change = (name: string, by: (weight: number) => number) => {
    const weight = weights[name] ?? 0;
    moved.set(name, typeof weight === 'number' ? by(weight) : weight.map(by));
  };
  for (const [name, more] of Object.entries(moreForPlaces)) change(name, (weight) => weight + more * share);
  for (const name of lessForPlaces) change(name, (weight) => weight * (1 - share / 2));
  return Object.fromEntries(moved);
}

const byAim = (weights: Weights): Record<RecallQuery['aim'], Weights> => ({
  change: weights,
  place: forPlaces(weights, 0.5),
  answer: forPlaces(weights, 1),
});
const byMeaning = byAim(learnedWeights);
const byWords = byAim(wordWeights);

/** A name is found by its letters; its meaning only orders what is left. */
export function weightsFor({ kind, aim }: Pick<RecallQuery, 'kind' | 'aim'>, hasMeaning: boolean): Weights {
  if (kind !== 'question' && kind !== 'words') return table.letters;
  return (hasMeaning ? byMeaning : byWords)[aim];
}
