import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Library, openLibrary } from '../../src/base/library/index.ts';
import { freshPostgres } from './postgres.ts';
import { temporaryDirectory } from './temporary.ts';

export interface TestedDatabase {
  name: string;
  /** The address of a library that nobody has opened yet. */
  freshUrl(): Promise<string>;
}

/** For `describe.each`: everything that a store promises holds on both. */
export const databases: TestedDatabase[] = [
  { name: 'SQLite', freshUrl: async () => join(temporaryDirectory('library'), 'library.db') },
  { name: 'PostgreSQL', freshUrl: freshPostgres },
];

/** A library that is closed after the test. */
export function openForTest(url: string): Library {
  const library = openLibrary({ url });
  onTestFinished(() => library.close());
  return library;
}

/** The rows of a table as they are stored. */
export const allRows = (library: Library, table: string): Promise<object[]> =>
  library.tables<Record<string, object>>().selectFrom(table).selectAll().execute();
