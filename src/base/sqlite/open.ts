import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { state } from '../files/index.ts';
import { isBusy } from './failures.ts';

export type Row = Record<string, unknown>;

/** A synchronous connection with cached statements. Every connection of the product is opened here. */
export interface Sqlite {
  readonly path: string;
  readonly db: DatabaseSync;
  /** A cached prepared statement. */
  prepare(sql: string): StatementSync;
  all<T = Row>(sql: string, ...values: SQLInputValue[]): T[];
  get<T = Row>(sql: string, ...values: SQLInputValue[]): T | undefined;
  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastInsertRowid: number };
  exec(sql: string): void;
  /** Runs `work` in one BEGIN IMMEDIATE transaction, waiting for other writers. Inside another write it joins it. */
  write<T>(work: () => T): T;
  close(): void;
}

export interface SqliteOptions {
  readOnly?: boolean;
  /** `full` survives a power cut as well as a kill; `normal` is for what can be derived again. */
  durability?: 'full' | 'normal';
  cacheMegabytes?: number;
}

const busyTimeout = 5000;
const patience = 60_000;
const maxStatements = 500;

export function openSqlite(path: string, options: SqliteOptions = {}): Sqlite {
  if (path !== ':memory:') {
    for (const ending of ['', '-wal', '-shm', '-journal']) state.requireNoLink(path + ending);
    if (!options.readOnly) makePrivate(path);
  }
  const db = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: busyTimeout });
  try {
    retryBusy(() => configure(db, options));
  } catch (error) {
    db.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = db.prepare(sql);
      if (statements.size >= maxStatements) statements.delete(statements.keys().next().value as string);
      statements.set(sql, statement);
    }
    return statement;
  };
  const run = (sql: string, ...values: SQLInputValue[]) => {
    const result = prepare(sql).run(...values);
    return { changes: Number(result.changes), lastInsertRowid: Number(result.lastInsertRowid) };
  };
  const write = <T>(work: () => T): T => {
    if (db.isTransaction) return work();
    retryBusy(() => db.exec('BEGIN IMMEDIATE'));
    try {
      const result = work();
      retryBusy(() => db.exec('COMMIT'));
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    path,
    db,
    prepare,
    all: <T>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as T[],
    get: <T>(sql: string, ...values: SQLInputValue[]) => prepare(sql).get(...values) as T | undefined,
    run,
    exec: (sql) => db.exec(sql),
    write,
    close: () => {
      statements.clear();
      if (db.isOpen) db.close();
    },
  };
}

/** For the owner's eyes only. SQLite gives -wal and -shm the mode of the database. */
function makePrivate(path: string): void {
  const found = state.entry(path);
  if (!found) state.create(path);
  else if ((found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) state.setMode(path, 0o600);
}

function configure(db: DatabaseSync, options: SqliteOptions): void {
  if (!options.readOnly) {
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(`PRAGMA synchronous = ${options.durability === 'normal' ? 'NORMAL' : 'FULL'}`);
    db.exec('PRAGMA journal_size_limit = 67108864');
    // What can be derived again is written in bulk: moving it out of the log less often takes a quarter of the time less.
    if (options.durability === 'normal') db.exec('PRAGMA wal_autocheckpoint = 4000');
  }
  db.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  db.exec('PRAGMA foreign_keys = ON');
  db.exec('PRAGMA temp_store = MEMORY');
  db.exec(`PRAGMA cache_size = -${(options.cacheMegabytes ?? 16) * 1024}`);
}

/** SQLite's own wait gives up under load (and does not apply to every lock); this waits on top of it, with jitter. */
export function retryBusy<T>(work: () => T): T {
  const deadline = Date.now() + patience;
  for (let attempt = 0; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      pause(Math.min(200, 5 * 2 ** Math.min(attempt, 5)) * (0.5 + Math.random()));
    }
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const pause = (milliseconds: number) => Atomics.wait(sleeper, 0, 0, milliseconds);
