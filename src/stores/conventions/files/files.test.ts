import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conventionsOf, conventionsWith } from '../../../../tests/support/conventions.ts';
import { fixedClock } from '../../../base/clock.ts';
import { maxSnapshotAge } from './snapshots.ts';

const text = 'one\ntwo\nthree\nfour\n';
const get = { path: 'a.txt', maxTokens: 4000 };

test('File Snapshot Cache: an unchanged file is a cache hit with hash, size, times, token count and hit count', async () => {
  const { conventions } = conventionsWith({ 'a.txt': text });
  const first = await conventions.files.get(get);
  const second = await conventions.files.get(get);
  expect([first.cache_hit, second.cache_hit]).toEqual([false, true]);
  expect(second).toMatchObject({
    content: text,
    size: 19,
    token_count: 8,
    hit_count: 1,
    total_lines: 4,
    hash: first.hash,
  });
  expect(second.read_at).toBe(first.read_at);
});

test('File Snapshot Cache: a changed file is read again, even with the same size and modification time', async () => {
  const { repository, conventions } = conventionsWith({ 'a.txt': text });
  const path = join(repository.path, 'a.txt');
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  await conventions.files.get(get);
  writeFileSync(path, text.replace('one', 'ONE'));
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  expect(await conventions.files.get(get)).toMatchObject({
    cache_hit: false,
    content: 'ONE\ntwo\nthree\nfour\n',
  });
});

test('File Snapshot Cache: a snapshot past its maximum age is read again', async () => {
  const { repository } = conventionsWith({ 'a.txt': text });
  const clock = fixedClock();
  const { files } = conventionsOf(repository, { clock: clock });
  await files.get(get);
  clock.advance(maxSnapshotAge);
  expect((await files.get(get)).cache_hit).toBe(true);
  clock.advance(1);
  expect((await files.get(get)).cache_hit).toBe(false);
});

test('get_file: lines by number, a long file in parts that make up the whole', async () => {
  const long = Array.from({ length: 500 }, (_, at) => `line number ${at} of a file that is long\n`).join('');
  const { conventions } = conventionsWith({ 'a.txt': text, 'long.txt': long });
  const part = await conventions.files.get({ ...get, startLine: 2, endLine: 3 });
  expect(part).toMatchObject({ content: 'two\nthree\n', start_line: 2, end_line: 3, total_lines: 4 });
  let whole = '';
  for (let start: number | undefined = 1; start !== undefined; ) {
    const reply = await conventions.files.get({ path: 'long.txt', startLine: start, maxTokens: 1000 });
    whole += reply.content;
    start = reply.next_start_line;
  }
  expect(whole).toBe(long);
});

test('Three Knowledge RAGs: what a session was given is not sent to it twice, and another session gets it', async () => {
  const { repository, conventions } = conventionsWith({ 'a.txt': text });
  const ask = (session: string, more = {}) => conventions.files.get({ ...get, session, ...more });
  expect((await ask('s1')).content).toBe(text);
  expect((await ask('s1')).content).toBeUndefined();
  expect(await ask('s1', { startLine: 2, endLine: 3 })).toMatchObject({ already_read: expect.any(String) });
  expect((await ask('s1', { resend: true })).content).toBe(text);
  expect((await ask('s2')).content).toBe(text);
  repository.write('a.txt', `${text}five\n`);
  expect((await ask('s1')).content).toBe(`${text}five\n`);
  expect(
    conventions.files.readBy('s1').map((read) => `${read.path} ${read.start_line}-${read.end_line}`),
  ).toEqual(['a.txt 1-4', 'a.txt 1-5', 'a.txt 2-3']);
});

test('get_file refuses what git ignores, what is binary, what is outside and what is missing', async () => {
  const { repository, conventions } = conventionsWith({
    '.gitignore': '.env\n',
    'a.txt': text,
    'b.bin': 'a\0b',
  });
  repository.write('.env', 'SECRET=1\n');
  repository.write('new.txt', 'not committed\n');
  const code = (path: string) =>
    conventions.files.get({ path, maxTokens: 100 }).then(
      () => 'ok',
      (error) => error.code,
    );
  expect(await code('.env')).toBe('DENIED');
  expect(await code('.git/config')).toBe('DENIED');
  expect(await code('b.bin')).toBe('VALIDATION_ERROR');
  expect(await code('../x')).toBe('DENIED');
  expect(await code('nothing.txt')).toBe('NOT_FOUND');
  expect(await code('new.txt')).toBe('ok');
  await expect(conventions.files.get({ ...get, startLine: 9 })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});
