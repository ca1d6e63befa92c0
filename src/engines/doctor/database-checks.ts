import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import { findDamage, isBusy, isDamaged, openSqlite } from '../../base/sqlite/index.ts';
import { note, ok, problem, type Repairable } from './finding.ts';
import { megabytes } from './runtime-checks.ts';

export interface DatabaseFile {
  id: string;
  title: string;
  path: string;
  /** Derived data can be thrown away and made again. */
  derived: boolean;
  /** Sets a damaged derived database aside. */
  heal?: () => Promise<unknown>;
}

const walLimit = 256 * 1024 * 1024;

/** Looks at a database without changing it: opened for reading only, never set aside by looking. */
export function checkDatabase(file: DatabaseFile, limit = walLimit): Repairable[] {
  const size = sizeOf(file.path);
  if (size === undefined) return [ok(file.id, file.title, 'not there yet')];
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file.path, { readOnly: true, timeout: 2000 });
    const verdict = database
      .prepare('PRAGMA integrity_check(20)')
      .all()
      .map((row) => String(Object.values(row)[0]));
    if (verdict.every((line) => / in index |missing from index/.test(line)))
      return [wrongIndex(file, verdict[0]!)];
    if (verdict[0] !== 'ok') return [damaged(file, verdict[0]!)];
    const wrongRows = file.derived ? undefined : findWrongRows(file.path);
    if (wrongRows) return [damaged(file, `not as written: ${wrongRows}`)];
    return [...checkReferences(database, file, size), ...checkLog(file, limit), ...checkWritable(file)];
  } catch (error) {
    if (isDamaged(error)) return [damaged(file, messageOf(error))];
    return [
      problem(
        file.id,
        file.title,
        `${file.path}: ${messageOf(error)}`,
        'Check who owns the file and its mode.',
      ),
    ];
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
  const detail = `${file.path} is damaged: ${why.split('\n')[0]}`;
  if (!file.derived)
    return problem(
      file.id,
      file.title,
      detail,
      'Run `sylk status`: the file is set aside, every row that can be read is saved into a new one. `sylk library restore --list` shows earlier copies.',
    );
  return problem(
    file.id,
    file.title,
    detail,
    'sylk doctor --fix sets it aside; `sylk index` makes it again from git and files.',
    async () => {
      await file.heal?.();
      return 'set aside; run `sylk index`';
    },
  );
}

function wrongIndex(file: DatabaseFile, why: string): Repairable {
  return problem(
    file.id,
    file.title,
    `${file.path}: ${why}; searches can miss rows.`,
    'sylk doctor --fix makes the indexes anew; no row is touched.',
    () => {
      const writer = new DatabaseSync(file.path, { timeout: 5000 });
      writer.exec('REINDEX');
      writer.close();
      return 'indexes made anew';
    },
  );
}

function checkReferences(database: DatabaseSync, file: DatabaseFile, size: number): Repairable[] {
  const broken = database.prepare('PRAGMA foreign_key_check').all() as Array<{ table: string }>;
  if (broken.length === 0) return [ok(file.id, file.title, `sound, ${megabytes(size)}`)];
  const tables = [...new Set(broken.map((row) => row.table))].join(', ');
  return [
    problem(
      file.id,
      file.title,
      `${broken.length} row(s) of ${tables} point at rows that are gone.`,
      file.derived
        ? 'sylk index --rebuild'
        : 'Run `sylk library restore --list` for earlier copies, or report it: sylk debug bundle',
    ),
  ];
}

function checkLog(file: DatabaseFile, limit: number): Repairable[] {
  const wal = sizeOf(`${file.path}-wal`) ?? 0;
  if (wal <= limit) return [];
  return [
    problem(
      `${file.id}-wal`,
      `${file.title}: write-ahead log`,
      `It has grown to ${megabytes(wal)}: a reader was open for very long.`,
      'End long-running `sylk mcp` and `sylk up`, then sylk doctor --fix.',
      () => {
        const database = new DatabaseSync(file.path, { timeout: 5000 });
        const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
        database.close();
        return row.busy ? 'still in use; end the other processes first' : 'emptied';
      },
    ),
  ];
}

function checkWritable(file: DatabaseFile): Repairable[] {
  const writer = new DatabaseSync(file.path, { timeout: 1000 });
  try {
    writer.exec('BEGIN IMMEDIATE');
    writer.exec('ROLLBACK');
    return [];
  } catch (error) {
    if (!isBusy(error)) throw error;
    return [
      note(
        `${file.id}-lock`,
        `${file.title}: lock`,
        'Another process has been writing for more than a second.',
        'Wait for it; if it never ends, find it with `fuser` or `lsof` and end it.',
      ),
    ];
  } finally {
    writer.close();
  }
}

const sizeOf = (path: string): number | undefined => state.entry(path)?.size;
