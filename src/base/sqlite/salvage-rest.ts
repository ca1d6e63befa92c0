import type { Definition } from './digests.ts';
import { openSqlite, type Sqlite } from './open.ts';
import type { RawRecord } from './raw-records.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The copies of definitions in a backup; none where it is unreadable, or from before digests. */
export function backupDefinitions(path: string): Definition[] {
  let backup: Sqlite | undefined;
  try {
    backup = openSqlite(path, { readOnly: true });
    return backup.all<Definition>('SELECT id, name, sql FROM _definitions');
  } catch {
    return [];
  } finally {
    backup?.close();
  }
}

/** Text indexes that keep their text are made from it. One that keeps none starts empty; its store fills it again. */
export function fillTextIndexes(into: Sqlite, rowsOf: (table: string) => RawRecord[]): void {
  const indexes = into.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%(%' AND sql NOT LIKE '%fts5vocab%'",
  );
  for (const { name } of indexes) {
    const columns = into.all<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY cid', name);
    const list = ['rowid', ...columns.map((column) => quoted(column.name))].join(', ');
    const insert = `INSERT INTO ${quoted(name)} (${list}) VALUES (?${', ?'.repeat(columns.length)})`;
    const seen = new Set<bigint>();
    for (const { rowid, values } of rowsOf(`${name}_content`)) {
      const [, ...texts] = values;
      if (rowid === undefined || texts.length !== columns.length || seen.has(rowid)) continue;
      seen.add(rowid);
      into.run(insert, rowid, ...texts);
    }
  }
}

/** Numbers that were given are never given again, even where the last rows are gone. */
export function keepSequences(into: Sqlite, rows: RawRecord[]): void {
  if (!into.get("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")) return;
  for (const { values } of rows) {
    const [table, last] = values;
    if (typeof table !== 'string' || typeof last !== 'bigint' || last < 0n) continue;
    if (!into.get('SELECT 1 FROM sqlite_master WHERE name = ?', table)) continue;
    const { changes } = into.run('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?', last, table);
    if (changes === 0) into.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, last);
  }
}
