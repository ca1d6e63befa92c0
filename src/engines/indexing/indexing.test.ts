import { watch } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestCode } from '../../../tests/support/code.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { until } from '../../../tests/support/until.ts';
import { createLog } from '../../base/log.ts';
import { openSqlite } from '../../base/sqlite/index.ts';
import { createIndexing, type IndexBatch, type IndexingOptions, type IndexSource } from './index.ts';
import { startWatching } from './watch.ts';

function openEngine(path: string, watchOptions: IndexingOptions['watch'] = {}) {
  const { code, sqlite } = openTestCode(path);
  const said: string[] = [];
  const source: IndexSource = {
    name: 'code',
    follows: 'files',
    freshness: () => code.freshness(),
    update: async (options) => {
      const { changed, files } = await code.update(options);
      return { summary: `${files} files`, changed };
    },
  };
  const engine = createIndexing({
    sqlite: () => sqlite,
    sources: async () => [source],
    root: path,
    gitDirectory: join(path, '.git'),
    directories: async () => code.directories(),
    log: createLog({ tell: (line) => said.push(line) }),
    watch: { debounceMs: 20, pollMs: 50, ...watchOptions },
  });
  onTestFinished(() => engine.stop());
  return { engine, code, said, sqlite };
}

test('a saved, a new and a deleted file, and a new directory, are answered for without being asked to look', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'src/a.ts': 'export function a() {}\n',
    'src/b.ts': 'export function b() {}\n',
  });
  const { engine, code } = openEngine(repository.path);
  const batches: IndexBatch[] = [];
  engine.listen((batch) => batches.push(batch));
  await engine.background();
  expect(engine.watching()).toBe('watching');
  repository.write('src/a.ts', 'export function renamed() {}\n');
  await until(() => code.find('renamed').length === 1);
  repository.write('src/c.ts', 'export function c() {}\n');
  await until(() => code.find('c').length === 1);
  repository.remove('src/b.ts');
  await until(() => code.find('b').length === 0);
  repository.write('fresh/deep/d.ts', 'export function d() {}\n');
  await until(() => code.find('d').length === 1);
  repository.write('fresh/deep/d.ts', 'export function later() {}\n');
  await until(() => code.find('later').length === 1);
  await until(async () => (await code.freshness()).state === 'fresh');
  expect(batches.flatMap((batch) => batch.changed)).toContain('src/c.ts');
});

test('a branch switch of more files than a batch holds settles by itself', async () => {
  const repository = testRepository();
  const many = (text: string) =>
    Object.fromEntries(
      Array.from({ length: 130 }, (_, index) => [
        `d${index % 7}/f${index}.ts`,
        `export function ${text}${index}() {}\n`,
      ]),
    );
  repository.commit('one', many('one'));
  repository.git('checkout', '-q', '-b', 'other');
  repository.commit('two', { ...many('two'), 'only/here.ts': 'export function here() {}\n' });
  const { engine, code } = openEngine(repository.path);
  await engine.background();
  repository.git('checkout', '-q', 'main');
  await until(async () => (await code.freshness()).state === 'fresh' && code.find('one129').length === 1);
  expect(code.find('two129')).toEqual([]);
  expect(code.find('here')).toEqual([]);
});

test.each(['EMFILE', 'ENOSPC'])(
  'out of watches (%s): one warning, and polling finds every change',
  async (failure) => {
    const repository = testRepository();
    repository.commit('one', { 'a/x.ts': 'export function x() {}\n', 'b/y.ts': 'export function y() {}\n' });
    let given = 0;
    const watchDirectory = ((...args: Parameters<typeof watch>) => {
      if (++given > 2) throw Object.assign(new Error('no more'), { code: failure });
      return watch(...args);
    }) as typeof watch;
    const { engine, code, said } = openEngine(repository.path, { watchDirectory });
    await engine.background();
    expect(engine.watching()).toBe('polling');
    repository.write('b/y.ts', 'export function polled() {}\n');
    await until(() => code.find('polled').length === 1);
    repository.write('b/z.ts', 'export function again() {}\n');
    await until(() => code.find('again').length === 1);
    expect(said.filter((line) => line.includes(failure))).toHaveLength(1);
  },
);

