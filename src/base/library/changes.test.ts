import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type NoteTables, noteMigrations } from '../../../tests/support/followed-notes.ts';
import { allRows, databases, openForTest } from '../../../tests/support/libraries.ts';
import type { Library, LibraryMigrations } from './index.ts';

function notes(url: string, migrations: LibraryMigrations = noteMigrations) {
  const library = openForTest(url);
  library.migrate(migrations);
  return { library, db: library.tables<NoteTables>() };
}

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

describe.each(databases)('on $name', ({ freshUrl }) => {
  test('a row that is added, changed or removed is told, and so is one that hangs on it', async () => {
    const { library, db } = notes(await freshUrl());
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
    const { library, db } = notes(await freshUrl());
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
    const path = await freshUrl();
    const before = notes(path, { ...noteMigrations, followed: [] });
    await before.db.insertInto('notes').values({ id: 'old', text: '' }).execute();
    await before.library.close();
    expect((await readAll(notes(path).library)).refs).toEqual(['note:old']);
  });

  test('a follower starts again where the library is not the one that it read', async () => {
    const [one, other] = [await freshUrl(), await freshUrl()];
    const first = notes(one);
    await first.db.insertInto('notes').values({ id: 'a', text: '' }).execute();
    const { position } = await readAll(first.library);
    expect(await readAll(notes(other).library, position)).toMatchObject({ refs: [], restarts: 1 });
    await first.library.marks('changes').set('epoch', 'another');
    const again = notes(one).library;
    expect(await readAll(again, position)).toMatchObject({ refs: ['note:a'], restarts: 1 });
  });

  test('a ref that is erased from the feed leaves no trace, and followers start again', async () => {
    const { library, db } = notes(await freshUrl());
    for (const id of ['a', 'b']) await db.insertInto('notes').values({ id, text: id }).execute();
    const { position } = await readAll(library);
    await db.deleteFrom('notes').where('id', '=', 'a').execute();
    await library.eraseTraces(['note:a']);
    expect(await readAll(library, position)).toMatchObject({ refs: ['note:b'], restarts: 1 });
    expect(JSON.stringify(await allRows(library, '_changes'))).not.toContain('note:a');
  });

  test('a follower that reads while other processes write misses nothing', async () => {
    const url = await freshUrl();
    const { library, db } = notes(url);
    await db.insertInto('notes').values({ id: 'shared', text: '' }).execute();
    const names = ['a', 'b', 'c'];
    const script = join(import.meta.dirname, '../../../tests/support/changes-writer.ts');
    const writers = Promise.all(
      names.map((name) => promisify(execFile)(process.execPath, [script, url, name])),
    );
    let writing = true;
    const ended = writers.finally(() => {
      writing = false;
    });
    const told = new Set<string>();
    let [position, restarts, last] = [undefined as string | undefined, 0, false];
    while (!last) {
      // What was committed before the last look is in it.
      last = !writing;
      const changes = await readAll(library, position);
      for (const ref of changes.refs) told.add(ref);
      restarts += changes.restarts;
      position = changes.position;
      await setTimeout(1);
    }
    await ended;
    expect(restarts).toBe(1);
    const turns = Array.from({ length: 20 }, (_, turn) => turn).filter((turn) => turn % 5 !== 4);
    const wanted = names.flatMap((name) => turns.map((turn) => `note:${name}-${turn}`));
    expect([...told].sort()).toEqual([...wanted, 'note:shared'].sort());
  });
});
