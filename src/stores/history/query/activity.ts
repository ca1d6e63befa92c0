import type { HistoryView } from './history-view.ts';

/** How much each file changes, by path. */
export interface Activity {
  /** Commits that touched it, the newest thousand counting most. */
  popularity: Float64Array;
  /** The same with the newest hundred. */
  lately: Float64Array;
  /** 1 for the newest commit, less the more commits came since. */
  lastChange: Float64Array;
}

const bulk = 50;
const cache = new WeakMap<HistoryView, Activity>();

export function activityOf(view: HistoryView): Activity {
  let found = cache.get(view);
  if (found) return found;
  const { positions, commits, homes } = view.stored;
  const make = () => new Float64Array(homes.size);
  const { popularity, lately, lastChange } = { popularity: make(), lately: make(), lastChange: make() };
  for (let id = 0; id < positions.length; id++) {
    const place = positions[id]!;
    if (place < 0) continue;
    const size = view.facts.size(id);
    if (size === 0 || size > bulk) continue;
    const age = commits - place;
    if (age > 9000) continue;
    const [often, now, last] = [Math.exp(-age / 1000), Math.exp(-age / 100), Math.exp(-age / 200)];
    eachHome(view, id, (home) => {
      popularity[home]! += often;
      lately[home]! += now;
      if (last > lastChange[home]!) lastChange[home] = last;
    });
  }
  found = { popularity, lately, lastChange };
  cache.set(view, found);
  return found;
}

export function eachHome(view: HistoryView, commit: number, see: (home: number) => void): void {
  view.facts.eachChange(commit, (touched) => {
    const home = view.currentPath(touched);
    if (home >= 0) see(home);
  });
}