test('events within the debounce are one batch, and more than a hundred paths mean: look at everything', async () => {
  const root = temporaryDirectory('watch');
  const calls: Array<string[] | undefined> = [];
  const { writeFileSync, mkdirSync } = await import('node:fs');
  mkdirSync(join(root, '.git'));
  const watching = await startWatching({
    root,
    gitDirectory: join(root, '.git'),
    directories: async () => [''],
    changed: async (paths) => {
      calls.push(paths);
    },
    warn: () => {},
    debounceMs: 100,
  });
  onTestFinished(() => watching.stop());
  for (let index = 0; index < 5; index++) writeFileSync(join(root, `f${index}`), 'x');
  await until(() => calls.length > 0);
  await watching.settled();
  expect(new Set(calls.flatMap((paths) => paths ?? []))).toEqual(new Set(['f0', 'f1', 'f2', 'f3', 'f4']));
  for (let index = 0; index < 130; index++) writeFileSync(join(root, `g${index}`), 'x');
  await until(() => calls.includes(undefined));
});

test('a batch pauses the debouncer: what is saved while one is worked on comes after it, as one', async () => {
  const root = temporaryDirectory('watch');
  const { writeFileSync, mkdirSync } = await import('node:fs');
  mkdirSync(join(root, '.git'));
  const first = Promise.withResolvers<void>();
  const calls: string[][] = [];
  let working = 0;
  let most = 0;
  const watching = await startWatching({
    root,
    gitDirectory: join(root, '.git'),
    directories: async () => [''],
    changed: async (paths) => {
      most = Math.max(most, ++working);
      calls.push((paths ?? []).sort());
      if (calls.length === 1) await first.promise;
      working--;
    },
    warn: () => {},
    debounceMs: 10,
  });
  onTestFinished(() => watching.stop());
  writeFileSync(join(root, 'a'), 'x');
  await until(() => calls.length === 1);
  for (const name of ['b', 'c']) {
    writeFileSync(join(root, name), 'x');
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect(calls).toEqual([['a']]);
  first.resolve();
  await until(() => calls.length > 1);
  await watching.settled();
  expect(calls).toEqual([['a'], ['b', 'c']]);
  expect(most).toBe(1);
});

test('one process watches for all, another takes over when it stops, and a source that fails stops no other', async () => {
  const sqlite = openSqlite(join(temporaryDirectory('lease'), 'index.db'));
  onTestFinished(() => sqlite.close());
  const root = temporaryDirectory('root');
  const ran: string[] = [];
  const source = (name: string): IndexSource => ({
    name,
    follows: 'files',
    freshness: async () => ({ state: 'fresh' }),
    update: async () => {
      ran.push(name);
      if (name === 'broken') throw new Error('bad disk');
      return { summary: 'ok' };
    },
  });
  const open = () =>
    createIndexing({
      sqlite: () => sqlite,
      sources: async () => [source('broken'), source('sound')],
      root,
      gitDirectory: root,
      directories: async () => [],
      log: createLog(),
      takeOverMs: 20,
    });
  const first = open();
  const second = open();
  onTestFinished(() => second.stop());
  const result = await first.run();
  expect(result.items.map((item) => item.source)).toEqual(['sound']);
  expect(result.problems).toMatchObject([{ source: 'broken', message: 'Unexpected failure: bad disk' }]);
  await first.background();
  await second.background();
  expect([first.watching(), second.watching()]).toEqual(['watching', 'elsewhere']);
  await first.stop();
  await until(() => second.watching() === 'watching');
});

test('stopping ends the work under way before the databases may close', async () => {
  const repository = testRepository();
  const sqlite = openSqlite(join(temporaryDirectory('stop'), 'index.db'));
  let started = false;
  const endless: IndexSource = {
    name: 'endless',
    follows: 'files',
    freshness: async () => ({ state: 'fresh' }),
    update: ({ signal }) =>
      new Promise((_, reject) => {
        started = true;
        signal?.addEventListener('abort', () => setImmediate(reject, signal.reason));
      }),
  };
  const engine = createIndexing({
    sqlite: () => sqlite,
    sources: async () => [endless],
    root: repository.path,
    gitDirectory: join(repository.path, '.git'),
    directories: async () => [],
    log: createLog({ tell: () => {} }),
  });
  const background = engine.background();
  await until(() => started);
  await engine.stop();
  sqlite.close();
  await expect(background).resolves.toBeUndefined();
});
