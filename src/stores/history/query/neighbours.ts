import { fileTraits } from './file-traits.ts';
import type { HistoryView } from './history-view.ts';

/** Path → similarity, the best being 1. */
type Shares = Map<number, number>;

const storyAtMost = 40;
const throughAtMost = 15;
const siblingsAtMost = 12;

/** Files that change with `path` in its newest commits: the basis of the next step. */
function partners(view: HistoryView, path: number): Shares {
  const shares: Shares = new Map();
  const home = view.currentPath(path);
  const story = view.commitsOf(path);
  let all = 2;
  const newest = story.slice(-storyAtMost);
  for (const [at, commit] of newest.entries()) {
    const size = view.facts.size(commit);
    if (size > view.settings.bulkCap) continue;
    const weight = 1 / (1 + 0.1 * (newest.length - 1 - at));
    all += weight;
    view.eachFile(commit, (other) => {
      if (other === home) return;
      shares.set(other, (shares.get(other) ?? 0) + weight / Math.sqrt(Math.max(1, size - 1)));
    });
  }
  for (const [other, share] of shares) shares.set(other, share / all);
  return shares;
}

/** Files that change with those that change with `path`. */
export function secondPartners(view: HistoryView, path: number): Shares {
  const through = [...partners(view, path)].sort((a, b) => b[1] - a[1]).slice(0, throughAtMost);
  return gathered(view, path, through);
}

/** Files that change with the neighbors of `path` in its folder, weighted by similarity of the name. */
export function partnersOfSiblings(view: HistoryView, path: number): Shares {
  const traits = fileTraits(view);
  const home = view.currentPath(path);
  const asked = traits.look(home);
  const siblings = traits
    .inFolder(asked.folder)
    .filter((other) => other !== home && traits.look(other).test === asked.test)
    .map((other): [number, number] => [other, 0.05 + traits.likeness(asked, traits.look(other))])
    .sort((a, b) => b[1] - a[1])
    .slice(0, siblingsAtMost);
  return gathered(view, path, siblings);
}

function gathered(view: HistoryView, path: number, through: Array<[number, number]>): Shares {
  const shares: Shares = new Map();
  const home = view.currentPath(path);
  let most = 0;
  for (const [middle, weight] of through) {
    for (const [other, share] of partners(view, middle)) {
      if (other === home) continue;
      const sum = (shares.get(other) ?? 0) + weight * share;
      shares.set(other, sum);
      if (sum > most) most = sum;
    }
  }
  for (const [other, share] of shares) shares.set(other, share / most);
  return shares;
}
