import { join } from 'node:path';
import { plainReason } from '../errors.ts';
import { state } from '../files/index.ts';
import { isDamaged } from './failures.ts';
import { openSqlite, requireFiles, type Sqlite, type SqliteOptions } from './open.ts';
import { differsFromPrint, removePrint } from './print.ts';
import { printAtClose } from './verified.ts';
import { checkWal, quarantineName, type WalDamage } from './wal-check.ts';

export interface OpenedSqlite {
  sqlite: Sqlite;
  /** Where the damaged file went, if there was one. */
  quarantined?: string | undefined;
  /** The write-ahead log was damaged: repaired, or its last commits are gone. */
  wal?: WalDamage | undefined;
  /** The disk is full: this is a copy elsewhere, which ends with the connection. */
  isScratch?: boolean;
}

/**
 * Opens what can be derived again. SQLite needs room beside a database even to read it: on a full disk a copy is opened
 * where there is some, and can be brought up to date; what is written to it is not kept.
 */
export function openOrQuarantine(path: string, options: SqliteOptions = {}): OpenedSqlite {
  try {
    return openInPlace(path, options);
  } catch (error) {
    if (plainReason(error) !== 'the disk is full') throw error;
    const directory = state.temporaryDirectory('sylk-index-');
    const remove = () => state.remove(directory);
    try {
      const copy = join(directory, 'copy.db');
      for (const end of ['', '-wal']) if (state.exists(path + end)) state.copy(path + end, copy + end);
      const opened = openInPlace(copy, options);
      return { ...opened, sqlite: withEnd(opened.sqlite, remove), isScratch: true };
    } catch {
      // No room there either: the first failure says what to do.
      remove();
      throw error;
    }
  }
}

const withEnd = (sqlite: Sqlite, end: () => void): Sqlite =>
  new Proxy(sqlite, {
    get: (opened, name) =>
      name === 'close'
        ? () => {
            opened.close();
            end();
          }
        : Reflect.get(opened, name),
  });

/** A damaged one is moved to `<name>.corrupt.<time>` and an empty one takes its place. */
function openInPlace(path: string, options: SqliteOptions = {}): OpenedSqlite {
  requireFiles(path);
  const wal = checkWal(path);
  let sqlite: Sqlite | undefined;
  try {
    if (differsFromPrint(path)) throw damaged('not as it was written');
    sqlite = openSqlite(path, options);
    sqlite.get('SELECT count(*) FROM sqlite_master');
    printAtClose(sqlite);
    return { sqlite, wal };
  } catch (error) {
    sqlite?.close();
    if (!isDamaged(error)) throw error;
    const quarantined = quarantine(path);
    const fresh = openSqlite(path, options);
    printAtClose(fresh);
    return { sqlite: fresh, quarantined, wal };
  }
}

/** One line for a person: what was damaged, where it went, what became of it. */
export function damageNotice(
  what: string,
  { quarantined, wal, isScratch }: OpenedSqlite,
): string | undefined {
  if (isScratch)
    return `The disk is full: the ${what} is read and updated in a copy that is not kept. Free some space.`;
  if (quarantined) return `The ${what} was damaged: set aside as ${quarantined}, rebuilt from git and files.`;
  if (!wal) return undefined;
  const result = wal.repaired
    ? 'one wrong bit was repaired'
    : 'its last changes could not be read; run `sylk index`';
  return `The write-ahead log of the ${what} was damaged: ${result}. The damaged log is saved as ${wal.kept}.`;
}

/** Moves a database with its companions aside. */
export function quarantine(path: string): string {
  const target = quarantineName(path);
  removePrint(path);
  for (const suffix of ['', '-wal', '-shm']) {
    if (state.exists(path + suffix)) state.move(path + suffix, target + suffix);
  }
  return target;
}

/** Reads every page: slow on a large database, so asked only where damage is suspected. */
export function isSound(sqlite: Sqlite): boolean {
  try {
    requireSound(sqlite);
    return true;
  } catch {
    return false;
  }
}

/** Trees, rows, text indexes and whether indexes agree with their tables. */
export function requireSound(sqlite: Sqlite): void {
  const verdict = sqlite.value<string>('PRAGMA integrity_check(1)');
  if (verdict !== 'ok') throw damaged(`integrity_check: ${verdict}`);
}

/** A failure that reads as SQLite's own word for damage. */
export const damaged = (why: string): Error => Object.assign(new Error(why), { errcode: 11 });
