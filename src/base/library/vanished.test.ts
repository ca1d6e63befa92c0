import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { type Library, openLibrary } from './index.ts';

const open = (path: string): Library => {
  const library = openLibrary({ url: path });
  onTestFinished(() => library.close());
  return library;
};
const remove = (path: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
};
const names = async (library: Library) => [...(await library.marks('test').all()).keys()].sort();

test('a library that was removed under a running process comes back whole with the next write', async () => {
  const path = join(temporaryDirectory('vanished'), 'state', 'sylk.db');
  const running = open(path);
  await running.marks('test').set('before', '1');
  rmSync(dirname(path), { recursive: true });
  await running.marks('test').set('after', '2');
  expect(await names(open(path))).toEqual(['after', 'before']);
  await running.write(() => running.marks('test').set('later', '3'));
  expect(await names(open(path))).toEqual(['after', 'before', 'later']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a library that is removed in the middle of a write comes back with that write', async () => {
  const path = join(temporaryDirectory('vanished'), 'sylk.db');
  const running = open(path);
  await running.write(async () => {
    await running.marks('test').set('first', '1');
    remove(path);
    await running.marks('test').set('second', '2');
  });
  expect(await names(open(path))).toEqual(['first', 'second']);
});

test('a write into a library that was replaced meanwhile is refused, and the next one goes to the new file', async () => {
  const directory = temporaryDirectory('replaced');
  const path = join(directory, 'sylk.db');
  const other = openLibrary({ url: join(directory, 'other.db') });
  await other.marks('test').set('other', '1');
  await other.close();
  const running = open(path);
  await running.marks('test').set('mine', '1');
  const replaced = running.write(async () => {
    await running.marks('test').set('lost', '2');
    remove(path);
    copyFileSync(join(directory, 'other.db'), `${path}.new`);
    renameSync(`${path}.new`, path);
  });
  await expect(replaced).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/replaced/),
  });
  await running.marks('test').set('again', '3');
  expect(await names(open(path))).toEqual(['again', 'other']);
});

test('a log that was removed alone takes no acknowledged write with it', async () => {
  const path = join(temporaryDirectory('log'), 'sylk.db');
  const running = open(path);
  await running.marks('test').set('before', '1');
  rmSync(`${path}-wal`);
  await running
    .marks('test')
    .set('after', '2')
    .catch(() => running.marks('test').set('after', '2'));
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect(await names(open(path))).toEqual(['after', 'before']);
});

/** Puts a closed library in the place of another one, as a restore by hand does. */
async function put(path: string, name: string): Promise<void> {
  const made = openLibrary({ url: `${path}.new` });
  await made.marks('test').set(name, '1');
  await made.close();
  renameSync(`${path}.new`, path);
}

test('a reader whose library was replaced answers from the new file', async () => {
  const path = join(temporaryDirectory('read'), 'sylk.db');
  const reader = open(path);
  await reader.marks('test').set('old', '1');
  await put(path, 'new');
  await expect.poll(() => names(reader)).toEqual(['new']);
});

test('a library that was replaced by one that is not ours, or is damaged, is not answered from', async () => {
  for (const way of ['foreign', 'damaged'] as const) {
    const path = join(temporaryDirectory('read'), 'sylk.db');
    const requireOurs = () => {
      if (way === 'foreign') throw new Error('not ours');
    };
    const place = { requireOurs, restore: () => {}, libraryId: () => undefined, registerLibrary: () => {} };
    const reader = openLibrary({ url: path, place });
    onTestFinished(() => reader.close());
    await reader.marks('test').set('old', '1');
    await put(path, 'a name that is long enough to be found in the file');
    if (way === 'damaged') {
      const bytes = readFileSync(path);
      bytes[bytes.indexOf('long enough')] = 0x4c;
      writeFileSync(path, bytes);
    }
    const refusal = way === 'foreign' ? /not ours/ : /replaced by a file that is damaged/;
    await expect.poll(() => names(reader).catch((error: Error) => error.message)).toMatch(refusal);
    await expect(reader.marks('test').set('more', '2')).rejects.toThrow(refusal);
  }
});

test('a library that was replaced and then removed is told as gone, with the way to its backups', async () => {
  const path = join(temporaryDirectory('gone'), 'sylk.db');
  let registered: string | undefined;
  const place = {
    requireOurs: () => {},
    restore: () => {},
    libraryId: () => registered,
    registerLibrary: (id: string) => {
      registered = id;
    },
  };
  const reader = openLibrary({ url: path, place });
  onTestFinished(() => reader.close());
  await reader.marks('test').set('mine', '1');
  await put(path, 'other');
  const said = () => names(reader).catch((error: { message: string; hint?: string }) => error);
  await expect.poll(said).toMatchObject({ message: expect.stringMatching(/another file was put/) });
  remove(path);
  expect(await said()).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/sylk\.db is gone/),
    hint: expect.stringMatching(/sylk library restore --list/),
  });
});
