import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { type Library, openLibrary } from './index.ts';

const open = (path: string): Library => {
  const library = openLibrary(path);
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
  const other = openLibrary(join(directory, 'other.db'));
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
