import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';

type Row = Record<string, string | number | null | Uint8Array>;
type Rows = Record<string, Row>;

/** What a library has for itself: versions, digests, the feed of changes, who works on it, and marks that belong to one place. */
const isOwn = (table: string): boolean =>
  /^(?:_|sqlite_|owners$)/.test(table) && !/^_(?:journal|replies|marks)$/.test(table);
const ownMarks = new Set(['changes', 'library', 'team', 'dbos']);

export interface Copied {
  tables: Array<{ table: string; rows: number }>;
  rows: number;
}

/**
 * Copies every row of a library to an empty one, from a file to PostgreSQL or back, in one transaction, and compares both row by row
 * before it counts. Writers of the source are not stopped: what they add meanwhile is not copied.
 */
export async function copyLibrary(source: Library, target: Library): Promise<Copied> {
  for (const migrations of source.migrations()) target.migrate(migrations);
  const [here, there] = [await tablesOf(source), await tablesOf(target)];
  const known = new Set(there);
  const contents = new Map<string, Row[]>();
  for (const table of here) {
    if (isOwn(table)) continue;
    const rows = await readRows(source, table);
    if (known.has(table)) contents.set(table, rows);
    else if (rows.length > 0) throw unknownTable(table, rows.length);
  }
  for (const table of contents.keys()) if ((await readRows(target, table)).length > 0) throw notEmpty(table);
  await target.write(async () => {
    await deferring(target, async () => {
      for (const [table, rows] of contents) await insertAll(target, table, rows);
    });
    await countOn(target, [...contents.keys()]);
    for (const [table, rows] of contents)
      if (digestOf(rows) !== digestOf(await readRows(target, table))) throw differs(table);
  });
  const tables = [...contents].map(([table, rows]) => ({ table, rows: rows.length }));
  return { tables, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
}

async function tablesOf(library: Library): Promise<string[]> {
  const query = library.embedded
    ? sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
    : sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`;
  return (await query.execute(library.tables<Rows>())).rows.map(({ name }) => name);
}

async function readRows(library: Library, table: string): Promise<Row[]> {
  const rows = await library.tables<Rows>().selectFrom(table).selectAll().execute();
  return table === '_marks' ? rows.filter(({ space }) => !ownMarks.has(String(space))) : rows;
}

async function insertAll(library: Library, table: string, rows: Row[]): Promise<void> {
  const width = Object.keys(rows[0] ?? {}).length;
  const size = Math.max(1, Math.floor(20_000 / Math.max(1, width)));
  for (let at = 0; at < rows.length; at += size)
    await library
      .tables<Rows>()
      .insertInto(table)
      .values(rows.slice(at, at + size))
      .execute();
}

/** Rows may name others that come later. */
async function deferring(library: Library, work: () => Promise<void>): Promise<void> {
  const db = library.tables<Rows>();
  if (library.embedded) {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(db);
    return work();
  }
  const { rows } = await sql<{ table: string; name: string }>`
    SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`.execute(db);
  const alter = async (how: string) => {
    for (const { table, name } of rows)
      await sql`ALTER TABLE ${sql.table(table)} ALTER CONSTRAINT ${sql.ref(name)} ${sql.raw(how)}`.execute(
        db,
      );
  };
  await alter('DEFERRABLE INITIALLY DEFERRED');
  await work();
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(db);
  await alter('NOT DEFERRABLE');
}

/** Numbers that the database gives go on behind those that were copied. SQLite sees to it by itself. */
async function countOn(library: Library, tables: string[]): Promise<void> {
  if (library.embedded) return;
  const db = library.tables<Rows>();
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_identity = 'YES'`.execute(db);
  for (const { table, column } of rows)
    if (tables.includes(table))
      await sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}),
        (SELECT coalesce(max(${sql.ref(column)}), 0) + 1 FROM ${sql.table(table)}), false)`.execute(db);
}

const digestOf = (rows: Row[]): string => {
  const lines = rows.map((row) =>
    JSON.stringify(Object.entries(row).toSorted(([left], [right]) => (left < right ? -1 : 1))),
  );
  return hash('sha256', lines.toSorted().join('\n'), 'hex');
};

const unknownTable = (table: string, rows: number): SylkError =>
  new SylkError(
    'UNAVAILABLE',
    `${rows} rows of ${table} can't be copied: this Sylk does not know the table.`,
    {
      hint: 'Use the version that wrote them. Nothing was changed.',
    },
  );

const notEmpty = (table: string): SylkError =>
  new SylkError('CONFLICT', `The other library is not empty: it has rows in ${table}.`, {
    hint: 'Name a new file, or an unused schema: postgres://HOST/NAME?schema=NEW. Nothing was changed.',
  });

const differs = (table: string): SylkError =>
  new SylkError('INTERNAL_ERROR', `The rows of ${table} differ after they were copied.`, {
    hint: 'Nothing was kept of the copy. Run it again while nobody writes.',
  });
