import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, SylkError } from '../errors.ts';
import { state } from '../files/index.ts';
import { listBackups, verifyCopy } from './backups.ts';
import { coverRows, findDamagedRows, isCovered, schemaState } from './digests.ts';
import { isEnvironmental } from './failures.ts';
import { openSqlite, requireFiles, retryBusy, type Sqlite, type SqliteOptions } from './open.ts';
import { readPrint, rememberPrint } from './print.ts';
import { damaged, requireSound } from './quarantine.ts';
import { headerFault, readPages } from './raw-pages.ts';
import { type Salvage, salvage } from './salvage.ts';
import { rememberAtClose } from './verified.ts';
import { checkWal, quarantineName, type WalDamage } from './wal-check.ts';

interface Salvaged {
  quarantined: string;
  result: Salvage;
}

export interface OpenedLibraryFile {
  sqlite: Sqlite;
  /** The file was damaged, and this one was made from what could be read. */
  salvaged?: Salvaged | undefined;
  wal?: WalDamage | undefined;
  /** There was a library before, and it has rows. */
  existed: boolean;
  /** There are copies of a library, but the library itself was gone: this one is new. */
  missing: boolean;
}

/**
 * Opens a database that nothing can derive again, and verifies it. A damaged one is kept under another name, and all that
 * can be read of it, or of its backups, is put into a new one in its place.
 */
export function openSalvaging(path: string, given: SqliteOptions): OpenedLibraryFile {
  requireFiles(path);
  const options = { ...given, beforeFollowing: () => requireFit(path, given) };
  if (state.exists(savedName(path))) underLock(path, () => takePlace(path));
  const isEmpty = (state.entry(path)?.size ?? 0) === 0 && !state.exists(`${path}-wal`);
  const before = { existed: !isEmpty, missing: isEmpty && listBackups(path).length > 0 };
  const opened = openSound(path, options);
  if (opened) return tellSalvage({ ...opened, ...before });
  return underLock(path, () => {
    // Another process may have salvaged it while this one waited, or was writing while this one looked.
    takePlace(path);
    const now = openSound(path, options);
    if (now) return tellSalvage({ ...now, ...before });
    replaceBySalvage(path, options);
    rememberPrint(path, readPrint(path).bytes);
    const sqlite = openSqlite(path, options);
    rememberAtClose(sqlite);
    return tellSalvage({ sqlite, ...before });
  });
}

const seeBackups = 'Run `sylk library restore --list` to see earlier backups.';

/** Neither the file, nor anything that it could come back from. */
export const isNeverMade = (path: string): boolean =>
  ![path, `${path}-wal`, savedName(path)].some(state.exists) && listBackups(path).length === 0;

/** A file that somebody put in the place of the one in use is answered from only where it is ours and as it was written. */
function requireFit(path: string, { beforeFollowing }: SqliteOptions): void {
  if (!state.exists(path))
    throw new SylkError('UNAVAILABLE', `${path} is gone: it was removed while it was in use.`, {
      hint: `${seeBackups} Start Sylk again to go on with a new library.`,
    });
  beforeFollowing?.();
  if (readPrint(path).isVerified) return;
  try {
    verifyCopy(path);
  } catch (error) {
    throw new SylkError(
      'UNAVAILABLE',
      `${path} was replaced by a file that is damaged: ${messageOf(error)}.`,
      { hint: 'Run `sylk status`: every readable row is saved into a new file.' },
    );
  }
}

function openSound(
  path: string,
  options: SqliteOptions,
): Pick<OpenedLibraryFile, 'sqlite' | 'wal'> | undefined {
  const wal = checkWal(path);
  if (wal && !wal.repaired) return undefined;
  const print = readPrint(path);
  if (!print.isVerified && isPlainlyDamaged(path)) return undefined;
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openSqlite(path, options);
    if (!print.isVerified) {
      verify(sqlite);
      rememberPrint(path, print.bytes);
    }
    rememberAtClose(sqlite);
    return { sqlite, wal };
  } catch (error) {
    sqlite?.close();
    if (isEnvironmental(error)) throw error;
    return undefined;
  }
}

/** Fields of the header that SQLite would believe, or refuse as if the file were of another kind. */
function isPlainlyDamaged(path: string): boolean {
  if ((state.entry(path)?.size ?? 0) === 0) return false;
  const first = readPages(path).page(1);
  return first !== undefined && headerFault(first) !== undefined;
}

/** Throws where a row or a definition is not as it was written. */
function verify(sqlite: Sqlite): void {
  // From before digests, or after a statement of another program: what is there is taken as it is.
  if (!inOneSnapshot(sqlite, () => isAsWritten(sqlite))) coverRows(sqlite, { all: true });
}

