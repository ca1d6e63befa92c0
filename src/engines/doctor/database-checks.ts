import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import {
  differsFromPrint,
  findDamage,
  isBusy,
  isDamaged,
  openSqlite,
  removePrint,
} from '../../base/sqlite/index.ts';
import { finding, megabytes, type Repairable } from './finding.ts';

export interface DatabaseFile {
  id: string;
  title: string;
  path: string;
  /** Derived data can be deleted and rebuilt. */
  derived: boolean;
  /** Quarantines a damaged derived database. */
  heal?: () => Promise<unknown>;
}

const walLimit = 256 * 1024 * 1024;

/** Inspects a database without changing it: opened read-only, never quarantined. */
export function checkDatabase(file: DatabaseFile, limit = walLimit): Repairable[] {
  const size = sizeOf(file.path);
  if (size === undefined) return [finding('{id}/none', file)];
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file.path, { readOnly: true, timeout: 2000 });
    const verdict = database
      .prepare('PRAGMA integrity_check(20)')
      .all()
      .map((row) => String(Object.values(row)[0]));
    const [why = ''] = verdict;
    if (verdict.every((line) => / in index |missing from index/.test(line))) return [wrongIndex(file, why)];
    if (why !== 'ok') return [damaged(file, why)];
    const wrongRows = file.derived ? undefined : findWrongRows(file.path);
    if (wrongRows) return [damaged(file, `not as written: ${wrongRows}`)];
    if (file.derived && differsFromPrint(file.path)) return [damaged(file, 'not as it was written')];
    return [checkReferences(database, file, size), ...checkLog(file, limit), ...checkWritable(file)];
  } catch (error) {
    const why = messageOf(error);
    return [isDamaged(error) ? damaged(file, why) : finding('{id}/failed', { ...file, why })];
  } finally {
    database?.close();
  }
}

/** Rows that differ from their digests. */
function findWrongRows(path: string): string | undefined {
  const sqlite = openSqlite(path, { readOnly: true });
  try {
    return findDamage(sqlite);
  } finally {
    sqlite.close();
  }
}

function damaged(file: DatabaseFile, why: string): Repairable {
  const values = { ...file, why: why.split('\n')[0] };
  if (!file.derived) return finding('{id}/lost', values);
  return finding('{id}/damaged', values, async () => {
    await file.heal?.();
    return 'quarantined; run `sylk index`';
  });
}

const wrongIndex = (file: DatabaseFile, why: string): Repairable =>
  finding('{id}/wrong-index', { ...file, why }, () => {
    removePrint(file.path);
    const writer = new DatabaseSync(file.path, { timeout: 5000 });
    writer.exec('REINDEX');
    writer.close();
    return 'indexes rebuilt';
  });

function checkReferences(database: DatabaseSync, file: DatabaseFile, bytes: number): Repairable {
  const broken = database.prepare('PRAGMA foreign_key_check').all();
  if (broken.length === 0) return finding('{id}', { ...file, size: megabytes(bytes) });
  const tables = [...new Set(broken.map((row) => String(row['table'])))].join(', ');
  const fix = file.derived
    ? 'sylk index --rebuild'
    : 'Run `sylk library restore --list` for earlier copies, or report it: sylk debug bundle';
  return finding('{id}/dangling', { ...file, count: broken.length, tables, fix });
}

function checkLog(file: DatabaseFile, limit: number): Repairable[] {
  const wal = sizeOf(`${file.path}-wal`) ?? 0;
  if (wal <= limit) return [];
  const repair = () => {
    const database = new DatabaseSync(file.path, { timeout: 5000 });
    const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    database.close();
    return row?.['busy'] ? 'still in use; end the other processes first' : 'emptied';
  };
  return [finding('{id}-wal', { ...file, size: megabytes(wal) }, repair)];
}

function checkWritable(file: DatabaseFile): Repairable[] {
  const writer = new DatabaseSync(file.path, { timeout: 1000 });
  try {
    writer.exec('BEGIN IMMEDIATE');
    writer.exec('ROLLBACK');
    return [];
  } catch (error) {
    if (!isBusy(error)) throw error;
    return [finding('{id}-lock', file)];
  } finally {
    writer.close();
  }
}

const sizeOf = (path: string): number | undefined => state.entry(path)?.size;
