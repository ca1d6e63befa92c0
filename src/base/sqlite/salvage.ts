import { messageOf } from '../errors.ts';
import { coveredTables, type Definition, definitionsTable, versionPrefix } from './digests.ts';
import type { Sqlite } from './open.ts';
import { type RawPages, readPages } from './raw-pages.ts';
import { type RawRecord, recordsAnywhere, recordsOf, treePages } from './raw-records.ts';
import { isWholeDigest, rowDigest, tableOfDigest, type Value } from './row-digest.ts';
import { backupDefinitions, fillTextIndexes, keepSequences } from './salvage-rest.ts';
import { createRowWriter, type RowWriter } from './salvage-rows.ts';
import { bookkeeping } from './schema.ts';

export interface Salvage {
  /** Rows in the new database, those from a backup included. */
  saved: number;
  /** Rows that came from a backup; their digests prove that nothing was changed since. */
  restored: number;
  /** The backups that they came from, newest first. */
  backups: string[];
  /** Rows whose digest was damaged: taken as they were read. */
  unverified: number;
  /** Rows that are in no readable place, by table; undefined where the old file had no digests to count by. */
  lost: Record<string, number> | undefined;
}

/**
 * Reads a damaged database page by page, without SQLite: neither its schema nor its trees have to be whole. A row is
 * taken where its digest says that it is as it was written, wherever in the file it is.
 */
export function salvage(from: string, into: Sqlite, backups: readonly string[]): Salvage {
  const pages = readPages(from);
  const schema = readSchema(pages);
  const { digests, whole } = readDigests(pages, schema.get('_digests')?.root);
  const missing = new Map<number, Set<bigint>>();
  for (const digest of digests) {
    const table = tableOfDigest(digest);
    missing.set(table, (missing.get(table) ?? new Set()).add(digest));
  }
  const definitions = readDefinitions(
    pages,
    schema,
    missing.get(definitionsTable) ?? new Set(),
    whole,
    backups,
  );
  missing.delete(definitionsTable);
  into.exec('PRAGMA foreign_keys = OFF');
  const result: Salvage = { saved: 0, restored: 0, backups: [], unverified: 0, lost: undefined };
  into.write(() => {
    create(into, definitions, /^\s*CREATE\s+(VIRTUAL\s+)?TABLE/i);
    const covered = coveredTables(into);
    const writers = definitions
      .filter(({ name }) => isTable(into, name))
      .map((definition) => createRowWriter(into, definition, missing.get(definition.id) ?? new Set()));
    for (const writer of writers) {
      const root = schema.get(writer.name)?.root;
      if (root === undefined) continue;
      // A row without its digest is taken only where the digests themselves are damaged, or never were.
      const trusting = !whole || !covered.has(writer.name);
      for (const record of treeRecords(pages, root)) writer.take(record, { trusting });
    }
    huntRows(pages, writers);
    for (const definition of definitions) restoreVersion(definition, writers);
    for (const path of backups) {
      const rows = writers.reduce((sum, writer) => sum + writer.takeFromBackup(path), 0);
      if (rows > 0) result.backups.push(path);
      result.restored += rows;
    }
    fillTextIndexes(into, (table) => rowsOf(pages, schema, table));
    keepSequences(into, rowsOf(pages, schema, 'sqlite_sequence'));
    create(into, definitions, /^\s*CREATE\s+(UNIQUE\s+)?(INDEX|TRIGGER|VIEW)/i);
    for (const writer of writers) {
      result.saved += writer.saved;
      result.unverified += writer.unverified;
    }
    if (digests.size > 0)
      result.lost = Object.fromEntries(
        [...missing].flatMap(([id, left]) =>
          left.size > 0 ? [[definitions.find((each) => each.id === id)?.name ?? 'unknown', left.size]] : [],
        ),
      );
  });
  into.exec('PRAGMA foreign_keys = ON');
  return result;
}

interface SchemaEntry {
  root: number;
  sql: string | undefined;
}

type Schema = Map<string, SchemaEntry>;

/** What of `sqlite_schema` can be read: where tables begin. Pages of it that nothing leads to are found by their shape. */
function readSchema(pages: RawPages): Schema {
  const schema: Schema = new Map();
  const add = (records: Iterable<RawRecord>) => {
    for (const { rowid, values } of records) {
      const [type, name, table, root, sql] = values;
      if (rowid === undefined || values.length !== 5 || typeof name !== 'string' || typeof table !== 'string')
        continue;
      if (!['table', 'index', 'trigger', 'view'].includes(`${type}`) || schema.has(name)) continue;
      schema.set(name, { root: Number(root ?? 0), sql: typeof sql === 'string' ? sql : undefined });
    }
  };
  const tree = treePages(pages, 1);
  for (const number of tree.numbers) add(pageRecords(pages, number));
  if (!tree.whole) for (let number = 1; number <= pages.count; number++) add(pageRecords(pages, number));
  return schema;
}

function readDigests(pages: RawPages, root: number | undefined): { digests: Set<bigint>; whole: boolean } {
  const digests = new Set<bigint>();
  let whole = true;
  const add = (records: Iterable<RawRecord>, strict: boolean) => {
    for (const { rowid, values } of records) {
      if (rowid === undefined || values.length !== 1 || values[0] !== null) whole &&= !strict;
      else if (isWholeDigest(rowid)) digests.add(rowid);
      else whole &&= !strict;
    }
  };
  const tree = root ? treePages(pages, root) : { numbers: [], whole: false };
  for (const number of tree.numbers) {
    const page = pages.page(number);
    const records = pageRecords(pages, number);
    if (page && records.length !== namedCells(page)) whole = false;
    add(records, true);
  }
  // A wrong number can name the sound tree of another table, which has no digest in it.
  if (tree.whole && digests.size > 0) return { digests, whole };
  for (let number = 1; number <= pages.count; number++) add(pageRecords(pages, number), false);
  return { digests, whole: false };
}

