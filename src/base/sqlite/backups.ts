import { basename, join } from 'node:path';
import { state } from '../files/index.ts';
import { findDamage } from './digests.ts';
import { openSqlite, type Sqlite } from './open.ts';
import { backupDirectory, backupTarget } from './place.ts';
import { requireSound } from './quarantine.ts';

export interface Backup {
  path: string;
  /** Why it was made: `by hand`, `daily`, `before-restore`, `replaced` (by another file), or the store and version before a migration. */
  label: string;
  /** When, as in the name of the file. */
  at: string;
  bytes: number;
}

const keptOfLabel = 5;
const keptDaily = 7;
/** All daily copies together; the newest is kept whatever its size. */
const dailyBytes = 1_000_000_000;

const form = /^(?:(.+)-)?(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)(?:-\d+)?\.db$/;

/** Copies beside the database, newest first. */
export function listBackups(path: string): Backup[] {
  const directory = backupDirectory(path);
  const stem = `${basename(path, '.db')}-`;
  return state
    .list(directory)
    .flatMap(({ name }) => {
      const [, label = 'by hand', at] = name.startsWith(stem)
        ? (form.exec(name.slice(stem.length)) ?? [])
        : [];
      const bytes = state.entry(join(directory, name))?.size;
      return at && bytes ? [{ path: join(directory, name), label, at, bytes }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** An online copy beside the database: `backups/<name>-<label>-<time>.db`, verified. The oldest of the label are removed. */
export function backUp(sqlite: Sqlite, label: string, now = Date.now()): string | undefined {
  if (sqlite.path === ':memory:') return undefined;
  const target = backupTarget(sqlite.path, label, now);
  copyInto(sqlite, target);
  prune(sqlite.path, label);
  return target;
}

/** A copy that is not sound is no copy. */
export function copyInto(sqlite: Sqlite, target: string): void {
  // SQLite writes into an empty file as into none, and keeps its mode.
  state.create(target);
  try {
    sqlite.prepare('VACUUM INTO ?').run(target);
    verifyCopy(target);
  } catch (error) {
    state.remove(target);
    throw error;
  }
}

export function verifyCopy(path: string): void {
  const copy = openSqlite(path, { readOnly: true });
  try {
    copy.exec('BEGIN');
    requireSound(copy);
    const wrong = findDamage(copy);
    if (wrong) throw new Error(`not as written: ${wrong}`);
  } finally {
    copy.close();
  }
}

/** One copy a day while the library is in use and has changed since the last one. */
export function backUpDaily(sqlite: Sqlite, now = Date.now()): string | undefined {
  const today = new Date(now).toISOString().slice(0, 10);
  if (listBackups(sqlite.path).some(({ label, at }) => label === 'daily' && at.startsWith(today)))
    return undefined;
  return backUp(sqlite, 'daily', now);
}

/** What was forgotten must not live on in copies. */
export function removeBackups(path: string): void {
  for (const backup of listBackups(path)) state.remove(backup.path);
}

function prune(path: string, label: string): void {
  let bytes = 0;
  listBackups(path)
    .filter((backup) => backup.label === label)
    .forEach((backup, newer) => {
      bytes += backup.bytes;
      const tooMany = newer >= (label === 'daily' ? keptDaily : keptOfLabel);
      if (tooMany || (label === 'daily' && newer > 0 && bytes > dailyBytes)) state.remove(backup.path);
    });
}