/** What other processes write meanwhile must not look like damage: rows and their digests are read as of one moment. */
function inOneSnapshot<T>(sqlite: Sqlite, read: () => T): T {
  retryBusy(() => sqlite.exec('BEGIN'));
  try {
    return read();
  } finally {
    if (sqlite.db.isTransaction) sqlite.exec('ROLLBACK');
  }
}

function isAsWritten(sqlite: Sqlite): boolean {
  requireSound(sqlite);
  const schema = isCovered(sqlite) ? schemaState(sqlite) : 'new to digests';
  if (schema === 'damaged') throw damaged('the schema is not as it was written');
  if (schema !== 'as written') return false;
  const wrong = findDamagedRows(sqlite);
  if (wrong) throw damaged(`not as written: ${wrong}`);
  return true;
}

/** In the header of a file whose stores have not yet derived again what they keep besides their rows. */
const freshFromSalvage = 1;

export const isFreshFromSalvage = (sqlite: Sqlite): boolean =>
  sqlite.value<number>('PRAGMA user_version') === freshFromSalvage;

const savedName = (path: string): string => `${path}.saved`;

/** The new file is whole before the old one goes; a kill in between is made good by the next opening. */
function replaceBySalvage(path: string, options: SqliteOptions): void {
  const quarantined = quarantineName(path);
  for (const suffix of ['', '-wal'])
    if (state.exists(path + suffix)) keepAs(path + suffix, quarantined + suffix);
  const making = `${path}.saving`;
  const remove = () => {
    for (const suffix of ['', '-wal', '-shm']) state.remove(making + suffix);
  };
  // Of a salvage that was killed.
  remove();
  try {
    const into = openSqlite(making, { ...options, guarded: false });
    try {
      const backups = listBackups(path).map((backup) => backup.path);
      const result = salvage(quarantined, into, backups);
      coverRows(into, { all: true });
      requireSound(into);
      into.exec(`PRAGMA user_version = ${freshFromSalvage}`);
      into.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      state.write(reportName(path), JSON.stringify({ quarantined, result } satisfies Salvaged));
    } finally {
      into.close();
    }
    state.move(making, savedName(path));
    takePlace(path);
  } finally {
    remove();
  }
}

/** What was saved and lost is kept until a process that knows of it closed the library: a kill does not hide it. */
const reportName = (path: string): string => `${path}.salvaged`;

function tellSalvage(opened: OpenedLibraryFile): OpenedLibraryFile {
  const { sqlite } = opened;
  const name = reportName(sqlite.path);
  const text = state.readText(name);
  if (text === undefined) return opened;
  const close = sqlite.close;
  sqlite.close = () => {
    close();
    state.remove(name);
  };
  return { ...opened, salvaged: JSON.parse(text) as Salvaged };
}

function keepAs(path: string, kept: string): void {
  try {
    state.addName(path, kept);
  } catch {
    // File systems without hard links get a copy.
    state.copy(path, kept);
  }
}

/** The log of the damaged file must never be played over the new one: it goes first. */
function takePlace(path: string): void {
  if (!state.exists(savedName(path))) return;
  for (const suffix of ['-wal', '-shm']) state.remove(path + suffix);
  state.move(savedName(path), path);
}

/** One process at a time; a lock of SQLite ends with its process, however that ends. */
function underLock<T>(path: string, work: () => T): T {
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 5000 });
  try {
    retryBusy(() => lock.exec('BEGIN EXCLUSIVE'));
    return work();
  } finally {
    lock.close();
  }
}

/** What a person reads: how much was saved and lost, and where the damaged file is. */
export function salvageNotice({ sqlite, salvaged, wal, missing }: OpenedLibraryFile): string | undefined {
  if (missing) return `The library ${sqlite.path} was missing: this one is new and empty. ${seeBackups}`;
  if (!salvaged)
    return (
      wal &&
      `The write-ahead log of the library had one wrong bit, which was repaired. The damaged log is saved as ${wal.kept}.`
    );
  const { quarantined, result } = salvaged;
  const { saved, restored, backups, unverified, lost } = result;
  const count = Object.values(lost ?? {}).reduce((sum, rows) => sum + rows, 0);
  const tables = Object.entries(lost ?? {}).map(([table, rows]) => `${table} ${rows}`);
  const parts = [
    `The library was damaged: ${saved} rows saved, ${lost ? count : 'an unknown number'} lost${tables.length > 0 ? ` (${tables.join(', ')})` : ''}.`,
    restored > 0
      ? `${restored} of them restored from ${backups.map((backup) => basename(backup)).join(', ')}.`
      : '',
    unverified > 0 ? `${unverified} rows could not be verified.` : '',
    `The damaged file is saved as ${quarantined}.`,
    lost === undefined || count > 0 ? seeBackups : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
