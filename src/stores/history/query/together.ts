import type { HistoryView } from './history-view.ts';

/** A commit that touches more says little about any two of its files. */
const mostFiles = 20;
/** So much is taken off a share that few commits stand behind. */
const doubt = 2;

/** Living files that changed in the same commits as this one, with the share of its commits, 0 … 1. */
export function changedTogether(view: HistoryView, path: number): Map<number, number> {
  const own = view.currentPath(path);
  const shares = new Map<number, number>();
  let commits = 0;
  for (const commit of view.commitsOf(path)) {
    if (view.facts.size(commit) > mostFiles) continue;
    commits++;
    const seen = new Set<number>();
    view.facts.eachChange(commit, (touched) => {
      const home = view.currentPath(touched);
      if (home >= 0 && home !== own && view.isAlive(home)) seen.add(home);
    });
    for (const home of seen) shares.set(home, (shares.get(home) ?? 0) + 1);
  }
  for (const [home, count] of shares) shares.set(home, count / (commits + doubt));
  return shares;
}

const leaders = 3;
const steepness = 6;

/**
 * What the best answers bring along: for each other file the chance that it changes when they do. `scores` are those of
 * a first ranking, in any order; the answer is by place in it.
 */
export function broughtAlong<Key>(
  scores: Array<{ key: Key; score: number }>,
  sharesOf: (key: Key) => Map<Key, number>,
): Map<Key, number> {
  const best = scores.toSorted((left, right) => right.score - left.score).slice(0, leaders);
  const powers = best.map(({ score }) => Math.exp(steepness * (score - best[0]!.score)));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const brought = new Map<Key, number>();
  for (const [at, { key }] of best.entries())
    for (const [other, share] of sharesOf(key))
      brought.set(other, (brought.get(other) ?? 0) + (share * powers[at]!) / total);
  return brought;
}
