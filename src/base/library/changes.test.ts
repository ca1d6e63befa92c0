import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { type Library, type LibraryMigrations, openLibrary, startEpoch } from './index.ts';

interface Tables {
  notes: { id: string; text: string };
  labels: { note: string; label: string };
}

const steps = [
  `CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL);
   CREATE TABLE labels (note TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE, label TEXT NOT NULL, PRIMARY KEY (note, label));`,
];
const followed = [
  { table: 'notes', ref: (row: string) => `'note:' || ${row}.id` },
  { table: 'labels', ref: (row: string) => `'note:' || ${row}.note` },
];

function notes(path: string, migrations: LibraryMigrations = { store: 'notes', steps, followed }) {
  const library = openLibrary(path);
  onTestFinished(() => library.close());
  library.migrate(migrations);
  return { library, db: library.tables<Tables>() };
}

const fresh = () => join(temporaryDirectory('changes'), 'library.db');

/** Everything since a position, a few at a time. */
async function readAll(library: Library, from?: string) {
  const refs: string[] = [];
  let position = from;
  let restarts = 0;
  for (let more = true; more; ) {
    const changes = await library.changesSince(position, 2);
    if (changes.restart) restarts++;
    refs.push(...changes.refs);
    ({ position, more } = changes);
  }
  return { refs, position, restarts };
}

test('a row that is added, changed or removed is told, and so is one that hangs on it', async () => {
  const { library, db } = notes(fresh());
  for (const id of ['a', 'b', 'c']) await db.insertInto('notes').values({ id, text: id }).execute();
  const first = await readAll(library);
  expect(first).toMatchObject({ refs: ['note:a', 'note:b', 'note:c'], restarts: 1 });
  expect(await readAll(library, first.position)).toMatchObject({ refs: [], restarts: 0 });
  await db.updateTable('notes').set({ text: 'x' }).where('id', '=', 'b').execute();
  await db.insertInto('labels').values({ note: 'c', label: 'red' }).execute();
  await db.deleteFrom('notes').where('id', '=', 'a').execute();
  const second = await readAll(library, first.position);
  expect(second).toMatchObject({ refs: ['note:b', 'note:c', 'note:a'], restarts: 0 });
  await db.deleteFrom('notes').where('id', '=', 'c').execute();
  expect((await readAll(library, second.position)).refs).toEqual(['note:c']);
});

test('a write that failed is not told, and one that is still open cannot be looked at', async () => {
  const { library, db } = notes(fresh());
  const start = await readAll(library);
  const failed = library.write(async () => {
    await db.insertInto('notes').values({ id: 'a', text: '' }).execute();
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await expect(library.write(() => library.changesSince(undefined))).rejects.toThrow(/outside of writes/);
  expect((await readAll(library, start.position)).refs).toEqual([]);
});

test('rows from before they were followed are told once they are', async () => {
  const path = fresh();
  const before = notes(path, { store: 'notes', steps });
  await before.db.insertInto('notes').values({ id: 'old', text: '' }).execute();
  await before.library.close();
  expect((await readAll(notes(path).library)).refs).toEqual(['note:old']);
});

test('a follower starts again where the library is not the one that it read', async () => {
  const [one, other] = [fresh(), fresh()];
  const first = notes(one);
  await first.db.insertInto('notes').values({ id: 'a', text: '' }).execute();
  const { position } = await readAll(first.library);
  expect(await readAll(notes(other).library, position)).toMatchObject({ refs: [], restarts: 1 });
  startEpoch(first.library.sqlite);
  expect(await readAll(first.library, position)).toMatchObject({ refs: ['note:a'], restarts: 1 });
});
