import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import type { LibraryMigrations } from '../library/index.ts';
import { idOf } from '../ref.ts';
import { openSqlite } from '../sqlite/index.ts';
import { searchWords } from '../text/index.ts';
import { createDocumentIndex } from './index.ts';

interface Tables {
  notes: { id: string; owner: string; text: string };
}

const migrations: LibraryMigrations = {
  store: 'notes',
  steps: ['CREATE TABLE notes (id TEXT PRIMARY KEY, owner TEXT NOT NULL, text TEXT NOT NULL)'],
  followed: [{ table: 'notes', ref: (row) => `'note:' || ${row}.id` }],
};

const emptyIndex = () => openSqlite(join(temporaryDirectory('documents'), 'index.db'));

function notes(url: string, index = emptyIndex()) {
  const library = openForTest(url);
  library.migrate(migrations);
  const db = library.tables<Tables>();
  let reads = 0;
  const open = () =>
    createDocumentIndex({
      name: 'note_words',
      library,
      index: () => index,
      weights: { text: 1 },
      owns: (ref) => ref.startsWith('note:'),
      read: async (refs) => {
        const rows = await db.selectFrom('notes').selectAll().where('id', 'in', refs.map(idOf)).execute();
        reads += rows.length;
        return rows.map(({ id, owner, text }) => ({
          ref: `note:${id}`,
          scope: owner,
          fields: [searchWords(text)],
        }));
      },
    });
  const put = (id: string, text: string, owner = 'a') =>
    db.insertInto('notes').values({ id, owner, text }).execute();
  const documents = open();
  const find = async (text: string, scope?: string) =>
    (await documents.rank({ terms: searchWords(text), limit: 10, scope })).map(({ ref }) => idOf(ref)).sort();
  return { db, documents, open, put, find, reads: () => reads };
}

describe.each(databases)('on $name', ({ freshUrl }) => {
  test('a question sees what was written, changed and removed before it, and reads nothing twice', async () => {
    const { db, put, find, reads, open } = notes(await freshUrl());
    await put('one', 'a zebra crossing');
    await put('two', 'a zebra and a lion');
    expect(await find('zebra')).toEqual(['one', 'two']);
    await db.updateTable('notes').set({ text: 'a tiger' }).where('id', '=', 'one').execute();
    await db.deleteFrom('notes').where('id', '=', 'two').execute();
    expect(await find('zebra')).toEqual([]);
    expect(await find('tiger')).toEqual(['one']);
    await open().rank({ terms: ['tiger'], limit: 1 });
    expect(reads()).toBe(3);
  });

  test('documents with every word come alone, and with any word where none has all', async () => {
    const { put, find } = notes(await freshUrl());
    await put('one', 'zebra lion');
    await put('two', 'zebra', 'b');
    expect(await find('zebra lion')).toEqual(['one']);
    expect(await find('zebra tiger')).toEqual(['one', 'two']);
    expect(await find('zebra', 'b')).toEqual(['two']);
  });

  test('another library in the place of the one before is read from its beginning', async () => {
    const index = emptyIndex();
    const before = notes(await freshUrl(), index);
    await before.put('one', 'zebra');
    expect(await before.find('zebra')).toEqual(['one']);
    const after = notes(await freshUrl(), index);
    await after.put('new', 'zebra');
    expect(await after.find('zebra')).toEqual(['new']);
  });

  test('shares within some documents are moved by no other document', async () => {
    const { documents, put } = notes(await freshUrl());
    await put('one', 'zebra lion');
    await put('two', 'lion');
    const ask = async () => [
      ...(await documents.sharesWithin(['zebra', 'lion'], ['note:one', 'note:two'])).entries(),
    ];
    const alone = await ask();
    expect(alone).toHaveLength(2);
    for (let at = 0; at < 50; at++) await put(`other${at}`, 'zebra zebra and a long text about zebras', 'b');
    expect(await ask()).toEqual(alone);
  });
});
