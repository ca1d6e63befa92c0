import { dirname } from 'node:path';
import { SylkError } from '../errors.ts';
import { state } from '../files/index.ts';
import { newUuid } from '../ids.ts';
import type { Sqlite, StoreMigrations } from '../sqlite/index.ts';

interface Lockable {
  readonly sqlite: Sqlite;
  migrate(migrations: StoreMigrations): void;
  close(): Promise<void>;
}

/**
 * A library in a place that can't be written: read from a copy, because SQLite needs files beside a database to read it.
 * Whoever writes is told why not.
 */
export function readingCopy<Opened extends Lockable>(
  open: (path: string) => Opened,
  { path, stem, why }: { path: string; stem: string; why: string },
): Opened {
  const copy = `${stem}-${newUuid()}.db`;
  state.makeDirectory(dirname(copy));
  for (const end of ['', '-wal']) if (state.exists(path + end)) state.copy(path + end, copy + end);
  const library = open(copy);
  const lock = () => library.sqlite.exec('PRAGMA query_only = ON');
  lock();
  const refuse = async (): Promise<never> => {
    throw new SylkError('UNAVAILABLE', `The library can't be written: ${why}.`, {
      hint: 'Give yourself write permission there, or set SYLK_DIR to a directory of your own. Nothing was changed.',
    });
  };
  return {
    ...library,
    write: refuse,
    writeOnce: refuse,
    migrate: (migrations: StoreMigrations) => {
      library.sqlite.exec('PRAGMA query_only = OFF');
      library.migrate(migrations);
      lock();
    },
    close: async () => {
      await library.close();
      for (const end of ['', '-wal', '-shm']) state.remove(copy + end);
    },
  };
}
