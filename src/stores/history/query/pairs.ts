import type { HistoryView } from './history-view.ts';

export interface CoupledPair {
  left: string;
  right: string;
  count: number;
  jaccard: number;
}

/** A wider commit says little about any two of its files, and costs the square of its size. */
const widest = 12;

/** The living files that changed together most, in one pass over all commits. */
export function coupledPairs(view: HistoryView, { minCount, limit }: { minCount: number; limit: number }) {
  const counts = new Map<number, number>();
  const span = view.stored.homes.size;
  for (let commit = 0; commit < view.stored.positions.length; commit++) {
    const size = view.facts.size(commit);
    if (view.stored.positions[commit]! < 0 || size < 2 || size > widest) continue;
    const touched = new Set<number>();
    view.facts.eachChange(commit, (path) => {
      const home = view.currentPath(path);
      if (home >= 0 && view.isAlive(home)) touched.add(home);
    });
    const paths = [...touched].sort((a, b) => a - b);
    for (let at = 0; at < paths.length; at++)
      for (let other = at + 1; other < paths.length; other++) {
        const key = paths[at]! * span + paths[other]!;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  }
  const totals = view.sizes().count;
  const pairs: CoupledPair[] = [];
  for (const [key, count] of counts) {
    if (count < minCount) continue;
    const [left, right] = [Math.floor(key / span), key % span];
    const jaccard = count / ((totals[left] ?? 0) + (totals[right] ?? 0) - count);
    pairs.push({ left: view.name(left), right: view.name(right), count, jaccard: Math.min(1, jaccard) });
  }
  return pairs.sort((a, b) => b.jaccard * b.count - a.jaccard * a.count).slice(0, limit);
}
