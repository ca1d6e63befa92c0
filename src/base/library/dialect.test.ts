import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openLibrary } from './index.ts';

interface Tables {
  notes: {
    id: number;
    text: string;
    done: number | boolean;
    at: string | Date;
    extra: string | object | null;
  };
}

function library() {
  const opened = openLibrary(join(temporaryDirectory('library'), 'sylk.db'));
  opened.migrate({
    store: 'notes',
    steps: [
      'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, done INTEGER, at TEXT, extra TEXT)',
    ],
  });
  return { opened, tables: opened.tables<Tables>() };
}

const note = (id: number, text = `note ${id}`) => ({ id, text, done: false, at: '2026', extra: null });

test('what a statement returns, changes and makes comes back as the builder expects it', async () => {
  const { opened, tables } = library();
  const made = await tables
    .insertInto('notes')
    .values(note(1))
    .returning(['id', 'text'])
    .executeTakeFirstOrThrow();
  expect(made).toEqual({ id: 1, text: 'note 1' });
  const inserted = await tables.insertInto('notes').values(note(2)).executeTakeFirst();
  expect(inserted.insertId).toBe(2n);
  const updated = await tables
    .updateTable('notes')
    .set({ text: 'changed' })
    .where('id', '=', 2)
    .executeTakeFirst();
  expect(updated.numUpdatedRows).toBe(1n);
  const returned = await tables.updateTable('notes').set({ done: 1 }).returning('id').execute();
  expect(returned.map((row) => row.id)).toEqual([1, 2]);
  const removed = await tables.deleteFrom('notes').where('id', '>', 5).executeTakeFirst();
  expect(removed.numDeletedRows).toBe(0n);
  await opened.close();
});

test('values of every kind are bound: yes and no, times, objects, hostile text', async () => {
  const { opened, tables } = library();
  const hostile = "'); DROP TABLE notes; --";
  await tables
    .insertInto('notes')
    .values({ id: 1, text: hostile, done: true, at: new Date(0), extra: { a: [1] } })
    .execute();
  expect(await tables.selectFrom('notes').selectAll().executeTakeFirst()).toEqual({
    id: 1,
    text: hostile,
    done: 1,
    at: '1970-01-01T00:00:00.000Z',
    extra: '{"a":[1]}',
  });
  await opened.close();
});

test('two transactions at the same time never mix their statements', async () => {
  const { opened, tables } = library();
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
  const whole = (base: number) =>
    tables.transaction().execute(async (transaction) => {
      await transaction.insertInto('notes').values(note(base)).execute();
      await pause();
      await transaction
        .insertInto('notes')
        .values(note(base + 1))
        .execute();
    });
  const failing = tables.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values(note(100)).execute();
    await pause();
    throw new Error('no');
  });
  const results = await Promise.allSettled([
    whole(1),
    failing,
    whole(10),
    tables.insertInto('notes').values(note(50)).execute(),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  const ids = await tables.selectFrom('notes').select('id').orderBy('id').execute();
  expect(ids.map((row) => row.id)).toEqual([1, 2, 10, 11, 50]);
  await opened.close();
});

test('a failed statement leaves the connection usable', async () => {
  const { opened, tables } = library();
  await tables.insertInto('notes').values(note(1)).execute();
  await expect(tables.insertInto('notes').values(note(1)).execute()).rejects.toThrow(/UNIQUE/);
  await expect(sql`SELECT nonsense FROM nowhere`.execute(tables)).rejects.toThrow(/no such table/);
  await expect(
    tables.transaction().execute((transaction) => transaction.insertInto('notes').values(note(1)).execute()),
  ).rejects.toThrow(/UNIQUE/);
  expect(await tables.selectFrom('notes').select('id').execute()).toEqual([{ id: 1 }]);
  await opened.close();
});

test('rows can be streamed', async () => {
  const { opened, tables } = library();
  await tables
    .insertInto('notes')
    .values([1, 2, 3].map((id) => note(id)))
    .execute();
  const seen: number[] = [];
  for await (const row of tables.selectFrom('notes').select('id').stream()) seen.push(row.id);
  expect(seen).toEqual([1, 2, 3]);
  await opened.close();
});

test('a store that opens its own transaction inside a write joins it instead of waiting for itself', async () => {
  const { opened, tables } = library();
  const own = (id: number) =>
    tables.transaction().execute((transaction) => transaction.insertInto('notes').values(note(id)).execute());
  await opened.write(async () => {
    await own(1);
    await tables.insertInto('notes').values(note(2)).execute();
  });
  await expect(
    opened.write(async () => {
      await own(3);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await expect(opened.write(() => own(1).catch(() => undefined))).rejects.toThrow(/none of it holds/);
  expect(await tables.selectFrom('notes').select('id').orderBy('id').execute()).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
  await opened.close();
});

test('what a write only happens to start stands on its own when the write fails', async () => {
  const { opened, tables } = library();
  let beside: Promise<unknown> = Promise.resolve();
  let late: () => void = () => {};
  const after = new Promise<void>((resolve) => {
    late = resolve;
  });
  let afterwards: Promise<unknown> = Promise.resolve();
  await expect(
    opened.write(async () => {
      beside = opened.outside(() => opened.write(() => tables.insertInto('notes').values(note(1)).execute()));
      afterwards = after.then(() => opened.write(() => tables.insertInto('notes').values(note(2)).execute()));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  late();
  await Promise.all([beside, afterwards]);
  expect(await tables.selectFrom('notes').select('id').orderBy('id').execute()).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
  await opened.close();
});
