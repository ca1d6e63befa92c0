import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { person, readSmallFile, state } from '../files/index.ts';
import { parseJsonObject } from '../json.ts';
import { formerPaths, pathsIn } from './register.ts';

/** Where a repository keeps its state in the state home. */
export interface HomePlace {
  directory: string;
  exists: boolean;
  /** The place of another repository that was at this path before. It is never opened. */
  former: string | undefined;
  /** Where its repository was before, latest first. */
  movedFrom: string[];
}

/**
 * Named by the path; by the path and the file where that place belongs to another repository, which this one replaced.
 * A repository that was moved here brings its place along.
 */
export function findHomePlace(home: string, owner: string): HomePlace {
  const file = fileIdentity(owner);
  const byPath = join(home, 'repositories', digest(owner));
  const byFile = join(home, 'repositories', digest(`${owner}\0${file}`));
  const before = readHomePlace(byPath);
  const isTaken = before !== undefined && before.file !== '' && file !== '' && before.file !== file;
  const directory = isTaken || person.exists(byFile) ? byFile : byPath;
  if (!person.exists(directory)) followMove(home, file, directory);
  return {
    directory,
    exists: person.exists(directory),
    former: isTaken ? byPath : undefined,
    movedFrom: formerPaths(owner, readHomePlace(directory)),
  };
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Which file a path is: a rename keeps it. Empty where the file system does not say when a file was made. */
export function fileIdentity(path: string): string {
  try {
    return person.birth(path) ?? '';
  } catch {
    // A path that may not be looked at is nobody's place here.
    return '';
  }
}

/** A repository that was moved keeps its place: the same file under another name, and none any more at the old path. */
function followMove(home: string, file: string, to: string): void {
  const places = join(home, 'repositories');
  if (file === '' || !person.exists(places)) return;
  const from = state
    .list(places)
    .map(({ name }) => join(places, name))
    .find((directory) => {
      const place = readHomePlace(directory);
      return place?.file === file && fileIdentity(place.path) !== file;
    });
  try {
    if (from) state.move(from, to);
  } catch {
    // Another process was first, or the state home can't be written: then the next start finds it.
  }
}

export const homeRegistration = (directory: string): string => join(directory, 'repository.json');

/** What a place in the state home says about itself. */
export function readHomePlace(
  directory: string,
): { path: string; file: string; former: string[] } | undefined {
  const { path, file, former } = parseJsonObject(readSmallFile(homeRegistration(directory), 100_000));
  return typeof path === 'string' ? { path, file: `${file ?? ''}`, former: pathsIn(former) } : undefined;
}
