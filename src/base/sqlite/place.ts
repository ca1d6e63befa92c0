import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { codeOf } from '../errors.ts';
import { state } from '../files/index.ts';

export type Place = ReturnType<typeof rememberPlace>;

/** Whether the files at a path are still those that a connection has open; `log`: only the log is not. */
export function rememberPlace(path: string) {
  const identity = (file: string): string | undefined => state.entry(file)?.identity;
  const opened = identity(path);
  let log = identity(`${path}-wal`);
  return {
    look: (): 'same' | 'gone' | 'other' | 'log' => {
      const now = identity(path);
      if (now === undefined) return 'gone';
      if (now !== opened) return 'other';
      const logNow = identity(`${path}-wal`);
      // SQLite makes the log when it first needs one.
      log ??= logNow;
      return logNow === log ? 'same' : 'log';
    },
    /** Removes a log that belongs to the file that was here before: it must never be played over the one that is here now. */
    removeLog: () => {
      if (log === undefined || identity(`${path}-wal`) !== log) return;
      for (const suffix of ['-wal', '-shm']) state.remove(path + suffix);
    },
  };
}

/**
 * Writes a database whose file was removed to its old path again, from the connection that still has it. False where
 * another file got there first.
 */
export function bringBack(db: DatabaseSync, path: string): boolean {
  if (state.exists(path)) return false;
  const making = `${path}.returning-${process.pid}`;
  state.remove(making);
  state.create(making);
  try {
    db.prepare('VACUUM INTO ?').run(making);
    // A log left at the path belongs to no file any more, and must not be played over this one.
    for (const suffix of ['-wal', '-shm']) state.remove(path + suffix);
    state.addName(making, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    state.remove(making);
  }
}

export const backupDirectory = (path: string): string => join(dirname(path), 'backups');

export function backupTarget(path: string, label: string, now = Date.now()): string {
  const directory = backupDirectory(path);
  state.makeDirectory(directory);
  // A second copy of the same millisecond is named after the next: the first must stay.
  for (let at = now; ; at++) {
    const time = new Date(at).toISOString().replace(/[:.]/g, '-');
    const target = join(directory, `${basename(path, '.db')}-${label}-${time}-${process.pid}.db`);
    if (!state.entry(target)) return target;
  }
}

/** What only this connection still has is listed with the backups, once another file is at its path. */
export function keepReplaced(db: DatabaseSync, path: string): void {
  const target = backupTarget(path, 'replaced');
  try {
    state.create(target);
    db.prepare('VACUUM INTO ?').run(target);
  } catch {
    // A library that can't be read any more, or a full disk: a part of a copy is none.
    state.remove(target);
  }
}