/** Records that a leaf says it has. */
const namedCells = (page: Buffer): number => (page[0] === 13 ? page.readUInt16BE(3) : 0);

function readDefinitions(
  pages: RawPages,
  schema: Schema,
  missing: Set<bigint>,
  digestsWhole: boolean,
  backups: readonly string[],
): Definition[] {
  const found = new Map<string, Definition>();
  const add = (definition: Definition, trusting: boolean) => {
    const { id, name, sql } = definition;
    const proven = missing.delete(rowDigest(definitionsTable, [BigInt(id), name, sql]));
    if ((proven || trusting) && name !== '' && !found.has(name)) found.set(name, definition);
  };
  const addRecords = (records: Iterable<RawRecord>, trusting: boolean) => {
    for (const { rowid, values } of records) {
      const [id, name, sql] = values;
      if (
        rowid !== undefined &&
        values.length === 3 &&
        id === null &&
        typeof name === 'string' &&
        typeof sql === 'string'
      )
        add({ id: Number(rowid), name, sql }, trusting);
    }
  };
  const root = schema.get('_definitions')?.root;
  if (root) addRecords(treeRecords(pages, root), !digestsWhole);
  if (missing.size > 0)
    for (const [name, { sql }] of schema)
      for (let id = 1; sql && !found.has(name) && id < 1024 && missing.size > 0; id++)
        add({ id, name, sql }, false);
  if (missing.size > 0) addRecords(everywhere(pages), false);
  for (const path of backups)
    if (missing.size > 0) for (const definition of backupDefinitions(path)) add(definition, false);
  if (found.size > 0 && !found.has('_schema'))
    found.set('_schema', { id: Number.MAX_SAFE_INTEGER, name: '_schema', sql: bookkeeping });
  if (found.size > 0) return [...found.values()].sort((a, b) => a.id - b.id);
  // Without the versions of its stores no table could be used.
  if (rowsOf(pages, schema, '_schema').every(({ values }) => values.length !== 3)) return [];
  // A library from before digests: its schema is what can be read of it.
  const shadows = [...schema]
    .filter(([, { sql }]) => /^CREATE VIRTUAL/i.test(sql ?? ''))
    .map(([name]) => name);
  return [...schema]
    .filter(
      ([name, { sql }]) =>
        sql &&
        !name.startsWith('sqlite_') &&
        !shadows.some((table) => name.startsWith(`${table}_`) && isShadow(name, table)),
    )
    .map(([name, { sql }], at) => ({ id: at + 1, name, sql: sql ?? '' }));
}

const isShadow = (name: string, table: string): boolean =>
  ['data', 'idx', 'content', 'docsize', 'config'].includes(name.slice(table.length + 1));

/** First at the places that pages name, then at every place. */
function huntRows(pages: RawPages, writers: RowWriter[]): void {
  const wanting = () => writers.filter((writer) => writer.missing.size > 0);
  for (const records of [named(pages), everywhere(pages)]) {
    let left = wanting();
    for (const record of records) {
      if (left.length === 0) return;
      if (left.some((writer) => writer.take(record, { trusting: false }))) left = wanting();
    }
  }
}

function* named(pages: RawPages): Generator<RawRecord> {
  for (let number = 1; number <= pages.count; number++) yield* pageRecords(pages, number);
  for (const page of pages.replaced) yield* recordsOf(pages, page, false);
}

function* everywhere(pages: RawPages): Generator<RawRecord> {
  for (let number = 1; number <= pages.count; number++) {
    const page = pages.page(number);
    if (page) yield* recordsAnywhere(pages, page);
  }
  for (const page of pages.replaced) yield* recordsAnywhere(pages, page);
}

function pageRecords(pages: RawPages, number: number): RawRecord[] {
  const page = pages.page(number);
  return page ? recordsOf(pages, page, number === 1) : [];
}

function* treeRecords(pages: RawPages, root: number): Generator<RawRecord> {
  for (const number of treePages(pages, root).numbers) yield* pageRecords(pages, number);
}

function rowsOf(pages: RawPages, schema: Schema, table: string): RawRecord[] {
  const root = schema.get(table)?.root;
  return root ? [...treeRecords(pages, root)] : [];
}

/** What belongs to a table that could not be read comes back with it: its store creates both when it opens. */
function create(into: Sqlite, definitions: Definition[], kind: RegExp): void {
  for (const { sql } of definitions) {
    if (!kind.test(sql)) continue;
    try {
      into.exec(sql);
    } catch (error) {
      if (!/^no such table/.test(messageOf(error))) throw error;
    }
  }
}

const isTable = (into: Sqlite, name: string): boolean =>
  into.get("SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name = ?", name) !==
  undefined;

/** The version of a store stands twice: without it the store could not use its tables. */
function restoreVersion({ name, sql }: Definition, writers: RowWriter[]): void {
  if (!name.startsWith(versionPrefix)) return;
  const [version, at] = sql.split(' ');
  const values: Value[] = [name.slice(versionPrefix.length), BigInt(version ?? '0'), at ?? ''];
  writers.find((writer) => writer.name === '_schema')?.take({ rowid: 0n, values }, { trusting: true });
}
