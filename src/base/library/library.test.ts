import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { databaseNow, itemsOf, numbers, texts } from './index.ts';

interface Tables {
  notes: {
    id: number;
    text: string;
    done: number | boolean;
    at: string | Date;
    extra: string | object | null;
  };
}

const note = (id: number, text = `note ${id}`) => ({ id, text, done: false, at: '2026', extra: null });

describe.each(databases)('on $name', ({ freshUrl }) => {
  async function library() {
    const opened = openForTest(await freshUrl());
    opened.migrate({
      store: 'notes',
      steps: [
        'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, done INTEGER, at TEXT, extra TEXT)',
      ],
    });
    return { opened, tables: opened.tables<Tables>() };
  }

  test('what a statement returns, changes and makes comes back as the builder expects it', async () => {
    const { tables } = await library();
    const made = await tables
      .insertInto('notes')
      .values(note(1))
      .returning(['id', 'text'])
      .executeTakeFirstOrThrow();
    expect(made).toEqual({ id: 1, text: 'note 1' });
    const inserted = await tables.insertInto('notes').values(note(2)).executeTakeFirst();
    expect(inserted.numInsertedOrUpdatedRows).toBe(1n);
    const updated = await tables
      .updateTable('notes')
      .set({ text: 'changed' })
      .where('id', '=', 2)
      .executeTakeFirst();
    expect(updated.numUpdatedRows).toBe(1n);
    const returned = await tables.updateTable('notes').set({ done: 1 }).returning('id').execute();
    expect(returned.map((row) => row.id).sort()).toEqual([1, 2]);
    const removed = await tables.deleteFrom('notes').where('id', '>', 5).executeTakeFirst();
    expect(removed.numDeletedRows).toBe(0n);
  });

  test('values of every kind are bound: yes and no, times, objects, hostile text', async () => {
    const { tables } = await library();
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
  });

  test('posted statements belong to their write: seen by the next statement, undone with it, and what fails fails it', async () => {
    const { opened, tables } = await library();
    const insert = (id: number, text?: string) =>
      opened.tables<Tables>().insertInto('notes').values(note(id, text));
    const ids = async () =>
      (await opened.tables<Tables>().selectFrom('notes').select('id').execute()).map(({ id }) => id);
    await opened.write(async () => {
      await opened.post(insert(1));
      await opened.post(insert(2));
      expect((await ids()).sort()).toEqual([1, 2]);
      await opened.post(tables.updateTable('notes').set({ text: 'first' }).where('id', '=', 1));
      await opened.post(insert(3));
    });
    await opened.post(insert(4));
    const undone = opened.write(async () => {
      await opened.post(insert(5));
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    const refused = opened.write(async () => {
      await opened.post(insert(6));
      await opened.post(insert(7, 'first'));
    });
    await expect(refused).rejects.toThrow(/unique/i);
    expect((await ids()).sort()).toEqual([1, 2, 3, 4]);
    // The connection is fit for use afterwards.
    await opened.write(() => opened.post(insert(8)));
    expect(await ids()).toContain(8);
  });

  test('two transactions at the same time never mix their statements', async () => {
    const { tables } = await library();
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
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    const ids = await tables.selectFrom('notes').select('id').orderBy('id').execute();
    expect(ids.map((row) => row.id)).toEqual([1, 2, 10, 11, 50]);
  });

  test('a failed statement leaves the connection usable', async () => {
    const { tables } = await library();
    await tables.insertInto('notes').values(note(1)).execute();
    await expect(tables.insertInto('notes').values(note(1)).execute()).rejects.toThrow(/unique/i);
    await expect(sql`SELECT nonsense FROM nowhere`.execute(tables)).rejects.toThrow(
      /no such table|does not exist/,
    );
    await expect(
      tables
        .transaction()
        .execute((transaction) => transaction.insertInto('notes').values(note(1)).execute()),
    ).rejects.toThrow(/unique/i);
    expect(await tables.selectFrom('notes').select('id').execute()).toEqual([{ id: 1 }]);
  });

  test('a store that opens its own transaction inside a write joins it instead of waiting for itself', async () => {
    const { opened, tables } = await library();
    const own = (id: number) =>
      tables
        .transaction()
        .execute((transaction) => transaction.insertInto('notes').values(note(id)).execute());
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
    await expect(opened.write(() => own(1).catch(() => undefined))).rejects.toThrow(/rolled back/);
    expect(await tables.selectFrom('notes').select('id').orderBy('id').execute()).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });

  test('what a write only happens to start stands on its own when the write fails', async () => {
    const { opened, tables } = await library();
    let beside: Promise<unknown> = Promise.resolve();
    let late: () => void = () => {};
    const after = new Promise<void>((resolve) => {
      late = resolve;
    });
    let afterwards: Promise<unknown> = Promise.resolve();
    await expect(
      opened.write(async () => {
        beside = opened.outside(() =>
          opened.write(() => tables.insertInto('notes').values(note(1)).execute()),
        );
        afterwards = after.then(() =>
          opened.write(() => tables.insertInto('notes').values(note(2)).execute()),
        );
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    late();
    await Promise.all([beside, afterwards]);
    expect(await tables.selectFrom('notes').select('id').orderBy('id').execute()).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });

  test('a store that is opened within a write has its tables, and loses them with that write', async () => {
    const opened = openForTest(await freshUrl());
    const steps = ['CREATE TABLE late (id TEXT PRIMARY KEY)'];
    const late = opened.tables<{ late: { id: string } }>();
    const failed = opened.write(async () => {
      opened.migrate({ store: 'late', steps });
      await late.insertInto('late').values({ id: 'a' }).execute();
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    opened.migrate({ store: 'late', steps });
    expect(await late.selectFrom('late').selectAll().execute()).toEqual([]);
  });

  test('several openers bring a library up to date once, and one that knows less is refused', async () => {
    const url = await freshUrl();
    const steps = ['CREATE TABLE once (id INTEGER PRIMARY KEY)', 'ALTER TABLE once ADD COLUMN text TEXT'];
    const libraries = [1, 2, 3].map(() => openForTest(url));
    await Promise.all(
      libraries.map(async (each) => {
        each.migrate({ store: 'once', steps });
        await each.marks('test').set('a', 'b');
      }),
    );
    const older = openForTest(url);
    const open = async () => {
      older.migrate({ store: 'once', steps: steps.slice(0, 1) });
      await older.marks('test').get('a');
    };
    await expect(open()).rejects.toThrow(/newer Sylk: once has version 2/);
  });

  test('a keyed write is done once, also by two at the same time', async () => {
    const library = openForTest(await freshUrl());
    let done = 0;
    const call = { key: 'k', question: { a: 1 }, now: Date.UTC(2026, 0, 1) };
    const replies = await Promise.all(
      [1, 2].map(() => library.writeOnce(call, async () => ({ number: ++done }))),
    );
    expect(replies.map(({ reply }) => reply.number)).toEqual([1, 1]);
    expect(replies.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    await expect(library.writeOnce({ ...call, question: 2 }, async () => 0)).rejects.toThrow(/another call/);
  });

  test('changes are recorded in one order, and read from any place in it', async () => {
    const { journal } = openForTest(await freshUrl());
    const change = (ref: string, project = 'p') =>
      journal.record({ at: '2026', actor: 'ada', action: 'create', ref, project, detail: { ref } });
    for (const ref of ['a', 'b', 'c']) await change(ref);
    await change('d', 'q');
    const first = (await journal.since({ after: 0, limit: 1 }))[0]?.seq ?? 0;
    expect((await journal.since({ after: first, project: 'p', limit: 9 })).map(({ ref }) => ref)).toEqual([
      'b',
      'c',
    ]);
    expect((await journal.newest({ limit: 2 })).map(({ detail }) => detail)).toEqual([
      { ref: 'c' },
      { ref: 'd' },
    ]);
    expect(await journal.latest()).toBe(first + 3);
  });

  test('lists of any length are one value, and the clock is that of the database', async () => {
    const { tables } = await library();
    await tables
      .insertInto('notes')
      .values([1, 2, 3].map((id) => ({ ...note(id), extra: JSON.stringify([`tag ${id}`, "it's"]) })))
      .execute();
    const ids = async (where: RawBuilder<unknown>) =>
      (await sql<{ id: number }>`SELECT id FROM notes WHERE ${where} ORDER BY id`.execute(tables)).rows.map(
        ({ id }) => id,
      );
    expect(await ids(sql`id IN ${numbers([3, 1, 9])}`)).toEqual([1, 3]);
    expect(await ids(sql`id NOT IN ${numbers([])}`)).toEqual([1, 2, 3]);
    expect(await ids(sql`text IN ${texts(['note 2', "o'clock"])}`)).toEqual([2]);
    expect(
      await ids(sql`EXISTS (SELECT 1 FROM ${itemsOf('notes.extra')} AS tag WHERE tag.value = ${'tag 3'})`),
    ).toEqual([3]);
    const { rows } = await sql<{ now: number }>`SELECT ${databaseNow} AS now`.execute(tables);
    expect(Math.abs((rows[0]?.now ?? 0) - Date.now())).toBeLessThan(60_000);
  });
});
