import { basename, dirname, resolve } from 'node:path';
import { backup } from 'node:sqlite';
import { messageOf, SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import {
  embeddedOf,
  type Library,
  readIdentity,
  startEpoch,
  writeIdentity,
} from '../../base/library/index.ts';
import {
  type Backup,
  copyInto,
  coverRows,
  isCovered,
  listBackups,
  openSqlite,
  rowHashes,
  type Sqlite,
  verifyCopy,
} from '../../base/sqlite/index.ts';

export interface Restored {
  from: string;
  /** The previous state, in case the wrong copy was chosen. */
  before?: string | undefined;
  rows: number;
}

/** What a restore would change in one table. A changed row counts on both sides. */
export interface TableChange {
  table: string;
  now: number;
  copied: number;
  /** Rows only in the library: they would be removed. */
  removed: number;
  /** Rows only in the copy: they would be restored. */
  added: number;
}

const total = (hashes: Map<string, Set<bigint>>): number =>
  [...hashes.values()].reduce((sum, each) => sum + each.size, 0);

/** An online copy, verified before it is reported. */
export function writeBackup(library: Library, target: string): { path: string; rows: number } {
  if (person.exists(target))
    throw new SylkError('CONFLICT', `${target} already exists.`, { hint: 'Choose another name.' });
  person.makeDirectory(dirname(target));
  copyInto(embeddedOf(library), target);
  return { path: target, rows: total(readCopy(target)) };
}

export const backupsOf = (library: Library): Backup[] => listBackups(embeddedOf(library).path);

/** A name out of the list, or any file. */
export const findBackup = (library: Library, named: string): string =>
  backupsOf(library).find(({ path }) => basename(path) === named)?.path ?? resolve(named);

/** The changes table by table, without unchanged tables. */
export function compareBackup(library: Library, source: string): TableChange[] {
  const now = rowHashes(embeddedOf(library));
  const then = readCopy(source);
  const missingIn = (other: Set<bigint> | undefined, hashes: Set<bigint>) =>
    [...hashes].filter((hash) => !other?.has(hash)).length;
  return [...new Set([...now.keys(), ...then.keys()])].sort().flatMap((table) => {
    const [here, there] = [now.get(table) ?? new Set<bigint>(), then.get(table) ?? new Set<bigint>()];
    const change = { removed: missingIn(there, here), added: missingIn(here, there) };
    if (table === '_changes' || change.removed + change.added === 0) return [];
    return [{ table, now: here.size, copied: there.size, removed: change.removed, added: change.added }];
  });
}

/** Replaces the library with a copy, all or nothing; the previous state is saved next to the library. */
export async function restoreLibrary(library: Library, source: string): Promise<Restored> {
  const expected = readCopy(source);
  refuseNewer(library, source);
  // Refused if the library is not writable; created if it does not exist yet.
  embeddedOf(library).write(() => {});
  const before = library.backUp('before-restore');
  const identity = readIdentity(embeddedOf(library));
  const copy = openSqlite(source, { readOnly: true });
  try {
    await backup(copy.db, embeddedOf(library).path);
  } finally {
    copy.close();
  }
  if (!isCovered(embeddedOf(library))) coverRows(embeddedOf(library), { all: true });
  startEpoch(embeddedOf(library));
  const found = rowHashes(embeddedOf(library));
  const wrong = [...expected].filter(([table, hashes]) => found.get(table)?.size !== hashes.size);
  if (wrong.length > 0)
    throw new SylkError(
      'INTERNAL_ERROR',
      `Rows differ after the restore: ${wrong.map(([table]) => table).join(', ')}.`,
      {
        hint: before ? `The previous state is in ${before}.` : 'Run it again.',
      },
    );
  if (identity !== undefined) writeIdentity(embeddedOf(library), identity);
  return { from: source, before, rows: total(found) };
}

/** The rows of a sound copy. */
export function readCopy(path: string): Map<string, Set<bigint>> {
  if (!person.exists(path))
    throw new SylkError('NOT_FOUND', `File not found: ${path}`, {
      hint: 'Run `sylk library restore --list` to see the backups.',
    });
  let copy: Sqlite | undefined;
  try {
    verifyCopy(path);
    copy = openSqlite(path, { readOnly: true });
    if (!copy.get("SELECT 1 FROM sqlite_master WHERE name = '_schema'"))
      throw new Error('it has no table _schema');
    return rowHashes(copy);
  } catch (error) {
    throw new SylkError('VALIDATION_ERROR', `${path} is not a valid library: ${messageOf(error)}`, {
      hint: 'Choose another backup: `sylk library restore --list`. Nothing was changed.',
    });
  } finally {
    copy?.close();
  }
}

/** A copy of a newer Sylk would lock this one out of its own library. */
function refuseNewer(library: Library, source: string): void {
  const versions = (sqlite: Sqlite) =>
    sqlite.all<{ store: string; version: number }>('SELECT store, version FROM _schema');
  const known = new Map(versions(embeddedOf(library)).map(({ store, version }) => [store, version]));
  const copy = openSqlite(source, { readOnly: true });
  try {
    const newer = versions(copy).find(({ store, version }) => version > (known.get(store) ?? version));
    if (newer)
      throw new SylkError('UNAVAILABLE', `${source} was written by a newer Sylk (${newer.store}).`, {
        hint: 'Upgrade this Sylk first. Nothing was changed.',
      });
  } finally {
    copy.close();
  }
}
