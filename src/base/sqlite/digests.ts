import { hash } from 'node:crypto';
import type { Sqlite } from './open.ts';
import { digestHalves, digestRange, maxTables, rowDigest, type Value } from './row-digest.ts';

/**
 * Every row of a library has a digest in `_digests`, kept by triggers; every definition of its schema has a copy in
 * `_definitions`. Silent damage is noticed by them, and a damaged file is read with their help. Another program that
 * writes without the function of the triggers fails, so that its rows are never taken for damaged.
 */
export const digestTables = `CREATE TABLE IF NOT EXISTS _digests (digest INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS _definitions (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sql TEXT NOT NULL);`;

/** The number under which `_definitions` itself has digests. */
export const definitionsTable = 0;
/** The row of `_definitions` that says which schema its other rows describe. */
const stampId = 0;

export interface Definition {
  id: number;
  name: string;
  sql: string;
}

const triggerPrefix = '_digest_';
const own = new Set(['_digests', '_definitions']);
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Names of store versions in `_definitions`: without them no store could use its tables. */
export const versionPrefix = '_schema/';

/** Brings digests, triggers and copies of definitions up to date. `all` takes every row as it is now. */
export function coverRows(sqlite: Sqlite, { all = false } = {}): void {
  sqlite.write(() => {
    sqlite.exec(digestTables);
    const kept = new Map(readDefinitions(sqlite).map((definition) => [definition.name, definition]));
    const wanted = currentDefinitions(sqlite);
    for (const [name, { id, sql }] of kept) {
      if (wanted.has(name)) continue;
      forgetDefinition(sqlite, { id, name, sql });
      sqlite.run('DELETE FROM _digests WHERE digest >= ? AND digest < ?', ...digestRange(id));
    }
    const covered = coveredTables(sqlite);
    for (const [name, sql] of wanted) {
      const before = kept.get(name);
      const id = before?.id ?? freeId(sqlite);
      if (before?.sql !== sql) {
        if (before) forgetDefinition(sqlite, before);
        keepDefinition(sqlite, { id, name, sql });
      }
      if (covered.has(name) && (all || before?.sql !== sql)) coverTable(sqlite, id, name);
    }
    stamp(sqlite);
  });
}

/** Before a migration that changes tables: a trigger would stand in the way of its statements. */
export function uncoverRows(sqlite: Sqlite): void {
  for (const { name } of digestTriggers(sqlite)) sqlite.exec(`DROP TRIGGER ${quoted(name)}`);
}

export const isCovered = (sqlite: Sqlite): boolean =>
  sqlite.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_definitions'") !== undefined &&
  sqlite.get('SELECT 1 FROM _definitions WHERE id = ?', stampId) !== undefined;

/** What is wrong, as a sentence; undefined where every row and definition is as it was written. */
export function findDamagedRows(sqlite: Sqlite): string | undefined {
  for (const { id, name, sql } of readDefinitions(sqlite, true))
    if (!hasDigest(sqlite, rowDigest(definitionsTable, [BigInt(id), name, sql])))
      return `the definition of ${name || 'the schema'}`;
  const ids = new Map(readDefinitions(sqlite).map(({ id, name }) => [name, id]));
  const kept = keptSums(sqlite);
  for (const name of coveredTables(sqlite)) {
    const id = ids.get(name);
    if (id === undefined) return `no definition of ${name}`;
    const found = sumRows(sqlite, id, name);
    const { rows = 0, upper = 0, lower = 0 } = kept.get(id) ?? {};
    if (found.rows !== rows) return `${found.rows} of ${rows} rows of ${name}`;
    if (found.upper !== upper || found.lower !== lower) return `rows of ${name}`;
  }
  return undefined;
}

/** What a table's digests add up to, as halves: a row or a digest that is not as it was written changes both sums. */
interface Sums {
  rows: number;
  upper: number;
  lower: number;
}

