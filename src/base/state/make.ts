import { join } from 'node:path';
import { SylkError } from '../errors.ts';
import { person, state } from '../files/index.ts';
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

/** In the state home the directory itself is the registration: its name is made from the path it belongs to. */
export function makeAtHome(directory: string, owner: string): string {
  const about = join(directory, 'repository.json');
  if (person.exists(about)) return directory;
  return told(directory, () => {
    state.makeDirectory(directory);
    const text = JSON.stringify({ path: owner, created_at: new Date().toISOString() });
    state.write(about, `${text}\n`);
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
