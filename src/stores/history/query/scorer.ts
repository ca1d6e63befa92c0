import type { RoleSignals } from './roles.ts';

/** What is known about one file in answer to a question, each between 0 and 1. */
export interface FileSignals extends RoleSignals {
  /** BM25 over the file's path and the messages of all commits that touched it. */
  text: number;
  /** BM25 over the path alone. */
  path: number;
  /** Votes of the commits whose messages are most like the question. */
  votes: number;
  /** As `votes`, with recent commits counting more. */
  recentVotes: number;
  /** How often and how recently the file changes at all. */
  popularity: number;
  /** How often it changed in the last hundred commits. */
  lately: number;
  /** How recently it changed at all. */
  lastChange: number;
  /** The file's name occurs in the question. */
  named: number;
  /** How often it changes together with what else is found first. */
  together: number;
}

export type SignalWeights = Record<keyof FileSignals, number>;

/**
 * Learned on fifteen repositories other than those that figures are reported for; questions that share no word with the
 * right path counted three times. See bench/history-quality.lab.ts.
 */
export const textWeights: SignalWeights = {
  text: 0.41,
  path: 0.18,
  votes: 0.12,
  recentVotes: 0.35,
  popularity: -0.13,
  lately: 0.16,
  lastChange: 0.3,
  named: 0.43,
  test: -0.09,
  document: -0.19,
  bookkeeping: -0.95,
  wantedDocument: 0.35,
  wantedTest: 0.39,
  setupSource: -0.23,
  setupDocument: -0.12,
  setupTest: -0.19,
  together: 0.56,
};

/** One linear sum: every part of a rank can be shown. */
export function scoreSignals(signals: FileSignals, weights: SignalWeights = textWeights): number {
  let score = 0;
  for (const key of Object.keys(weights) as Array<keyof FileSignals>) score += weights[key] * signals[key];
  return score;
}
