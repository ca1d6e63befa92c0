import type { Model } from './model.ts';

/** The name a path has now; undefined where the file is gone or was never there. */
export function nameNow(model: Model, path: string): string | undefined {
  const id = model.find(path);
  if (id === undefined) return undefined;
  if (model.isAlive(id)) return model.name(id);
  const home = model.home(id);
  return home >= 0 && model.isAlive(home) ? model.name(home) : undefined;
}

/** Every name that the story of each path knows, its own included. */
export function namesEver(model: Model, paths: string[]): Map<string, string[]> {
  const homes = new Map<number, string[]>();
  const asked = new Map<string, number>();
  for (const path of paths) {
    const id = model.find(path);
    if (id === undefined) continue;
    asked.set(path, model.home(id));
    homes.set(model.home(id), []);
  }
  if (homes.size > 0) for (const id of model.all()) homes.get(model.home(id))?.push(model.name(id));
  return new Map([...asked].map(([path, home]) => [path, homes.get(home) ?? [path]]));
}
