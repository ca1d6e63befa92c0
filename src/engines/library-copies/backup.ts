import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import { SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import type { Library } from '../../base/library/index.ts';
import { openSqlite, type Sqlite } from '../../base/sqlite/index.ts';

export interface Restored {
  from: string;
  /** The state before, in case the wrong copy was taken. */
  before?: string;
  rows: number;
}

/** Rows of every table; text indexes are counted by the tables they are made from. */
export function countRows(sqlite: Sqlite): Record<string, number> {
  const tables = sqlite.all<{ name: string }>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      sqlite.get<{ rows: number }>(`SELECT count(*) AS rows FROM "${name.replaceAll('"', '""')}"`)!.rows,
    ]),
  );
}

const total = (rows: Record<string, number>): number =>
  Object.values(rows).reduce((sum, each) => sum + each, 0);

/** A copy while others read and write, checked before it is called one. */
export function writeBackup(library: Library, target: string): { path: string; rows: number } {
  if (person.exists(target))
    throw new SylkError('CONFLICT', `${target} is there already.`, { hint: 'Choose another name.' });
  person.makeDirectory(dirname(target));
  library.sqlite.run('VACUUM INTO ?', target);
  return { path: target, rows: total(inspect(target)) };
}

/** Puts a copy in place of what is there. All of it or nothing; the state before is kept beside the library. */
export async function restoreLibrary(library: Library, source: string): Promise<Restored> {
  const expected = inspect(source);
  refuseNewer(library, source);
  const before = library.backUp('before-restore');
  const copy = openSqlite(source, { readOnly: true });
  try {
    await backup(copy.db, library.sqlite.path);
  } finally {
    copy.close();
  }
  requireSound(library.sqlite, library.sqlite.path);
  const found = countRows(library.sqlite);
  const wrong = Object.keys(expected).filter((table) => expected[table] !== found[table]);
  if (wrong.length > 0)
    throw new SylkError('INTERNAL_ERROR', `Rows differ after the restore: ${wrong.join(', ')}.`, {
      hint: before ? `The state before is in ${before}.` : 'Run it again.',
    });
  return { from: source, ...(before ? { before } : {}), rows: total(found) };
}

function inspect(path: string): Record<string, number> {
  if (!person.exists(path))
    throw new SylkError('NOT_FOUND', `There is no file ${path}.`, {
      hint: '`sylk backup` makes one; `sylk status` names the state directory, which has older ones in backups.',
    });
  let copy: Sqlite | undefined;
  try {
    copy = openSqlite(path, { readOnly: true });
    requireSound(copy, path);
    const rows = countRows(copy);
    if (!('_schema' in rows)) throw new Error('it has no table _schema');
    return rows;
  } catch (error) {
    if (error instanceof SylkError) throw error;
    throw new SylkError('VALIDATION_ERROR', `${path} is not a library: ${(error as Error).message}`, {
      hint: 'Give a file that `sylk backup` wrote. Nothing was changed.',
    });
  } finally {
    copy?.close();
  }
}

function requireSound(sqlite: Sqlite, path: string): void {
  const verdict = sqlite.all<{ integrity_check: string }>('PRAGMA integrity_check');
  if (verdict.length === 1 && verdict[0]?.integrity_check === 'ok') return;
  throw new SylkError(
    'VALIDATION_ERROR',
    `${path} is damaged: ${verdict[0]?.integrity_check ?? 'unreadable'}`,
    {
      hint: 'Take another copy.',
    },
  );
}

/** A copy of a newer Sylk would lock this one out of its own library. */
function refuseNewer(library: Library, source: string): void {
  const versions = (sqlite: Sqlite) =>
    sqlite.all<{ store: string; version: number }>('SELECT store, version FROM _schema');
  const known = new Map(versions(library.sqlite).map(({ store, version }) => [store, version]));
  const copy = openSqlite(source, { readOnly: true });
  try {
    const newer = versions(copy).find(({ store, version }) => version > (known.get(store) ?? version));
    if (newer)
      throw new SylkError('UNAVAILABLE', `${source} was written by a newer Sylk (${newer.store}).`, {
        hint: 'Upgrade this Sylk first. Nothing was changed.',
      });
  } finally {
    copy.close();
  }
}
