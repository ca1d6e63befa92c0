import { join } from 'node:path';
import { person, readSmallFile, state } from '../files/index.ts';
import { parseJsonObject } from '../json.ts';

/** What a place in the state home says about itself, in `repository.json`. */
export interface HomePlace {
  path: string;
  /** Which file that path was: a rename keeps it. Empty where the file system does not say when a file was made. */
  file: string;
}

export function fileIdentity(path: string): string {
  return person.birth(path) ?? '';
}

/** A repository that was moved keeps its place: the old path is gone, and this is the same file under another name. */
export function followMove(home: string, owner: string, to: string): void {
  const file = fileIdentity(owner);
  const places = join(home, 'repositories');
  if (file === '' || !person.exists(places)) return;
  const from = state
    .list(places)
    .map(({ name }) => join(places, name))
    .find((directory) => {
      const place = readHomePlace(directory);
      return place?.file === file && !person.exists(place.path);
    });
  try {
    if (from) state.move(from, to);
  } catch {
    // Another process was first, or the state home can't be written: then the next start finds it.
  }
}

export function readHomePlace(directory: string): HomePlace | undefined {
  const { path, file } = parseJsonObject(readSmallFile(join(directory, 'repository.json'), 20_000));
  return typeof path === 'string' ? { path, file: `${file ?? ''}` } : undefined;
}
