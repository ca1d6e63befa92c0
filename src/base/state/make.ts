import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SylkError } from '../errors.ts';
import { writeFileAtomic } from '../files.ts';
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
  if (existsSync(directory)) return;
  const id = newStateId();
  const aside = `${directory}.${id}.new`;
  told(directory, () => {
    register.write(id, owner);
    try {
      mkdirSync(aside, { mode: 0o700 });
      writeFileSync(join(aside, 'id'), `${id}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(aside, directory);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      register.remove(id);
      if (!existsSync(directory)) throw error;
    }
  });
}

/** In the state home the directory itself is the registration: its name is made from the path it belongs to. */
export function makeAtHome(directory: string, owner: string): string {
  const about = join(directory, 'repository.json');
  if (existsSync(about)) return directory;
  return told(directory, () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ path: owner, created_at: new Date().toISOString() });
    writeFileAtomic(about, `${text}\n`, { mode: 0o600 });
    return directory;
  });
}

export const makePlain = (directory: string): string =>
  told(directory, () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
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
