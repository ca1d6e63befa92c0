import type { HistoryView } from './history-view.ts';

/** A larger commit says little about any two of its files. */
const mostFiles = 20;
/** Shrinkage for a share that is based on few commits. */
const doubt = 2;

/** Files of a commit that still exist, under their current names. */
function livingPaths(view: HistoryView, commit: number): Set<number> {
  const paths = new Set<number>();
  view.eachFile(commit, (path) => {
    if (view.isAlive(path)) paths.add(path);
  });
  return paths;
}

export const livingFilesOf = (view: HistoryView, commit: number): string[] =>
  [...livingPaths(view, commit)].map(view.name);

/** Living files that changed in the same commits as this one, with the share of its commits, 0 … 1. */
export function changedTogether(view: HistoryView, path: number): Map<number, number> {
  const shares = new Map<number, number>();
  const commits = view.commitsOf(path).filter((commit) => view.facts.size(commit) <= mostFiles);
  for (const commit of commits)
    for (const other of livingPaths(view, commit)) shares.set(other, (shares.get(other) ?? 0) + 1);
  shares.delete(view.currentPath(path));
  return new Map([...shares].map(([other, count]) => [other, count / (commits.length + doubt)]));
}

const leaders = 3;
const steepness = 6;

/**
 * What the best results bring along: for each other file the chance that it changes when they do. `scores` are those of
 * a first ranking, in any order; the result is by position in it.
 */
export function broughtAlong<Key>(
  scores: Array<{ key: Key; score: number }>,
  sharesOf: (key: Key) => Map<Key, number>,
): Map<Key, number> {
  const best = scores.toSorted((left, right) => right.score - left.score).slice(0, leaders);
  const powers = best.map(({ score }) => Math.exp(steepness * (score - (best[0]?.score ?? 0))));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const brought = new Map<Key, number>();
  for (const [at, { key }] of best.entries())
    for (const [other, share] of sharesOf(key))
      brought.set(other, (brought.get(other) ?? 0) + (share * (powers[at] ?? 0)) / total);
  return brought;
}

/** A larger commit says little about any two of its files, and costs the square of its size. */
const widest = 12;

/** The living files that changed together most, in one pass over all commits. */
export function coupledPairs(view: HistoryView, { minCount, limit }: { minCount: number; limit: number }) {
  const counts = new Map<number, number>();
  const span = view.stored.homes.size;
  for (const [commit, place] of view.stored.positions.entries()) {
    if (place < 0 || view.facts.size(commit) < 2 || view.facts.size(commit) > widest) continue;
    const paths = [...livingPaths(view, commit)].sort((a, b) => a - b);
    for (const [at, left] of paths.entries())
      for (const right of paths.slice(at + 1)) {
        const key = left * span + right;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  }
  const totals = view.sizes().count;
  return [...counts]
    .filter(([, count]) => count >= minCount)
    .map(([key, count]) => {
      const [left, right] = [Math.floor(key / span), key % span];
      const jaccard = count / ((totals[left] ?? 0) + (totals[right] ?? 0) - count);
      return { left: view.name(left), right: view.name(right), count, jaccard: Math.min(1, jaccard) };
    })
    .sort((a, b) => b.jaccard * b.count - a.jaccard * a.count)
    .slice(0, limit);
}
