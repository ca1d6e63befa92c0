import type { Model } from './model.ts';

export interface CoupledPair {
  left: string;
  right: string;
  count: number;
  jaccard: number;
}

/** A wider commit says little about any two of its files, and costs the square of its size. */
const widest = 12;

/** The living files that changed together most, in one pass over all commits. */
export function coupledPairs(model: Model, { minCount, limit }: { minCount: number; limit: number }) {
  const counts = new Map<number, number>();
  const span = model.view.homes.size;
  for (let commit = 0; commit < model.view.positions.length; commit++) {
    const size = model.facts.size(commit);
    if (model.view.positions[commit]! < 0 || size < 2 || size > widest) continue;
    const touched = new Set<number>();
    model.facts.eachChange(commit, (path) => {
      const home = model.home(path);
      if (home >= 0 && model.isAlive(home)) touched.add(home);
    });
    const paths = [...touched].sort((a, b) => a - b);
    for (let at = 0; at < paths.length; at++)
      for (let other = at + 1; other < paths.length; other++) {
        const key = paths[at]! * span + paths[other]!;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  }
  const totals = model.sizes().count;
  const pairs: CoupledPair[] = [];
  for (const [key, count] of counts) {
    if (count < minCount) continue;
    const [left, right] = [Math.floor(key / span), key % span];
    const jaccard = count / ((totals[left] ?? 0) + (totals[right] ?? 0) - count);
    pairs.push({ left: model.name(left), right: model.name(right), count, jaccard: Math.min(1, jaccard) });
  }
  return pairs.sort((a, b) => b.jaccard * b.count - a.jaccard * a.count).slice(0, limit);
}
