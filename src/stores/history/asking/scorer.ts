/** What is known about one file in answer to a question, each between 0 and 1. */
export interface FileSignals {
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
  /** The file's name occurs in the question. */
  named: number;
  isTest: number;
  isDocument: number;
  /** A change log, a lock file: touched by everything, about nothing. */
  isBookkeeping: number;
}

export type SignalWeights = Record<keyof FileSignals, number>;

/** Learned on repositories other than those that figures are reported for; see bench/history-quality.lab.ts. */
export const textWeights: SignalWeights = {
  text: 1,
  path: 0.5,
  votes: 0.75,
  recentVotes: 0.5,
  popularity: 0.3,
  named: 0.5,
  isTest: -0.1,
  isDocument: -0.15,
  isBookkeeping: -1,
};

/** One linear sum: every part of a rank can be shown. */
export function scoreSignals(signals: FileSignals, weights: SignalWeights = textWeights): number {
  let score = 0;
  for (const key of Object.keys(weights) as Array<keyof FileSignals>) score += weights[key] * signals[key];
  return score;
}
