/** Features of a file's score, each about 0 to 1. A file with few commits of its own is "thin". */
export interface CochangeFeatures {
  /** Shared commits, each worth half the one before; bots and old ones count less. */
  shared: number;
  /** More than one of them. */
  repeated: number;
  /** Shared commits, small and recent ones first, relative to the best other file. */
  recent: number;
  /** Like `recent`, with a faster decay. */
  lately: number;
  /** Like `lately`, relative to all commits of the given file: near 1 only if the two almost always change together. */
  share: number;
  /** Share of the other file's commits that are shared. */
  reverse: number;
  /** Shared one of the last three commits of the given file. */
  last: number;
  /** How much the other file changes these days. */
  active: number;
  /** It changes with the files that change with the given one. */
  second: number;
  /** Thin files: it changes with their neighbors in the folder. */
  siblings: number;
  /** Words in both paths, weighted by rarity. */
  words: number;
  wordsThin: number;
  sameFolderThin: number;
  sameStemThin: number;
  testPair: number;
  sameEnding: number;
  /** One imports or calls the other, if the code is indexed. */
  linked: number;
  /** A change log, a lock file, a vendored copy: changes along with anything. */
  bookkeeping: number;
}

/** Trained on repositories other than those of the reported figures; see bench/history-quality.lab.ts. */
export const cochangeWeights: CochangeFeatures = {
  shared: 1.28,
  repeated: 0.36,
  recent: 0.36,
  lately: 0.79,
  share: 2.69,
  reverse: 1.61,
  last: 0.37,
  active: 1.25,
  second: 0.42,
  siblings: 1.78,
  words: 1.16,
  wordsThin: 2.16,
  sameFolderThin: 1.18,
  sameStemThin: 1.67,
  testPair: 0.49,
  sameEnding: 0.35,
  linked: 0.24,
  bookkeeping: -2.22,
};

export function scoreOf(features: CochangeFeatures, weights: CochangeFeatures = cochangeWeights): number {
  let score = 0;
  let key: keyof CochangeFeatures;
  for (key in weights) score += weights[key] * features[key];
  return score;
}

const guessed: Array<[keyof CochangeFeatures, string]> = [
  ['siblings', 'changes with its neighbors in the folder'],
  ['second', 'changes with the same files'],
  ['words', 'similar name'],
  ['wordsThin', 'similar name'],
  ['sameFolderThin', 'same folder'],
  ['sameStemThin', 'same name'],
  ['active', 'changes often'],
];

/** Why a file is in the answer, in words: the evidence, or the main basis of the guess. */
export function whyRelated(count: number, features: CochangeFeatures, isTest: boolean): string {
  const reasons: string[] = [];
  if (count > 0) reasons.push(count === 1 ? '1 shared commit' : `${count} shared commits`);
  if (features.testPair > 0) reasons.push(isTest ? 'its test by name' : 'tested by it, by name');
  if (features.linked > 0) reasons.push('linked in the code');
  if (reasons.length > 0) return reasons.join(', ');
  const parts = guessed.map(([key, words]) => ({ words, part: features[key] * cochangeWeights[key] }));
  return parts.reduce((best, each) => (each.part > best.part ? each : best)).words;
}
