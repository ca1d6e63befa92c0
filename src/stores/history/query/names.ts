import type { HistoryView } from './history-view.ts';

/** The name a path has now; undefined where the file is gone or was never there. */
export function nameNow(view: HistoryView, path: string): string | undefined {
  const id = view.find(path);
  if (id === undefined) return undefined;
  if (view.isAlive(id)) return view.name(id);
  const home = view.currentPath(id);
  return home >= 0 && view.isAlive(home) ? view.name(home) : undefined;
}

/** Every name that the story of each path knows, its own included. */
export function namesEver(view: HistoryView, paths: string[]): Map<string, string[]> {
  const homes = new Map<number, string[]>();
  const asked = new Map<string, number>();
  for (const path of paths) {
    const id = view.find(path);
    if (id === undefined) continue;
    asked.set(path, view.currentPath(id));
    homes.set(view.currentPath(id), []);
  }
  if (homes.size > 0) for (const id of view.all()) homes.get(view.currentPath(id))?.push(view.name(id));
  return new Map([...asked].map(([path, home]) => [path, homes.get(home) ?? [path]]));
}
