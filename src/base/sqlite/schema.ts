import { SylkError } from '../errors.ts';
import { backUp } from './backups.ts';
import { coverRows, isCovered, uncoverRows } from './digests.ts';
import { openSqlite, type Sqlite } from './open.ts';

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

export const bookkeeping =
  'CREATE TABLE IF NOT EXISTS _schema (store TEXT PRIMARY KEY, version INTEGER NOT NULL, applied_at TEXT NOT NULL)';

/**
 * Brings an authored store up to date in one transaction, with a copy of the database beside it first. Answers the tables
 * that a salvage could not read, and that are created again without rows.
 */
export function migrate(sqlite: Sqlite, { store, steps }: StoreMigrations): string[] {
  const before = versionOf(sqlite, store);
  refuseNewer(sqlite, store, before, steps.length);
  const recreated = recreateMissing(sqlite, steps.slice(0, before));
  if (before === steps.length) return recreated;
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
  return recreated;
}

interface SchemaObject {
  type: string;
  name: string;
  sql: string;
}

const schemaObjects = `SELECT type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'table' DESC, rowid`;

/** Creates what the steps made and the database lacks. What it has stays as it is. */
function recreateMissing(sqlite: Sqlite, steps: string[]): string[] {
  const names = () => new Set(sqlite.column<string>('SELECT name FROM sqlite_master'));
  const existing = names();
  if (createdNames(steps).every((name) => existing.has(name))) return [];
  const whole = openSqlite(':memory:');
  try {
    for (const step of steps) whole.exec(step);
    const wanted = whole.all<SchemaObject>(schemaObjects);
    if (wanted.every(({ name }) => existing.has(name))) return [];
    return sqlite.write(() => {
      const missing = wanted.filter(({ name }) => !existing.has(name));
      // Another process may have created some; a text index creates its own tables.
      for (const { name, sql } of missing) if (!names().has(name)) sqlite.exec(sql);
      if (isCovered(sqlite)) coverRows(sqlite);
      return missing.filter(({ type }) => type === 'table').map(({ name }) => name);
    });
  } finally {
    whole.close();
  }
}

/** Read from the text, because every command asks. A name too many costs time only: indexes go with their table. */
function createdNames(steps: string[]): string[] {
  const names = new Set<string>();
  const statement =
    /\b(CREATE|DROP)\s+(?:(?:UNIQUE|VIRTUAL)\s+)?(?:TABLE|INDEX|TRIGGER|VIEW)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?(\w+)/gi;
  for (const [, verb, name = ''] of steps.join('\n').matchAll(statement))
    if (verb?.toUpperCase() === 'CREATE') names.add(name);
    else names.delete(name);
  return [...names];
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
    `${sqlite.path} was written by a newer Sylk: ${store} has version ${found}, this Sylk supports version ${known}.`,
    { hint: 'Upgrade this Sylk, or set SYLK_DIR to another directory. Nothing was changed.' },
  );
}
