import { join } from 'node:path';
import { plainReason, SylkError } from '../errors.ts';
import { person, state, system } from '../files/index.ts';
import { fileIdentity, homeRegistration, readHomePlace } from './home-place.ts';
import { type createRegister, formerPaths, newStateId, readLibraryId } from './register.ts';

/**
 * Made aside with its id and renamed: however many processes start at once, one directory is made. It is registered
 * first, so that nobody ever sees it unregistered.
 */
export function makeInside(
  directory: string,
  owner: string,
  register: ReturnType<typeof createRegister>,
): void {
  if (person.exists(directory)) return;
  const id = newStateId();
  const aside = `${directory}.${id}.new`;
  register.write(id, owner);
  try {
    state.makeDirectory(aside);
    state.write(join(aside, 'id'), `${id}\n`);
    state.move(aside, directory);
  } catch (error) {
    state.remove(aside);
    register.remove(id);
    if (!person.exists(directory)) throw error;
  }
}

/** In the state home the directory itself is the registration: it names the path and the file that it belongs to. */
export function makeAtHome(directory: string, owner: string): string {
  const before = readHomePlace(directory);
  if (before?.path === owner) return directory;
  state.makeDirectory(directory);
  const file = homeRegistration(directory);
  const about = {
    path: owner,
    former: formerPaths(owner, before),
    file: fileIdentity(owner),
    created_at: new Date().toISOString(),
    library: readLibraryId(file),
  };
  state.write(file, `${JSON.stringify(about)}\n`);
  return directory;
}

export function makePlain(directory: string): string {
  state.makeDirectory(directory);
  return directory;
}

/** The person's cache; where that can't be written either, a directory that goes with this process. */
export function makeDerived(directory: string): string {
  try {
    makePlain(directory);
    const refusal = system.writeRefusal(directory);
    if (refusal === undefined) return directory;
  } catch {
    // Told with the first write: reading goes on.
  }
  const temporary = makeTemporary();
  process.once('exit', () => state.remove(temporary));
  return temporary;
}

function makeTemporary(): string {
  try {
    return state.temporaryDirectory('sylk-');
  } catch (error) {
    throw new SylkError('UNAVAILABLE', `Sylk has no writable directory: ${whyRefused(error)}.`, {
      hint: 'Set SYLK_DIR, or TMPDIR, to a writable directory.',
      cause: error,
    });
  }
}

export function whyRefused(error: unknown): string {
  const { path } = error as NodeJS.ErrnoException;
  return path === undefined ? plainReason(error) : `${plainReason(error)} (${path})`;
}
