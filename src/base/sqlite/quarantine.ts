import { DatabaseSync } from 'node:sqlite';
import { state } from '../files/index.ts';
import { isDamaged } from './failures.ts';
import { openSqlite, type Sqlite, type SqliteOptions } from './open.ts';
import { keepDamagedWal, type WalDamage } from './wal-check.ts';

export interface OpenedSqlite {
  sqlite: Sqlite;
  /** Where the damaged file went, if there was one. */
  quarantined?: string;
  /** Rows that could be read from it and were copied over. */
  salvaged?: number;
  /** The write-ahead log had damage in the middle; commits behind it are gone. */
  wal?: WalDamage;
}

/**
 * Opens a database; a damaged one is moved to `<name>.corrupt.<time>` and a fresh one takes its place.
 * With `salvage`, whatever can still be read of the old one is copied into the new one.
 */
export function openOrQuarantine(
  path: string,
  options: SqliteOptions & { salvage?: boolean } = {},
): OpenedSqlite {
  const wal = keepDamagedWal(path);
  const log = wal ? { wal } : {};
  try {
    const sqlite = openSqlite(path, options);
    try {
      sqlite.get('SELECT count(*) FROM sqlite_master');
      if (options.salvage) requireSound(sqlite);
      return { sqlite, ...log };
    } catch (error) {
      sqlite.close();
      throw error;
    }
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const quarantined = quarantine(path);
    if (!options.salvage) return { sqlite: openSqlite(path, options), quarantined, ...log };
    return { ...saveInto(path, quarantined, options), quarantined, ...log };
  }
}

/** One line for a person: what was damaged, where it went, what became of it. */
export function damageNotice(
  what: string,
  { quarantined, salvaged, wal }: OpenedSqlite,
  derived: boolean,
): string | undefined {
  if (quarantined && derived)
    return `The ${what} was damaged: set aside as ${quarantined}, rebuilt from git and files.`;
  if (quarantined)
    return `The ${what} was damaged: set aside as ${quarantined}, ${salvaged ?? 0} rows saved into a new one.`;
  if (!wal) return undefined;
  const lost = wal.lostCommits === undefined ? 'its last changes' : `${wal.lostCommits} changes`;
  return `The write-ahead log of the ${what} was damaged: kept as ${wal.kept}, ${lost} could not be read${derived ? '; run `sylk index`' : ''}.`;
}

/** Moves a database with its companions aside. */
export function quarantine(path: string): string {
  const target = `${path}.corrupt.${new Date().toISOString().replace(/[:.]/g, '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (state.exists(path + suffix)) state.move(path + suffix, target + suffix);
  }
  return target;
}

/** Reads every page: slow on a large database, so asked only where damage is suspected. */
export function isSound(sqlite: Sqlite): boolean {
  try {
    requireSound(sqlite);
    return true;
  } catch {
    return false;
  }
}

function requireSound(sqlite: Sqlite): void {
  const verdict = sqlite.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check;
  if (verdict !== 'ok') throw Object.assign(new Error(`quick_check: ${verdict}`), { errcode: 11 });
}

/** Without the record of its versions no store can use its tables: then the new database starts empty. */
function saveInto(
  path: string,
  quarantined: string,
  options: SqliteOptions,
): { sqlite: Sqlite; salvaged: number } {
  const sqlite = openSqlite(path, options);
  const salvaged = salvage(quarantined, sqlite);
  const usable =
    sqlite.get("SELECT 1 FROM sqlite_master WHERE name = '_schema'") && sqlite.get('SELECT 1 FROM _schema');
  if (salvaged === 0 || usable) return { sqlite, salvaged };
  sqlite.close();
  for (const suffix of ['', '-wal', '-shm']) state.remove(path + suffix);
  return { sqlite: openSqlite(path, options), salvaged: 0 };
}

/** Copies table by table, from both ends towards the damage, and never fails for a row it cannot read. */
function salvage(from: string, into: Sqlite): number {
  let source: DatabaseSync;
  try {
    source = new DatabaseSync(from, { readOnly: true });
  } catch {
    return 0;
  }
  let rows = 0;
  try {
    const tables = attempt(
      () =>
        source
          .prepare(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
          )
          .all() as Array<{ name: string; sql: string }>,
    );
    into.exec('PRAGMA foreign_keys = OFF');
    const virtual = (tables ?? []).filter((table) => isVirtual(table.sql));
    // A text index first, empty: it makes its own tables, whose rows are then copied like any others.
    for (const table of virtual) attempt(() => into.exec(table.sql));
    for (const table of tables ?? []) rows += into.write(() => copyTable(source, into, table));
    for (const table of virtual) mendTextIndex(into, table);
    const rest = attempt(
      () =>
        source
          .prepare(
            "SELECT sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL",
          )
          .all() as Array<{
          sql: string;
        }>,
    );
    for (const { sql } of rest ?? []) attempt(() => into.exec(sql));
    into.exec('PRAGMA foreign_keys = ON');
  } finally {
    source.close();
  }
  return rows;
}

const isVirtual = (sql: string): boolean => /^CREATE VIRTUAL/i.test(sql);

function copyTable(source: DatabaseSync, into: Sqlite, table: { name: string; sql: string }): number {
  if (isVirtual(table.sql)) return 0;
  const there = into.get('SELECT 1 FROM sqlite_master WHERE name = ?', table.name);
  if (!there) attempt(() => into.exec(table.sql));
  const directions = /WITHOUT\s+ROWID\s*$/i.test(table.sql)
    ? ['']
    : ['ORDER BY rowid ASC', 'ORDER BY rowid DESC'];
  let copied = 0;
  for (const direction of directions) {
    const whole = attempt(() => {
      for (const row of source.prepare(`SELECT * FROM "${table.name}" ${direction}`).iterate()) {
        const columns = Object.keys(row);
        const marks = columns.map(() => '?').join(', ');
        const names = columns.map((column) => `"${column}"`).join(', ');
        copied += into.run(
          `INSERT OR ${there ? 'REPLACE' : 'IGNORE'} INTO "${table.name}" (${names}) VALUES (${marks})`,
          ...(Object.values(row) as []),
        ).changes;
      }
      return true;
    });
    if (whole) break;
  }
  return copied;
}

/** A text index that came over whole is kept; else it is made from its own text, or starts empty. */
function mendTextIndex(into: Sqlite, { name, sql }: { name: string; sql: string }): void {
  const command = (word: string) =>
    attempt(() => {
      into.exec(`INSERT INTO "${name}" ("${name}") VALUES ('${word}')`);
      return true;
    });
  if (command('integrity-check') || command('rebuild')) return;
  attempt(() => into.exec(`DROP TABLE "${name}"`));
  attempt(() => into.exec(sql));
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
