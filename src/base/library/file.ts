import { join } from 'node:path';
import { plainReason, SylkError } from '../errors.ts';
import { state } from '../files/index.ts';
import {
  isNeverMade,
  migrate,
  openSalvaging,
  openSqlite,
  type Sqlite,
  salvageNotice,
} from '../sqlite/index.ts';
import { followInSqlite, startEpoch } from './changes.ts';
import { type IdentityRegister, identify, requireRegistered, requireSameLibrary } from './identity.ts';
import { type LibraryMigrations, stepsFor } from './migrations.ts';

/** The database under a library, and how far it may be written. */
export interface LibraryFile {
  sqlite: Sqlite;
  migrate(migrations: LibraryMigrations): void;
  /** Tables that were missing when their store opened; they are there again, without rows. */
  recreated: string[];
  /** There was a library before, and it may be backed up. */
  existed: boolean;
  notice: string | undefined;
  damaged: boolean;
  /** Gives it the id that its place knows it by; asked once its own tables are there. */
  identify(): void;
  close(): void;
}

/** What is asked of the directory of a library while it is open. */
export interface LibraryPlace extends IdentityRegister {
  /** Throws where the file at the path must not be used any more; asked when it was replaced. */
  requireOurs(): void;
  /** Makes the directory again as it was; asked before a library whose file was removed comes back. */
  restore(): void;
}

export function openFile(path: string, place?: LibraryPlace): LibraryFile {
  const opened = openSalvaging(path, {
    durability: 'full',
    guarded: true,
    beforeFollowing: () => {
      place?.requireOurs();
      if (place) requireSameLibrary(path, place);
    },
    beforeReturning: place?.restore,
  });
  const { sqlite } = opened;
  try {
    if (place) requireRegistered(sqlite, place, !opened.existed || opened.salvaged !== undefined);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const recreated: string[] = [];
  let hasOtherRows = opened.salvaged !== undefined;
  return {
    sqlite,
    migrate: (migrations) => {
      const tables = migrateTables(sqlite, migrations);
      recreated.push(...tables);
      if (hasOtherRows || tables.length > 0) startEpoch(sqlite);
      hasOtherRows = false;
      follow(sqlite, migrations);
    },
    recreated,
    existed: opened.existed,
    notice: salvageNotice(opened),
    damaged: opened.salvaged !== undefined || opened.missing,
    identify: () => {
      if (place) identify(sqlite, place);
    },
    close: sqlite.close,
  };
}

const migrateTables = (sqlite: Sqlite, { store, steps }: LibraryMigrations): string[] =>
  migrate(sqlite, { store, steps: stepsFor('sqlite', steps) });

function follow(sqlite: Sqlite, { store, followed = [] }: LibraryMigrations): void {
  if (followed.length > 0) followInSqlite(sqlite, store, followed);
}

/** The setting that moves a library is named to whoever can't write it. */
const unwritable = (path: string, why: string, setting: string): SylkError =>
  new SylkError('UNAVAILABLE', `${path} cannot be written: ${why}.`, {
    hint: `${why.startsWith('the disk') ? 'Free some space' : 'Give yourself write permission there'}, or set ${setting} to a directory of your own. Nothing was changed.`,
  });

/** A library that nobody wrote to yet answers from an empty one in memory. The first write makes the file. */
export function openOnWrite(path: string, setting: string): LibraryFile {
  if (!isNeverMade(path)) return openFile(path);
  const empty = openSqlite(':memory:');
  const migrations: LibraryMigrations[] = [];
  let file: Sqlite | undefined;
  const open = (): Sqlite => {
    if (file) return file;
    try {
      const opened = openFile(path);
      for (const each of migrations) opened.migrate(each);
      file = opened.sqlite;
      return file;
    } catch (error) {
      if (error instanceof SylkError) throw error;
      throw unwritable(path, plainReason(error), setting);
    }
  };
  // Another process may make it in the meantime.
  const reading = () => file ?? (isNeverMade(path) ? empty : open());
  return {
    sqlite: over(path, { read: reading, write: open }),
    migrate: (each) => {
      migrations.push(each);
      const sqlite = reading();
      migrateTables(sqlite, each);
      follow(sqlite, each);
    },
    recreated: [],
    existed: false,
    notice: undefined,
    damaged: false,
    identify: () => {},
    close: () => {
      empty.close();
      file?.close();
    },
  };
}

/**
 * A library that can't be written is read from a copy, because SQLite needs files beside a database to read it. Whoever
 * writes is told why not.
 */
export function openCopy(path: string, why: string, setting: string): LibraryFile {
  const directory = state.temporaryDirectory('sylk-library-');
  const copy = join(directory, 'library.db');
  const remove = () => state.remove(directory);
  try {
    for (const end of ['', '-wal', '.checked'])
      if (state.exists(path + end)) state.copy(path + end, copy + end);
    const file = openFile(copy);
    const refuse = (): never => {
      throw unwritable(path, why, setting);
    };
    return {
      ...file,
      sqlite: over(path, { read: () => file.sqlite, write: refuse }),
      existed: false,
      close: () => {
        file.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const writing = new Set<unknown>(['run', 'write', 'begin', 'commit']);

/** One connection for reads, and what is asked for one before a write. */
const over = (path: string, connections: { read(): Sqlite; write(): Sqlite }): Sqlite =>
  new Proxy(connections.read(), {
    get: (_, name) => {
      if (name === 'path') return path;
      if (name === 'close') return () => {};
      return Reflect.get(writing.has(name) ? connections.write() : connections.read(), name);
    },
  });
