import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { backoff } from '../backoff.ts';
import { SylkError } from '../errors.ts';
import { state } from '../files/index.ts';
import { isBusy, namingFullDisk } from './failures.ts';
import { bringBack, keepReplaced, type Place, rememberPlace } from './place.ts';
import { removePrint } from './print.ts';
import { registerRowDigest } from './row-digest.ts';

export type Row = Record<string, unknown>;

/** A prepared statement; its rows have the shape that the caller names. */
export interface Statement<T>
  extends Pick<StatementSync, 'run' | 'columns' | 'setReadBigInts' | 'setReturnArrays'> {
  all(...values: SQLInputValue[]): T[];
  get(...values: SQLInputValue[]): T | undefined;
  iterate(...values: SQLInputValue[]): NodeJS.Iterator<T>;
}

/** A synchronous connection with cached statements. Every connection of the product is opened here. */
export type Sqlite = ReturnType<typeof openSqlite>;

export interface SqliteOptions {
  readOnly?: boolean;
  /** `full` survives a power cut as well as a kill; `normal` is for what can be derived again. */
  durability?: 'full' | 'normal';
  cacheMegabytes?: number;
  /** Notices when the file is removed or replaced by others: for what nothing can derive again. */
  guarded?: boolean;
  /** Throws where the file that another one was replaced by must not be used. */
  beforeFollowing?: () => void;
  /** Makes the directory of a file that was removed what it was; throws where the file must not come back. */
  beforeReturning?: () => void;
}

const changes = /^\s*(?:BEGIN IMMEDIATE|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|VACUUM|REINDEX)\b/i;
const busyTimeout = 5000;
const patience = 60_000;
const maxStatements = 500;
/** A reader looks so often, in milliseconds, whether the file at the path is still its own. */
const lookEvery = 100;