function keptSums(sqlite: Sqlite): Map<number, Sums> {
  const sums = sqlite.all<Sums & { id: number }>(
    `SELECT digest >> 53 AS id, count(*) AS rows, sum(digest >> 32) AS upper, sum(digest & 0xffffffff) AS lower
     FROM _digests GROUP BY 1`,
  );
  return new Map(sums.map(({ id, ...each }) => [id, each]));
}

function sumRows(sqlite: Sqlite, id: number, table: string): Sums {
  const statement = sqlite.db.prepare(`SELECT ${columnsOf(sqlite, table)} FROM ${quoted(table)} NOT INDEXED`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const sums: Sums = { rows: 0, upper: 0, lower: 0 };
  for (const row of statement.iterate() as Iterable<unknown>) {
    const [upper, lower] = digestHalves(id, row as Value[]);
    sums.rows++;
    sums.upper += upper;
    sums.lower += lower;
  }
  return sums;
}

/** For a look without changes: a library from before digests, or changed by another program, has nothing to compare. */
export function findDamage(sqlite: Sqlite): string | undefined {
  const state = isCovered(sqlite) ? schemaState(sqlite) : 'changed by another program';
  if (state === 'damaged') return 'the schema';
  return state === 'as written' ? findDamagedRows(sqlite) : undefined;
}

export type SchemaState = 'as written' | 'changed by another program' | 'damaged';

/** A change by a statement raises SQLite's own number of the schema; damage does not. */
export function schemaState(sqlite: Sqlite): SchemaState {
  const [version, digest] =
    sqlite.value<string>('SELECT sql FROM _definitions WHERE id = ?', stampId)?.split(' ') ?? [];
  const now = schemaStamp(sqlite);
  if (digest === now.digest) return 'as written';
  return version === now.version ? 'damaged' : 'changed by another program';
}

/** A hash of every row, by table: equal rows of two libraries have the same one. */
export function rowHashes(sqlite: Sqlite): Map<string, Set<bigint>> {
  return new Map(
    [...coveredTables(sqlite)].map((table) => {
      const rows = sqlite.db.prepare(
        `SELECT sylk_row_digest(0, ${columnsOf(sqlite, table)}) AS hash FROM ${quoted(table)}`,
      );
      rows.setReadBigInts(true);
      return [table, new Set((rows.all() as Array<{ hash: bigint }>).map(({ hash }) => hash))];
    }),
  );
}

function readDefinitions(sqlite: Sqlite, withStamp = false): Definition[] {
  return sqlite.all<Definition>(
    `SELECT id, name, sql FROM _definitions WHERE id ${withStamp ? '>=' : '>'} ${stampId} ORDER BY id`,
  );
}

/** What makes the schema, by name: tables, indexes, triggers and views, and the version of each store. */
function currentDefinitions(sqlite: Sqlite): Map<string, string> {
  const shadow = new Set(
    sqlite.column<string>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"),
  );
  const objects = sqlite
    .all<{ name: string; tbl_name: string; sql: string }>(
      "SELECT name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    .filter(
      ({ name, tbl_name }) => !own.has(name) && !shadow.has(tbl_name) && !name.startsWith(triggerPrefix),
    );
  const versions = sqlite.get("SELECT 1 FROM sqlite_master WHERE name = '_schema'")
    ? sqlite.all<{ store: string; version: number; applied_at: string }>('SELECT * FROM _schema')
    : [];
  return new Map([
    ...objects.map(({ name, sql }) => [name, sql] as const),
    ...versions.map((row) => [`${versionPrefix}${row.store}`, `${row.version} ${row.applied_at}`] as const),
  ]);
}

/** Tables with a key of their own. Without one two rows can be equal, and a set of digests cannot count them. */
export function coveredTables(sqlite: Sqlite): Set<string> {
  const tables = sqlite.all<{ name: string }>(
    `SELECT name FROM pragma_table_list AS tables
     WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND EXISTS (SELECT 1 FROM pragma_table_info(tables.name) WHERE pk > 0)`,
  );
  return new Set(tables.map(({ name }) => name).filter((name) => !own.has(name)));
}

function columnsOf(sqlite: Sqlite, table: string, row = ''): string {
  return sqlite
    .all<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY cid', table)
    .map(({ name }) => `${row}${quoted(name)}`)
    .join(', ');
}

function coverTable(sqlite: Sqlite, id: number, table: string): void {
  const digest = (row: string) => `sylk_row_digest(${id}, ${columnsOf(sqlite, table, row)})`;
  const remove = `DELETE FROM _digests WHERE digest = ${digest('OLD.')};`;
  const add = `INSERT INTO _digests VALUES (${digest('NEW.')}) ON CONFLICT DO NOTHING;`;
  const events = { insert: add, delete: remove, update: `${remove} ${add}` };
  for (const [event, work] of Object.entries(events)) {
    const name = quoted(`${triggerPrefix}${event}_${table}`);
    sqlite.exec(`DROP TRIGGER IF EXISTS ${name};
      CREATE TRIGGER ${name} AFTER ${event} ON ${quoted(table)} BEGIN ${work} END;`);
  }
  sqlite.run('DELETE FROM _digests WHERE digest >= ? AND digest < ?', ...digestRange(id));
  sqlite.exec(
    `INSERT INTO _digests SELECT ${digest('')} FROM ${quoted(table)} WHERE true ON CONFLICT DO NOTHING`,
  );
}

function keepDefinition(sqlite: Sqlite, { id, name, sql }: Definition): void {
  sqlite.run('INSERT INTO _definitions VALUES (?, ?, ?)', id, name, sql);
  sqlite.run(
    'INSERT INTO _digests VALUES (?) ON CONFLICT DO NOTHING',
    rowDigest(definitionsTable, [BigInt(id), name, sql]),
  );
}

function forgetDefinition(sqlite: Sqlite, { id, name, sql }: Definition): void {
  sqlite.run('DELETE FROM _definitions WHERE id = ?', id);
  sqlite.run('DELETE FROM _digests WHERE digest = ?', rowDigest(definitionsTable, [BigInt(id), name, sql]));
}

function freeId(sqlite: Sqlite): number {
  const id = (sqlite.value<number>('SELECT max(id) AS last FROM _definitions') ?? 0) + 1;
  if (id < maxTables) return id;
  const used = new Set(readDefinitions(sqlite).map((definition) => definition.id));
  for (let free = 1; free < maxTables; free++) if (!used.has(free)) return free;
  throw new Error(`A library has at most ${maxTables - 1} definitions.`);
}

const hasDigest = (sqlite: Sqlite, digest: bigint): boolean =>
  sqlite.get('SELECT 1 FROM _digests WHERE digest = ?', digest) !== undefined;

function digestTriggers(sqlite: Sqlite): Array<{ name: string }> {
  return sqlite.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
    triggerPrefix.length,
    triggerPrefix,
  );
}

function schemaStamp(sqlite: Sqlite): { version: string; digest: string } {
  const rows = sqlite.all<{ type: string; name: string; tbl_name: string; sql: string | null }>(
    'SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid',
  );
  const text = rows
    .map(({ type, name, tbl_name, sql }) => [type, name, tbl_name, sql ?? ''].join('\n'))
    .sort()
    .join('\n');
  const version = sqlite.value<number>('PRAGMA schema_version') ?? 0;
  return { version: `${version}`, digest: hash('sha256', text, 'hex') };
}

function stamp(sqlite: Sqlite): void {
  const before = sqlite.get<Definition>('SELECT id, name, sql FROM _definitions WHERE id = ?', stampId);
  const { version, digest } = schemaStamp(sqlite);
  if (before?.sql === `${version} ${digest}`) return;
  if (before) forgetDefinition(sqlite, before);
  keepDefinition(sqlite, { id: stampId, name: '', sql: `${version} ${digest}` });
}
