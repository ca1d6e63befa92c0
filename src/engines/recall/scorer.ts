import type { RecallQuery } from './query.ts';
import type { Signals } from './source.ts';

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

/**
 * Who asks wants the place that answers, who describes a change also what changes with it: tests and documents come later, and
 * less hangs on what was changed of late. Set by 129 questions about six repositories that no figure is reported on.
 */
const askedWeights: Weights = {
  ...learnedWeights,
  test: -0.5,
  wanted_test: 0.66,
  document: -0.4,
  wanted_document: 0.54,
  lately: [0.02, 0, -0.02, -0.06],
  lately_standing: 0.15,
  recent_votes: [0.03, 0.04, 0.03, 0.03],
  recent_votes_standing: 0.09,
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

export function weightsFor({ kind, asks }: Pick<RecallQuery, 'kind' | 'asks'>): Weights {
  if (kind !== 'question' && kind !== 'words') return byLetters;
  return asks ? askedWeights : learnedWeights;
}

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
    const points = pointsOf(weights[signal] ?? 0.3, value);
    sum += points;
    parts.push({ signal, value: round(value), weight: round(points / value), points: round(points) });
  }
  parts.sort((left, right) => Math.abs(right.points) - Math.abs(left.points));
  return { score: sum, parts };
}

export function pointsOf(weight: number | Curve, value: number): number {
  if (typeof weight === 'number') return weight * value;
  let [from, low] = [0, 0];
  for (const [at, to] of curveAt.entries()) {
    const high = weight[at]!;
    if (value <= to) return low + ((value - from) / (to - from)) * (high - low);
    [from, low] = [to, high];
  }
  return low;
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

const standing = /_standing$/;

/**
 * How far in front a candidate is by one signal, for the signals whose standing counts: 1 for the first, a half for the
 * sixth. A value says how good, the standing how much better than the others.
 */
export function addStandings(all: Signals[], weights: Weights): void {
  for (const name of Object.keys(weights)) {
    const signal = name.replace(standing, '');
    if (signal === name) continue;
    const having = all.filter((signals) => (signals[signal] ?? 0) > 0);
    having.sort((left, right) => right[signal]! - left[signal]!);
    let place = 0;
    for (const [at, signals] of having.entries()) {
      if (at > 0 && signals[signal]! < having[at - 1]![signal]!) place = at;
      signals[name] = 1 / (1 + place / 5);
    }
  }
}

const phrases: Record<string, string> = {
  path: 'its path matches',
  recent_votes: 'recent commits with similar messages changed it',
  breadth: 'many of its parts match',
  words: 'its path and the messages of its commits match',
  content: 'its text matches',
  meaning: 'its meaning is close',
  meaning_votes: 'commits of similar meaning changed it',
  unsaid: 'its meaning is close, in other words',
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

/** One line for people and models: the two signals that counted most, each with its standing. */
export function reasonOf(parts: ScorePart[]): string {
  const points = new Map<string, number>();
  for (const part of parts) {
    const signal = part.signal.replace(standing, '');
    points.set(signal, (points.get(signal) ?? 0) + part.points);
  }
  const best = [...points].filter(([, sum]) => sum > 0).sort(([, left], [, right]) => right - left);
  if (best.length === 0) return 'nothing else came closer';
  return best
    .slice(0, 2)
    .map(([signal]) => phrases[signal] ?? signal.replaceAll('_', ' '))
    .join('; ');
}