export function openSqlite(path: string, options: SqliteOptions = {}) {
  let db = namingFullDisk(path, () => connect(path, options));
  let place = placeOf(path, options);
  const statements = new Map<string, Statement<unknown>>();
  const derived = options.durability === 'normal' && path !== ':memory:';
  const reopen = () => {
    statements.clear();
    // SQLite itself leaves the files at the path alone where they are not its own any more.
    if (db.isOpen) db.close();
    db = connect(path, options);
    place = placeOf(path, options);
  };
  const inTransaction = () => db.isOpen && db.isTransaction;
  let refused = false;
  const followOther = () => {
    refused = true;
    statements.clear();
    if (db.isOpen) {
      keepReplaced(db, path);
      db.close();
    }
    place?.removeLog();
    options.beforeFollowing?.();
    reopen();
    refused = false;
  };
  /** Everything that was committed is in the file at the path afterwards; false where that is another one. */
  const follow = (found: ReturnType<Place['look']>): boolean => {
    if (found === 'log') db.exec('PRAGMA wal_checkpoint(FULL)');
    if (found === 'gone') options.beforeReturning?.();
    const kept = found === 'log' || (found === 'gone' && bringBack(db, path));
    if (kept) reopen();
    else followOther();
    return kept;
  };
  let looked = performance.now();
  const lookBeforeReading = () => {
    if (refused) followOther();
    if (!place || !db.isOpen || db.isTransaction || performance.now() - looked < lookEvery) return;
    looked = performance.now();
    if (place.look() === 'other') followOther();
  };
  const forgetPrint = (sql: string) => derived && changes.test(sql) && removePrint(path);
  const cached = (sql: string, asArrays: boolean): Statement<unknown> => {
    lookBeforeReading();
    if (!inTransaction()) forgetPrint(sql);
    const key = asArrays ? `\0${sql}` : sql;
    let statement = statements.get(key);
    if (!statement) {
      const [oldest] = statements.keys();
      if (oldest !== undefined && statements.size >= maxStatements) statements.delete(oldest);
      const prepared: Statement<unknown> = db.prepare(sql);
      prepared.setReturnArrays(asArrays);
      statement = prepared;
      statements.set(key, statement);
    }
    return statement;
  };
  const prepare = <T = Row>(sql: string) => cached(sql, false) as Statement<T>;
  const arrays = <T>(sql: string) => cached(sql, true) as Statement<T>;
  /** Begins a transaction that writes, on the file that is at the path now. */
  const begin = () => {
    if (refused) followOther();
    if (!db.isOpen) reopen();
    const found = place?.look() ?? 'same';
    if (found !== 'same') follow(found);
    retryBusy(() => db.exec('BEGIN IMMEDIATE'));
    if (derived) removePrint(path);
  };
  /** Ends it. Nothing is acknowledged that went into a file which is not at the path any more. */
  const commit = () => {
    if (place?.look() === 'other') {
      db.exec('ROLLBACK');
      followOther();
      throw replaced(path, 'Nothing of this change was stored.');
    }
    retryBusy(() => db.exec('COMMIT'));
    const found = place?.look() ?? 'same';
    if (found !== 'same' && !follow(found)) throw replaced(path, 'This change may not have been stored.');
  };
  /** Runs `work` in one BEGIN IMMEDIATE transaction, waiting for other writers. Inside another write it joins it. */
  const write = <T>(work: () => T): T => {
    if (inTransaction()) return work();
    return namingFullDisk(path, () => {
      begin();
      try {
        const result = work();
        commit();
        return result;
      } catch (error) {
        if (inTransaction()) db.exec('ROLLBACK');
        throw error;
      }
    });
  };
  const runStatement = (sql: string, values: SQLInputValue[]) => {
    const result = prepare(sql).run(...values);
    return { changes: Number(result.changes), lastInsertRowid: Number(result.lastInsertRowid) };
  };
  return {
    path,
    get db() {
      return db;
    },
    prepare,
    all: <T = Row>(sql: string, ...values: SQLInputValue[]) => prepare<T>(sql).all(...values),
    get: <T = Row>(sql: string, ...values: SQLInputValue[]) => prepare<T>(sql).get(...values),
    /** The first column of the first row. */
    value: <T>(sql: string, ...values: SQLInputValue[]) => arrays<[T]>(sql).get(...values)?.[0],
    /** The first column of every row. */
    column: <T>(sql: string, ...values: SQLInputValue[]) =>
      arrays<[T]>(sql)
        .all(...values)
        .map(([first]) => first),
    /** Rows one after the other, each as an array of its columns. */
    rows: <T extends unknown[]>(sql: string, ...values: SQLInputValue[]): Iterable<T> => {
      const statement = db.prepare(sql) as Statement<unknown> as Statement<T>;
      statement.setReturnArrays(true);
      return statement.iterate(...values);
    },
    run: (sql: string, ...values: SQLInputValue[]) =>
      options.guarded ? write(() => runStatement(sql, values)) : runStatement(sql, values),
    exec: (sql: string) => {
      forgetPrint(sql);
      db.exec(sql);
      // Another process may have taken it while this one waited for its turn.
      forgetPrint(sql);
    },
    write,
    begin,
    commit,
    close: () => {
      statements.clear();
      if (db.isOpen) db.close();
    },
  };
}

const placeOf = (path: string, { guarded }: SqliteOptions): Place | undefined =>
  guarded && path !== ':memory:' ? rememberPlace(path) : undefined;

const replaced = (path: string, what: string): SylkError =>
  new SylkError('UNAVAILABLE', `${path} was replaced by another file while it was in use. ${what}`, {
    hint: 'Run the same command again: it works on the current file.',
  });

/** Throws where a link, a device, a FIFO or a directory is in place of a database or of a file beside it. */
export function requireFiles(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) state.requireFile(path + ending);
}

function connect(path: string, options: SqliteOptions): DatabaseSync {
  if (path !== ':memory:') {
    requireFiles(path);
    if (!options.readOnly) makePrivate(path);
  }
  const db = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: busyTimeout });
  try {
    retryBusy(() => configure(db, options));
    registerRowDigest(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
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
  // What is deleted from what people wrote does not stay in the free pages.
  if (options.guarded) db.exec('PRAGMA secure_delete = ON');
  // A row that gives way to another is a deletion to the triggers too.
  db.exec('PRAGMA recursive_triggers = ON');
  db.exec('PRAGMA temp_store = MEMORY');
  db.exec(`PRAGMA cache_size = -${(options.cacheMegabytes ?? 16) * 1024}`);
}

/** SQLite's own wait gives up under load (and does not apply to every lock); this waits on top of it, with jitter. */
export function retryBusy<T>(work: () => T): T {
  const deadline = Date.now() + patience;
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      pause(backoff(attempt, { first: 5, most: 160, jitter: 0.5 }));
    }
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const pause = (milliseconds: number) => Atomics.wait(sleeper, 0, 0, milliseconds);
