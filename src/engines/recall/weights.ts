import type { RecallQuery } from './query.ts';

/** What a signal is worth at a fifth, a half, four fifths and the whole of its best value; straight lines between. */
export type Curve = readonly [number, number, number, number];
export const curveAt = [0.2, 0.5, 0.8, 1] as const;

/** How much each signal counts: so much for the whole of it, or by a curve. Signals are 0 … 1, so weights can be compared. */
export type Weights = Record<string, number | Curve>;

/**
 * Learned by `npm run lab -- recall-quality learn` on the histories of fifteen public repositories: each commit's message asks for the
 * files that the commit changed. None of the repositories that figures are reported on was among them.
 */
export const learnedWeights: Weights = {
  words: [0.03, 0.08, 0.13, 0.22],
  words_standing: 0.12,
  path: [0.07, 0.18, 0.27, 0.32],
  path_standing: -0.1,
  recent_votes: [0.05, 0.07, 0.05, 0.06],
  recent_votes_standing: 0.17,
  popularity: [-0.02, -0.07, 0, 0.13],
  popularity_standing: -0.43,
  lately: [0.04, 0, -0.03, -0.13],
  lately_standing: 0.29,
  last_change: [0.06, 0.12, 0.15, 0.17],
  last_change_standing: 0.19,
  content: [0.04, 0.15, 0.27, 0.37],
  content_standing: 0.14,
  breadth: [0.03, 0.06, 0.06, 0.06],
  breadth_standing: 0.01,
  meaning: [0.02, 0.03, 0.07, 0.11],
  meaning_standing: 0.2,
  meaning_votes: [0.06, 0.09, 0.08, 0.08],
  meaning_votes_standing: 0.26,
  named: [0.02, 0.07, 0.12, 0.15],
  named_standing: 0.09,
  document: -0.28,
  bookkeeping: -1.3,
  wanted_document: 0.42,
  wanted_test: 0.26,
  setup_source: -0.31,
  setup_document: -0.21,
  setup_test: -0.25,
  together: [0.04, 0.12, 0.09, 0.07],
  together_standing: 0.17,
  exact: 0.35,
  test: -0.1,
  // Set by hand: messages of commits hardly ever name a definition, questions do.
  defines: 0.5,
  // Set by questions in other words about two repositories that no figure is reported on.
  unsaid: 2,
};

/** Learned in the same way where nothing is known by its meaning: what is left has to say more. */
export const wordWeights: Weights = {
  words: [0.02, 0.08, 0.15, 0.25],
  words_standing: 0.14,
  path: [0.08, 0.2, 0.29, 0.35],
  path_standing: -0.08,
  recent_votes: [0.07, 0.12, 0.11, 0.11],
  recent_votes_standing: 0.3,
  popularity: [0, -0.05, 0.03, 0.17],
  popularity_standing: -0.4,
  lately: [0.04, -0.01, -0.05, -0.17],
  lately_standing: 0.33,
  last_change: [0.07, 0.14, 0.16, 0.18],
  last_change_standing: 0.19,
  content: [0.04, 0.16, 0.3, 0.41],
  content_standing: 0.19,
  breadth: [0.05, 0.1, 0.11, 0.11],
  breadth_standing: 0.06,
  named: [0.02, 0.07, 0.13, 0.17],
  named_standing: 0.09,
  document: -0.26,
  bookkeeping: -1.29,
  wanted_document: 0.44,
  wanted_test: 0.39,
  setup_source: -0.29,
  setup_document: -0.2,
  setup_test: -0.26,
  together: [0.04, 0.03, -0.07, -0.14],
  together_standing: 0.22,
  exact: 0.35,
  test: -0.12,
  defines: 0.5,
};

/** A name is found by its letters; its meaning only orders what is left. */
const byLetters: Weights = {
  words: 0.3,
  path: 0.3,
  content: 0.5,
  breadth: 0.1,
  named: 0.6,
  recent_votes: 0.05,
  meaning: 0.05,
  meaning_votes: 0,
  popularity: 0.03,
  lately: 0,
  last_change: 0,
  together: 0,
  document: -0.1,
  test: -0.1,
  bookkeeping: -0.2,
  wanted_document: 0,
  wanted_test: 0,
  setup_source: 0,
  setup_document: 0,
  setup_test: 0,
  unsaid: 0,
};

/**
 * Who describes a change wants also what changes with it; who asks wants the place that answers: tests and documents come later,
 * and less hangs on what was changed of late. Who only names a thing is in between. Set by 240 questions about six repositories
 * that no figure is reported on.
 */
function forPlaces(weights: Weights, share: number): Weights {
  const less = (name: string): number | Curve => {
    const weight = weights[name]!;
    const kept = 1 - share / 2;
    return typeof weight === 'number'
      ? weight * kept
      : (weight.map((each) => each * kept) as unknown as Curve);
  };
  const more = (name: string, by: number) => (weights[name] as number) + by * share;
  return {
    ...weights,
    test: more('test', -0.4),
    wanted_test: more('wanted_test', 0.4),
    document: more('document', -0.12),
    wanted_document: more('wanted_document', 0.12),
    lately: less('lately'),
    lately_standing: less('lately_standing'),
    recent_votes: less('recent_votes'),
    recent_votes_standing: less('recent_votes_standing'),
  };
}

const byAim = (weights: Weights): Record<RecallQuery['aim'], Weights> => ({
  change: weights,
  place: forPlaces(weights, 0.5),
  answer: forPlaces(weights, 1),
});
const byMeaning = byAim(learnedWeights);
const byWords = byAim(wordWeights);

export function weightsFor({ kind, aim }: Pick<RecallQuery, 'kind' | 'aim'>, hasMeaning: boolean): Weights {
  if (kind !== 'question' && kind !== 'words') return byLetters;
  return (hasMeaning ? byMeaning : byWords)[aim];
}
