import { SylkError } from '../errors.ts';
import { backUp } from './backups.ts';
import { coverRows, isCovered, uncoverRows } from './digests.ts';
import type { Sqlite } from './open.ts';

/** Forward-only steps; step N brings a store from version N to N+1. Never edit a released step. */
export interface StoreMigrations {
  store: string;
  steps: string[];
}

/** The tables of a derived store. A higher version throws the old tables away and makes them anew. */
export interface DerivedSchema {
  store: string;
  version: number;
  tables: string[];
  create: string;
}

const bookkeeping =
  'CREATE TABLE IF NOT EXISTS _schema (store TEXT PRIMARY KEY, version INTEGER NOT NULL, applied_at TEXT NOT NULL)';

/** Brings an authored store up to date in one transaction, with a copy of the database beside it first. */
export function migrate(sqlite: Sqlite, { store, steps }: StoreMigrations): void {
  const before = versionOf(sqlite, store);
  refuseNewer(sqlite, store, before, steps.length);
  if (before === steps.length) return;
  if (before > 0) backUp(sqlite, `${store}-v${before}`);
  sqlite.write(() => {
    sqlite.exec(bookkeeping);
    const from = versionOf(sqlite, store);
    refuseNewer(sqlite, store, from, steps.length);
    const covered = isCovered(sqlite);
    if (covered && from > 0) uncoverRows(sqlite);
    for (const step of steps.slice(from)) sqlite.exec(step);
    record(sqlite, store, steps.length);
    if (covered) coverRows(sqlite, { all: from > 0 });
  });
}

/** Answers `created` when the tables are new and empty, so that the caller fills them. */
export function ensureDerived(sqlite: Sqlite, schema: DerivedSchema): 'created' | 'kept' {
  const found = versionOf(sqlite, schema.store);
  refuseNewer(sqlite, schema.store, found, schema.version);
  if (found === schema.version) return 'kept';
  return sqlite.write(() => {
    sqlite.exec(bookkeeping);
    if (versionOf(sqlite, schema.store) === schema.version) return 'kept';
    for (const table of schema.tables) sqlite.exec(`DROP TABLE IF EXISTS "${table}"`);
    sqlite.exec(schema.create);
    record(sqlite, schema.store, schema.version);
    return 'created';
  });
}

export function versionOf(sqlite: Sqlite, store: string): number {
  const there = sqlite.get("SELECT 1 AS there FROM sqlite_master WHERE type = 'table' AND name = '_schema'");
  if (!there) return 0;
  return sqlite.value<number>('SELECT version FROM _schema WHERE store = ?', store) ?? 0;
}

function record(sqlite: Sqlite, store: string, version: number): void {
  sqlite.run(
    `INSERT INTO _schema (store, version, applied_at) VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
     ON CONFLICT (store) DO UPDATE SET version = excluded.version, applied_at = excluded.applied_at`,
    store,
    version,
  );
}

function refuseNewer(sqlite: Sqlite, store: string, found: number, known: number): void {
  if (found <= known) return;
  throw new SylkError(
    'UNAVAILABLE',
    `${sqlite.path} was written by a newer Sylk: ${store} has version ${found}, this Sylk knows version ${known}.`,
    { hint: 'Upgrade this Sylk, or point SYLK_DIR at another directory. Nothing was changed.' },
  );
}
