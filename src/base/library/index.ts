import { Kysely } from 'kysely';
import {
  backUp,
  damageNotice,
  migrate,
  openOrQuarantine,
  type Sqlite,
  type StoreMigrations,
} from '../sqlite/index.ts';
import { nodeSqliteDialect } from './dialect.ts';

/** What people and agents wrote. Asynchronous by contract: for a team the same stores stand on another database. */
export interface Library {
  /** The query builder, typed with the tables of one store. */
  tables<Tables>(): Kysely<Tables>;
  /** Call once when a store opens. */
  migrate(migrations: StoreMigrations): void;
  backUp(label: string): string | undefined;
  /** For checks, backups and statistics; stores use `tables`. */
  readonly sqlite: Sqlite;
  /** Said once when a damaged file had to be set aside. */
  readonly notice?: string;
  close(): Promise<void>;
}

export function openLibrary(path: string): Library {
  const opened = openOrQuarantine(path, { durability: 'full', salvage: true });
  const { sqlite } = opened;
  const kysely = new Kysely<never>({ dialect: nodeSqliteDialect(sqlite) });
  const notice = damageNotice('library', opened, false);
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    migrate: (migrations) => migrate(sqlite, migrations),
    backUp: (label) => backUp(sqlite, label),
    sqlite,
    ...(notice ? { notice } : {}),
    close: async () => {
      await kysely.destroy();
    },
  };
}
