import { DatabaseSync } from 'node:sqlite';
import type { Definition } from './digests.ts';
import type { Sqlite } from './open.ts';
import type { RawRecord } from './raw-records.ts';
import { rowDigest, type Value } from './row-digest.ts';

export type RowWriter = ReturnType<typeof createRowWriter>;

interface Column {
  name: string;
  type: string;
  pk: number;
  dflt_value: string | null;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Puts the rows of one table into the new database. `missing` has the digests of rows that were not found yet. */
export function createRowWriter(into: Sqlite, { id, name }: Definition, missing: Set<bigint>) {
  const columns = into.all<Column>(
    'SELECT name, type, pk, dflt_value FROM pragma_table_info(?) ORDER BY cid',
    name,
  );
  const toRow = rowReader(into, name, columns);
  const list = columns.map((column) => quoted(column.name)).join(', ');
  const insert = `INSERT OR IGNORE INTO ${quoted(name)} (${list}) VALUES (${columns.map(() => '?').join(', ')})`;
  let saved = 0;
  let unverified = 0;
  const put = (row: Value[]): boolean => {
    const { changes } = into.run(insert, ...row);
    saved += changes;
    return changes > 0;
  };
  const takeRow = (row: Value[], trusting: boolean): boolean => {
    if (missing.delete(rowDigest(id, row))) return put(row);
    if (!trusting || !put(row)) return false;
    unverified++;
    return true;
  };
  return {
    name,
    missing,
    get saved() {
      return saved;
    },
    get unverified() {
      return unverified;
    },
    /** Whether the record is a row of this table that was missing; `trusting` takes a row without a digest too. */
    take: (record: RawRecord, { trusting }: { trusting: boolean }): boolean => {
      if (!trusting && missing.size === 0) return false;
      const row = toRow(record);
      return row !== undefined && takeRow(row, trusting);
    },
    /** Takes what is missing from a backup and answers how many rows that were. */
    takeFromBackup: (path: string): number =>
      missing.size === 0 ? 0 : backupRows(path, name, list).filter((row) => takeRow(row, false)).length,
  };
}

/** A record has its values in the order of storage: keys first where the table has no row numbers, late columns missing. */
function rowReader(
  into: Sqlite,
  table: string,
  columns: Column[],
): (record: RawRecord) => Value[] | undefined {
  const { wr } = into.get<{ wr: number }>(
    "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
    table,
  ) ?? { wr: 0 };
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const stored = wr ? [...keys, ...columns.filter(({ pk }) => pk === 0)] : columns;
  const places = columns.map((column) => stored.indexOf(column));
  const defaults = columns.map(({ dflt_value }) =>
    dflt_value === null ? null : (into.value<Value>(`SELECT (${dflt_value}) AS value`) ?? null),
  );
  const [key, ...more] = keys;
  const numbered =
    !wr && key && more.length === 0 && key.type.toUpperCase() === 'INTEGER' ? columns.indexOf(key) : -1;
  return ({ rowid, values }) => {
    if ((rowid === undefined) !== Boolean(wr) || values.length > columns.length) return undefined;
    const row = places.map((place, at) =>
      place < values.length ? (values[place] ?? null) : (defaults[at] ?? null),
    );
    if (numbered >= 0 && rowid !== undefined) row[numbered] = rowid;
    return row;
  };
}

function backupRows(path: string, table: string, columns: string): Value[][] {
  let backup: DatabaseSync | undefined;
  try {
    backup = new DatabaseSync(path, { readOnly: true });
    const statement = backup.prepare(`SELECT ${columns} FROM ${quoted(table)}`);
    statement.setReadBigInts(true);
    return statement.all().map((row) => Object.values(row) as Value[]);
  } catch {
    // A backup that is unreadable, or older than the table, has nothing to give.
    return [];
  } finally {
    backup?.close();
  }
}
