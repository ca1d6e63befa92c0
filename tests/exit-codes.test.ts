import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorTable } from '../src/base/errors.ts';
import { type Io, runCli } from '../src/surfaces/cli/index.ts';
import { testRepository } from './support/repository.ts';
import { sylk } from './support/sylk.ts';
import { temporaryDirectory } from './support/temporary.ts';

test('the page of exit codes names every error under the code that it ends with', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/exit-codes.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+) +\| ([A-Z_, ]*?) *\|/gm)];
  const documented = rows.flatMap(([, code, names]) =>
    `${names}`.split(', ').flatMap((name) => (name === '' ? [] : [[name, Number(code)]])),
  );
  const actual = Object.entries(errorTable).map(([name, { exit }]) => [name, exit]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(actual));
});

test('a damaged index, history index or library ends one command with 1, whichever it was, and the next with 0', () => {
  const repository = testRepository();
  repository.commit('feat: pay', { 'src/a.ts': 'export function pay() { return 1; }\n' });
  const env = { HOME: temporaryDirectory('home') };
  const run = (...words: string[]) => sylk(repository.path, words, { env }).code;
  expect([run('memory', 'add', 'Refunds are rare.'), run('index')]).toEqual([0, 0]);
  const asked: Record<string, string[]> = {
    'index.db': ['search', 'pay'],
    'history.db': ['why', 'src/a.ts'],
    'library.db': ['memory', 'search', 'refunds'],
  };
  for (const [name, words] of Object.entries(asked)) {
    const path = join(repository.path, '.git', 'sylk', name);
    writeFileSync(path, readFileSync(path).fill(0x5a, 0, 100));
    expect([name, run(...words), run(...words)]).toEqual([name, 1, 0]);
  }
});

test('one wrong bit in the index or the history index is told, and the answer is the right one', () => {
  const repository = testRepository();
  for (const at of [1, 2, 3])
    repository.commit(`feat: pay ${at}`, {
      'src/payment.ts': `export function payInvoice() { return ${at}; }\n`,
      'src/refund.ts': `export function refundInvoice() { return ${at}; }\n`,
    });
  const env = { HOME: temporaryDirectory('home') };
  const run = (...words: string[]) => sylk(repository.path, words, { env });
  expect(run('index').code).toBe(0);
  const asked: Record<string, string[]> = {
    'index.db': ['code', 'refundInvoice'],
    'history.db': ['cochange', 'src/payment.ts'],
  };
  for (const [name, words] of Object.entries(asked)) {
    const path = join(repository.path, '.git', 'sylk', name);
    const right = run(...words);
    expect([right.code, right.out]).toEqual([0, expect.stringContaining('refund')]);
    const { atime, mtime } = statSync(path);
    const bytes = readFileSync(path);
    const place = bytes.indexOf('refund');
    expect(place).toBeGreaterThan(0);
    bytes[place + 2] = (bytes[place + 2] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    utimesSync(path, atime, mtime);
    const again = run(...words);
    expect([name, again.code, again.out]).toEqual([name, 1, right.out]);
    expect([name, run(...words).code]).toEqual([name, 0]);
  }
});

/** One command in this process: its exit code and what it said on standard error. */
async function runHere(cwd: string, words: string[]): Promise<{ code: number; err: string }> {
  let err = '';
  const say = (text: string) => {
    err += text;
  };
  const io: Io = { out: () => {}, err: say, env: process.env, cwd, terminal: false, colour: false };
  return { code: await runCli(words, io), err };
}

test('status ends with 1 beside an index that failed', async () => {
  const repository = testRepository();
  const first = repository.commit('feat: pay', { 'a.ts': 'export const pay = 1;\n' });
  repository.commit('feat: refund', { 'b.ts': 'export const refund = 1;\n' });
  rmSync(join(repository.path, '.git', 'objects', first.slice(0, 2), first.slice(2)));
  expect((await runHere(repository.path, ['index'])).code).not.toBe(0);
  expect((await runHere(repository.path, ['status'])).code).toBe(1);
});

test('story and show end with 1 where git lacks a content, and status where git cannot read at all', async () => {
  const repository = testRepository();
  repository.commit('feat: pay', { 'a.ts': 'export function pay() {\n  return 1;\n}\n' });
  const blob = repository.git('rev-parse', 'HEAD:a.ts').trim();
  repository.commit('feat: refund', { 'a.ts': 'export function pay() {\n  return 2;\n}\n' });
  expect((await runHere(repository.path, ['show', 'a.ts', '--ref', 'HEAD~1'])).code).toBe(0);
  rmSync(join(repository.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  expect((await runHere(repository.path, ['story', 'pay'])).code).toBe(1);
  expect((await runHere(repository.path, ['show', 'a.ts', '--ref', 'HEAD~1'])).code).toBe(1);
  const other = testRepository();
  other.commit('feat: pay', { 'a.ts': 'export const pay = 1;\n' });
  expect((await runHere(other.path, ['status'])).code).toBe(0);
  spawnSync('mkfifo', [join(other.path, '.git', 'included')]);
  expect((await runHere(other.path, ['status'])).code).toBe(1);
});

test('however many settings of a clone are wrong, a command says so in one line that names where all are listed', async () => {
  const repository = testRepository();
  const lines = Array.from({ length: 11 }, (_, at) => `  wrong_${at}: 1`).join('\n');
  repository.commit('feat: pay', { '.sylk/config.yaml': `code:\n${lines}\n` });
  const { err } = await runHere(repository.path, ['status']);
  const warnings = err.split('\n').filter((line) => line.startsWith('warning:'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/10 more.*`sylk config show`/);
  const all = await runHere(repository.path, ['config', 'show']);
  expect(all.err.split('\n').filter((line) => line.startsWith('warning:'))).toHaveLength(11);
});
