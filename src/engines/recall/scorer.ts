import type { QueryKind } from './query.ts';
import type { Signals } from './source.ts';

/** How much each signal counts. Signals are 0 … 1, so weights can be compared. */
export type Weights = Record<string, number>;

/**
 * Learned by `npm run lab -- recall-quality learn` on the histories of eleven public repositories: each commit's message asks for the
 * files that the commit changed. None of the repositories that figures are reported on was among them.
 */
export const learnedWeights: Weights = {
  words: 0.29,
  path: 0.22,
  recent_votes: 0.15,
  popularity: -0.1,
  lately: 0.12,
  last_change: 0.2,
  content: 0.42,
  breadth: 0.08,
  meaning: 0.18,
  meaning_votes: 0.23,
  named: 0.22,
  document: -0.19,
  bookkeeping: -0.8,
  wanted_document: 0.33,
  wanted_test: 0.13,
  setup_source: -0.33,
  setup_document: -0.2,
  setup_test: -0.25,
  together: 0.48,
  exact: 0.27,
  test: 0,
  // Set by hand: messages of commits hardly ever name a definition, questions do.
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
};

export const weightsFor = (kind: QueryKind): Weights =>
  kind === 'question' || kind === 'words' ? learnedWeights : byLetters;

export interface ScorePart {
  signal: string;
  value: number;
  weight: number;
  points: number;
}

export interface Scored {
  score: number;
  parts: ScorePart[];
}

/** A weighted sum that can be shown: the parts add up to the score. A signal that another store adds counts as much as a good one. */
export function score(signals: Signals, weights: Weights): Scored {
  const parts: ScorePart[] = [];
  let sum = 0;
  for (const [signal, value] of Object.entries(signals)) {
    if (!value) continue;
    const weight = weights[signal] ?? 0.3;
    const points = weight * value;
    sum += points;
    parts.push({ signal, value: round(value), weight: round(weight), points: round(points) });
  }
  parts.sort((left, right) => Math.abs(right.points) - Math.abs(left.points));
  return { score: sum, parts };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Divides each signal by the best of this question, so that no signal counts by its unit. */
export function normaliseSignals(all: Iterable<Signals>): void {
  const best: Signals = {};
  const kept = [...all];
  for (const signals of kept)
    for (const [name, value] of Object.entries(signals)) best[name] = Math.max(best[name] ?? 0, value);
  for (const signals of kept)
    for (const name of Object.keys(signals)) if (best[name]! > 0) signals[name]! /= best[name]!;
}

const phrases: Record<string, string> = {
  path: 'its path matches',
  recent_votes: 'recent commits with similar messages changed it',
  breadth: 'many of its parts match',
  words: 'its path and the messages of its commits match',
  content: 'its text matches',
  meaning: 'its meaning is close',
  meaning_votes: 'commits of similar meaning changed it',
  popularity: 'it changes often',
  lately: 'it changed often of late',
  last_change: 'it changed lately',
  together: 'it changes together with what else was found',
  wanted_document: 'the question is about documents',
  wanted_test: 'the question is about tests',
  named: 'the question names it',
  recency: 'it is recent',
  exact: 'it contains exactly this',
  defines: 'it defines this name',
};

/** One line for people and models: the two parts that counted most. */
export function reasonOf(parts: ScorePart[]): string {
  const best = parts.filter((part) => part.points > 0).slice(0, 2);
  if (best.length === 0) return 'nothing else came closer';
  return best.map((part) => phrases[part.signal] ?? part.signal.replaceAll('_', ' ')).join('; ');
}
