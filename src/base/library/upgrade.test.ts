import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '../../../tests/support/postgres.ts';
import { openLibrary, refusing } from './index.ts';
import type { LibraryMigrations } from './migrations.ts';

interface Tables {
  notes: { id: string; text: string; done?: number };
  lines: { seq?: number; note: string; text: string };
}

const before: LibraryMigrations = {
  store: 'notes',
  steps: [
    [
      `CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL);
       CREATE TABLE lines (seq NUMBERED, note TEXT NOT NULL REFERENCES notes (id), text TEXT NOT NULL);`,
      refusing('DELETE', { trigger: 'lines_remain', table: 'lines', message: 'lines are append-only' }),
    ],
  ],
  followed: [{ table: 'notes', ref: (row) => `'note:' || ${row}.id` }],
};
const after: LibraryMigrations = {
  ...before,
  steps: [...before.steps, 'ALTER TABLE notes ADD COLUMN done INTEGER NOT NULL DEFAULT 0'],
};

function opener(url: string) {
  const lines: string[] = [];
  const open = (migrations: LibraryMigrations) => {
    const library = openLibrary({ url, tell: (line) => lines.push(line) });
    onTestFinished(() => library.close());
    library.migrate(migrations);
    return library;
  };
  const query = async (text: string) => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  return { open, lines, query };
}

test('an upgrade copies the library first, and what it says brings everything back', async () => {
  const { open, lines, query } = opener(await freshPostgres());
  const old = open(before);
  const tables = old.tables<Tables>();
  await tables.insertInto('notes').values({ id: 'a', text: 'kept' }).execute();
  for (const text of ['one', 'two']) await tables.insertInto('lines').values({ note: 'a', text }).execute();
  expect(lines).toEqual([]);

  await open(after).tables<Tables>().insertInto('notes').values({ id: 'b', text: 'late', done: 1 }).execute();
  const [line = '', ...others] = lines;
  expect(others).toEqual([]);
  await old.close();
  await query(/in psql: (.*)$/.exec(line)?.[1] ?? '');

  const back = open(before);
  const rows = back.tables<Tables>();
  expect(await rows.selectFrom('notes').selectAll().execute()).toEqual([{ id: 'a', text: 'kept' }]);
  // Numbers go on, keys and triggers hold.
  await rows.insertInto('lines').values({ note: 'a', text: 'three' }).execute();
  expect(await rows.selectFrom('lines').select(['seq', 'text']).orderBy('seq').execute()).toEqual([
    { seq: 1, text: 'one' },
    { seq: 2, text: 'two' },
    { seq: 3, text: 'three' },
  ]);
  await expect(rows.deleteFrom('lines').execute()).rejects.toThrow('append-only');
  await expect(rows.insertInto('lines').values({ note: 'none', text: '' }).execute()).rejects.toThrow(
    /foreign key/,
  );
  await rows.insertInto('notes').values({ id: 'c', text: 'new' }).execute();
  expect((await back.changesSince(undefined)).refs).toEqual(['note:a', 'note:c']);
});

test('a process of the version before goes on beside a newer one, and a new start of it is refused plainly', async () => {
  const { open } = opener(await freshPostgres());
  const old = open(before);
  await old.tables<Tables>().insertInto('notes').values({ id: 'a', text: 'old' }).execute();
  const newer = open(after);
  await newer.tables<Tables>().updateTable('notes').set({ done: 1 }).execute();
  await old.write(async () => {
    await old.tables<Tables>().insertInto('notes').values({ id: 'b', text: 'old too' }).execute();
  });
  expect(await old.tables<Tables>().selectFrom('notes').select('id').orderBy('id').execute()).toEqual([
    { id: 'a' },
    { id: 'b' },
  ]);
  const again = open(before).tables<Tables>().selectFrom('notes').selectAll().execute();
  await expect(again).rejects.toMatchObject({
    message: expect.stringContaining('newer Sylk: notes has version 2'),
    hint: 'Upgrade Sylk on this machine. Nothing was changed.',
  });
});
