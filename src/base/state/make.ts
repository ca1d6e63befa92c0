import { join } from 'node:path';
import { SylkError } from '../errors.ts';
import { person, state } from '../files/index.ts';
import { fileIdentity, readHomePlace } from './home-place.ts';
import { type createRegister, newStateId } from './register.ts';

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
  told(directory, () => {
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
  });
}

/** In the state home the directory itself is the registration: its name is made from the path that it belongs to. */
export function makeAtHome(directory: string, owner: string): string {
  if (readHomePlace(directory)?.path === owner) return directory;
  return told(directory, () => {
    state.makeDirectory(directory);
    const about = { path: owner, file: fileIdentity(owner), created_at: new Date().toISOString() };
    state.write(join(directory, 'repository.json'), `${JSON.stringify(about)}\n`);
    return directory;
  });
}

export const makePlain = (directory: string): string =>
  told(directory, () => {
    state.makeDirectory(directory);
    return directory;
  });

function told<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusedWrite(directory, (error as Error).message, error);
  }
}

export const refusedWrite = (directory: string, why: string, cause?: unknown): SylkError =>
  new SylkError('UNAVAILABLE', `Sylk can't keep its state in ${directory}: ${why}`, {
    hint: 'Set SYLK_DIR, or XDG_STATE_HOME, to a directory that you can write.',
    cause,
  });
