import { CompiledQuery, Kysely } from 'kysely';
import { reportOf } from '../errors.ts';
import { backUp, backUpDaily, isFreshFromSalvage, removeBackups, type Sqlite } from '../sqlite/index.ts';
import { type Changes, type ChangeTables, changesSince, changeTables } from './changes.ts';
import { nodeSqliteDialect } from './dialect.ts';
import {
  type LibraryFile,
  type LibraryMigrations,
  type LibraryPlace,
  openCopy,
  openFile,
  openOnWrite,
} from './file.ts';
import { createJournal, type Journal } from './journal.ts';
import { createMarks, type Marks } from './marks.ts';
import { replyOnce } from './replies.ts';
import type { Statement } from './statement.ts';
import { createTransactions } from './transactions.ts';

export { type Changes, startEpoch } from './changes.ts';
export type { LibraryMigrations } from './file.ts';
export type { Change } from './journal.ts';
export type { Marks } from './marks.ts';

/** What people and agents wrote. Asynchronous by contract: for a team the same stores stand on another database. */
export interface Library {
  /** The query builder, typed with the tables of one store. Call it at each use: inside `write` it is the transaction. */
  tables<Tables>(): Kysely<Tables>;
  /** A statement whose text never changes, for what is done thousands of times: building one takes longer than running it. */
  readonly statement: Statement;
  /** One transaction; a write inside a write joins it. */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Whether this call chain is inside `write`. */
  inWrite(): boolean;
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
  /** Call once when a store opens. */
  migrate(migrations: LibraryMigrations): void;
  backUp(label: string): string | undefined;
  /** For checks, backups and statistics; stores use `tables`. */
  readonly sqlite: Sqlite;
  /** Said once when the file was damaged. */
  readonly notice: string | undefined;
  /** Rows had to be salvaged: the command that met it fails, whatever else it did. */
  readonly damaged: boolean;
  /** Runs `work` once after rows were salvaged: for what a store derives from its rows. */
  afterSalvage(work: () => Promise<void>): Promise<void>;
  /** What was forgotten must not live on in copies: one of the present state takes their place. */
  replaceBackups(): void;
  close(): Promise<void>;
}

const steps = [
  `CREATE TABLE _journal (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
     ref TEXT NOT NULL, project TEXT NOT NULL, detail TEXT NOT NULL);
   CREATE INDEX _journal_project ON _journal (project, seq);
   CREATE TABLE _replies (key TEXT PRIMARY KEY, question TEXT NOT NULL, reply TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID;
   CREATE INDEX _replies_at ON _replies (at);
   CREATE TABLE _marks (space TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (space, name)) WITHOUT ROWID;`,
  changeTables,
];

export const openLibrary = (path: string, place?: LibraryPlace): Library =>
  libraryOver(openFile(path, place));

/** Nothing is made before the first write. `setting` is what moves the library elsewhere. */
export const openLibraryOnWrite = (path: string, setting: string): Library =>
  libraryOver(openOnWrite(path, setting));

/** For a place that can't be written. */
export const openLibraryCopy = (path: string, why: string, setting: string): Library =>
  libraryOver(openCopy(path, why, setting));

function libraryOver(file: LibraryFile): Library {
  const { sqlite } = file;
  const { joining, over } = createTransactions();
  const kysely = new Kysely<never>({ dialect: nodeSqliteDialect(sqlite, joining) });
  file.migrate({ store: 'library', steps });
  const daily = createDailyBackup(sqlite);
  const backupFailure = file.existed ? daily() : undefined;
  const transactions = over(kysely);
  const tables = <Tables>() => transactions.current() as unknown as Kysely<Tables>;
  const statement: Statement = async <Row>(text: string, ...values: unknown[]) =>
    (await transactions.current().executeQuery(CompiledQuery.raw(text, values))).rows as Row[];
  return {
    tables,
    statement,
    write: async (work) => {
      const result = await transactions.write(work);
      if (!transactions.inWrite()) daily();
      return result;
    },
    inWrite: transactions.inWrite,
    outside: transactions.outside,
    writeOnce: (call, work) => transactions.write(() => replyOnce(tables, call, work)),
    journal: createJournal(tables, statement),
    changesSince: async (position, limit = 1000) => {
      if (transactions.inWrite())
        throw new Error('Changes are read outside of writes: a write may still fail.');
      return changesSince(tables<ChangeTables>(), position, limit);
    },
    marks: (space) => createMarks(tables, space),
    migrate: file.migrate,
    backUp: (label) => backUp(sqlite, label),
    sqlite,
    notice: file.notice ?? backupFailure,
    damaged: file.damaged,
    afterSalvage: async (work) => {
      if (!isFreshFromSalvage(sqlite)) return;
      await work();
      sqlite.exec('PRAGMA user_version = 0');
    },
    replaceBackups: () => {
      removeBackups(sqlite.path);
      backUpDaily(sqlite);
    },
    close: async () => {
      await kysely.destroy();
      // Kysely leaves a connection open that it never used.
      file.close();
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
