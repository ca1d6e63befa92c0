import { CompiledQuery, Kysely } from 'kysely';
import {
  backUp,
  damageNotice,
  migrate,
  openOrQuarantine,
  type Sqlite,
  type StoreMigrations,
} from '../sqlite/index.ts';
import { nodeSqliteDialect } from './dialect.ts';
import { createJournal, type Journal } from './journal.ts';
import { createMarks, type Marks } from './marks.ts';
import { replyOnce } from './replies.ts';
import type { Statement } from './statement.ts';
import { createTransactions } from './transactions.ts';

export type { Change } from './journal.ts';
export type { Marks } from './marks.ts';
export { createTextIndex, type TextIndex, textIndexTables } from './text-index.ts';

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
  marks(space: string): Marks;
  /** Call once when a store opens. */
  migrate(migrations: StoreMigrations): void;
  backUp(label: string): string | undefined;
  /** For checks, backups and statistics; stores use `tables`. */
  readonly sqlite: Sqlite;
  /** Said once when a damaged file had to be set aside. */
  readonly notice?: string;
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
];

export function openLibrary(path: string): Library {
  const opened = openOrQuarantine(path, { durability: 'full', salvage: true });
  const { sqlite } = opened;
  const { joining, over } = createTransactions();
  const kysely = new Kysely<never>({ dialect: nodeSqliteDialect(sqlite, joining) });
  const notice = damageNotice('library', opened, false);
  migrate(sqlite, { store: 'library', steps });
  const transactions = over(kysely);
  const tables = <Tables>() => transactions.current() as unknown as Kysely<Tables>;
  const statement: Statement = async <Row>(text: string, ...values: unknown[]) =>
    (await transactions.current().executeQuery(CompiledQuery.raw(text, values))).rows as Row[];
  return {
    tables,
    statement,
    write: transactions.write,
    inWrite: transactions.inWrite,
    outside: transactions.outside,
    writeOnce: (call, work) => transactions.write(() => replyOnce(tables, call, work)),
    journal: createJournal(tables, statement),
    marks: (space) => createMarks(tables, space),
    migrate: (migrations) => migrate(sqlite, migrations),
    backUp: (label) => backUp(sqlite, label),
    sqlite,
    ...(notice ? { notice } : {}),
    close: async () => {
      await kysely.destroy();
    },
  };
}
