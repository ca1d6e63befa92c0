import {
  type Compilable,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { reportOf, SylkError } from '../errors.ts';
import { backUp, backUpDaily, isFreshFromSalvage, removeBackups, type Sqlite } from '../sqlite/index.ts';
import { type Changes, type ChangeTables, changesSince, changeTables, eraseRefs } from './changes.ts';
import { type Connections, createDriver } from './driver.ts';
import { type LibraryFile, type LibraryPlace, openCopy, openFile, openOnWrite } from './file.ts';
import { createJournal, type Journal } from './journal.ts';
import { createMarks, type Marks } from './marks.ts';
import type { LibraryMigrations } from './migrations.ts';
import { functions, isUndone, openPostgres } from './postgres.ts';
import { replyOnce } from './replies.ts';
import { sqliteConnections } from './sqlite-connections.ts';
import { createTransactions, type Transactions } from './transactions.ts';

export { type Changes, startEpoch } from './changes.ts';
export type { Columns } from './columns.ts';
export { readIdentity, writeIdentity } from './identity.ts';
export { type Change, changeSchema } from './journal.ts';
export { databaseNow, indexedBy, itemsOf, numbers, texts } from './lists.ts';
export type { Marks } from './marks.ts';
export { type LibraryMigrations, refusing } from './migrations.ts';
export { isUnreachable, repositoryPlaceOf, systemPlaceOf } from './postgres.ts';

/**
 * What people and agents wrote: rows in an SQLite file of this machine, or in PostgreSQL for a team. Stores write SQL that
 * both databases take; where they differ, this folder has a function.
 */
export interface Library {
  /** The query builder, typed with the tables of one store. Call it at each use: inside `write` it is the transaction. */
  tables<Tables>(): Kysely<Tables>;
  /** One transaction; a write inside a write joins it. */
  write<T>(work: () => Promise<T>): Promise<T>;
  /**
   * A statement whose reply nobody needs. Inside a write it may reach the database as late as with the next one, or with the commit;
   * where it fails, that fails. Those that wait together must change different rows.
   */
  post(statement: Compilable & { execute(): Promise<unknown> }): Promise<void>;
  /** Whether this call chain is inside `write`. */
  inWrite(): boolean;
  /** Calls `work` once everything that this call chain writes is committed, and never where it is undone; now, outside of a write. */
  afterCommit(work: () => void): void;
  /** Runs `work` as if no transaction were open: for what only happens to be started inside one. */
  outside<T>(work: () => T): T;
  /** A write whose reply is kept under a key: the same call again answers the same and writes nothing. */
  writeOnce<T>(
    call: { key: string; question: unknown; now: number },
    work: () => Promise<T>,
  ): Promise<{ reply: T; replayed: boolean }>;
  /** Who changed what, in one order for all stores. */
  readonly journal: Journal;
  /** For followers, who derive something from rows of several stores: what changed since they last looked. */
  changesSince(position: string | undefined, limit?: number): Promise<Changes>;
  marks(space: string): Marks;
  /** Call once when a store opens: statements from then on wait until its tables are up to date. */
  migrate(migrations: LibraryMigrations): void;
  /** Of the database. */
  version(): Promise<string>;
  /** Of every store that was opened over it so far. */
  migrations(): readonly LibraryMigrations[];
  /** The database itself where it is a file: for checks, copies and statistics. */
  readonly embedded: Sqlite | undefined;
  /** A copy beside the file; undefined where the library is not a file, and its server has backups of its own. */
  backUp(label: string): string | undefined;
  /**
   * What was forgotten must not live on: not in the log, nor in copies, nor as a ref in the change feed, whose followers
   * therefore start again.
   */
  eraseTraces(refs: string[]): Promise<void>;
  /** Said once when the file was damaged. */
  readonly notice: string | undefined;
  /** Why today's copy could not be made when the library was opened. */
  readonly backupFailure: string | undefined;
  /** Rows had to be salvaged: the command that met it fails, whatever else it did. */
  readonly damaged: boolean;
  /** Tables that were missing when their store opened; they are there again, without rows. */
  readonly recreated: readonly string[];
  /** Runs `work` once after rows were salvaged: for what a store derives from its rows. */
  afterSalvage(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const migrations: LibraryMigrations = {
  store: 'library',
  steps: [
    [
      { postgres: functions },
      `CREATE TABLE _journal (
       seq NUMBERED, at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
       ref TEXT NOT NULL, project TEXT NOT NULL, detail TEXT NOT NULL);
     CREATE INDEX _journal_project ON _journal (project, seq);
     CREATE TABLE _replies (key TEXT PRIMARY KEY, question TEXT NOT NULL, reply TEXT NOT NULL, at TEXT NOT NULL);
     CREATE INDEX _replies_at ON _replies (at);
     CREATE TABLE _marks (space TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (space, name));`,
    ],
    changeTables,
  ],
};

/** `url` is a path, or the address of a PostgreSQL database, where `tell` hears of a copy before an upgrade. `place` is for a path: see there. */
export const openLibrary = ({
  url,
  place,
  tell = () => {},
}: {
  url: string;
  place?: LibraryPlace;
  tell?: ((line: string) => void) | undefined;
}): Library => (/^postgres(ql)?:/.test(url) ? overPostgres(url, tell) : overFile(openFile(url, place)));

/** Nothing is made before the first write. `setting` is what moves the library elsewhere. */
export const openLibraryOnWrite = (path: string, setting: string): Library =>
  overFile(openOnWrite(path, setting));

/** For a place that can't be written. */
export const openLibraryCopy = (path: string, why: string, setting: string): Library =>
  overFile(openCopy(path, why, setting));

/** For what can be done with a file only. */
export function embeddedOf({ embedded }: Library): Sqlite {
  if (embedded) return embedded;
  throw new SylkError('UNAVAILABLE', 'The library is in PostgreSQL, so it has no file to copy or to check.', {
    hint: 'Use the backups of the PostgreSQL server.',
  });
}

function overPostgres(url: string, tell: (line: string) => void): Library {
  const { connections, migrate, wanted }: { connections: Connections } & ReturnType<typeof openPostgres> =
    openPostgres(url, migrations, tell);
  const { joining, connected, over } = createTransactions(isUndone);
  const kysely = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createDriver(connections, { joining, connected }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return {
    ...rowsOver(over(kysely)),
    post: async (statement) => {
      const connection = joining()?.connection;
      if (connection && connections.post) connections.post(connection, statement.compile());
      else await statement.execute();
    },
    migrate,
    migrations: () => wanted.slice(1),
    version: async () =>
      (await sql<{ server_version: string }>`SHOW server_version`.execute(kysely)).rows[0]?.server_version ??
      '',
    embedded: undefined,
    backUp: () => undefined,
    notice: undefined,
    backupFailure: undefined,
    damaged: false,
    recreated: [],
    afterSalvage: async () => {},
    close: connections.close,
  };
}

function overFile(file: LibraryFile): Library {
  const { sqlite } = file;
  const stores: LibraryMigrations[] = [];
  const { joining, connected, over } = createTransactions();
  const kysely = new Kysely<never>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(sqliteConnections(sqlite), { joining, connected }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  file.migrate(migrations);
  file.identify();
  const daily = createDailyBackup(sqlite);
  const backupFailure = file.existed ? daily() : undefined;
  const transactions = over(kysely);
  const rows = rowsOver(transactions);
  return {
    ...rows,
    post: async (statement) => void (await statement.execute()),
    write: async (work) => {
      const result = await transactions.write(work);
      if (!transactions.inWrite()) daily();
      return result;
    },
    migrate: (each) => {
      stores.push(each);
      file.migrate(each);
    },
    migrations: () => stores,
    version: async () => sqlite.value<string>('SELECT sqlite_version()') ?? '',
    embedded: sqlite,
    backUp: (label) => backUp(sqlite, label),
    eraseTraces: async (refs) => {
      await rows.eraseTraces(refs);
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      removeBackups(sqlite.path);
      backUpDaily(sqlite);
    },
    notice: file.notice ?? backupFailure,
    backupFailure,
    damaged: file.damaged,
    recreated: file.recreated,
    afterSalvage: async (work) => {
      if (!isFreshFromSalvage(sqlite)) return;
      await work();
      sqlite.exec('PRAGMA user_version = 0');
    },
    close: async () => {
      await kysely.destroy();
      // Kysely leaves a connection open that it never used.
      file.close();
    },
  };
}

/** What is the same in both databases. */
function rowsOver(transactions: Transactions) {
  const tables = <Tables>() => transactions.current() as unknown as Kysely<Tables>;
  return {
    tables,
    write: transactions.write,
    inWrite: transactions.inWrite,
    afterCommit: transactions.afterCommit,
    outside: transactions.outside,
    writeOnce: <T>(call: Parameters<Library['writeOnce']>[0], work: () => Promise<T>) =>
      transactions.write(() => replyOnce(tables, call, work)),
    journal: createJournal(tables),
    changesSince: async (position: string | undefined, limit = 1000) => {
      if (transactions.inWrite())
        throw new Error('Changes are read outside of writes: a write may still fail.');
      return changesSince(tables<ChangeTables>(), position, limit);
    },
    marks: (space: string) => createMarks(tables, space),
    eraseTraces: async (refs: string[]): Promise<void> => {
      if (refs.length > 0) await transactions.write(() => eraseRefs(tables<ChangeTables>(), refs));
    },
  };
}

/** One look at the clock for each write; a copy when the day is a new one. A copy that fails is said, and stops nothing. */
function createDailyBackup(sqlite: Sqlite): () => string | undefined {
  let day: string | undefined;
  return () => {
    const today = new Date().toISOString().slice(0, 10);
    if (today === day) return undefined;
    day = today;
    try {
      backUpDaily(sqlite);
      return undefined;
    } catch (error) {
      return `The daily backup of ${sqlite.path} failed: ${reportOf(error).message}`;
    }
  };
}
