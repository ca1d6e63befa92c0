import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testReferences } from '../../../tests/support/references.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { acquireLease } from '../../base/durable/index.ts';
import type { Embedder } from '../../base/embedding/index.ts';
import { openSqlite } from '../../base/sqlite/index.ts';

/** Stands in for the model: counts what it was asked, and fails while `problem` is set. */
function countingModel() {
  const asked: string[] = [];
  const state: { problem?: string; before?: () => void | Promise<void> } = {};
  const model: Embedder = {
    fingerprint: 'counting',
    dimensions: 384,
    tier: 1,
    loaded: () => asked.length > 0,
    release: async () => {},
    embed: async (texts) => {
      await state.before?.();
      if (state.problem) throw new Error(state.problem);
      asked.push(...texts);
      return texts.map((text) => new Float32Array(384).fill(1 / Math.sqrt(384), 0, 383 - (text.length % 7)));
    },
  };
  return { model, asked, state };
}

async function shelf(change: Parameters<typeof testReferences>[1] = {}) {
  const counting = countingModel();
  const made = await testReferences({}, { model: counting.model, ...change });
  const source = temporaryDirectory('source');
  const write = (name: string, text: string) => writeFileSync(join(source, name), text);
  for (const name of ['one', 'two', 'three']) write(`${name}.md`, `# ${name}\n\nAll about ${name}.\n`);
  const create = () => made.create({ sources: [{ type: 'local', path: source }] });
  return { ...made, ...counting, create, write };
}

test('what files are about and then their chunks get the vectors of the model, each of them once', async () => {
  const { store, create, asked } = await shelf();
  expect((await create()).embedded).toEqual({ static: 3, model: 0, of: 3 });
  expect(await Promise.all([store.embedWaiting(), store.embedWaiting()])).toEqual([6, 6]);
  expect(asked).toHaveLength(6);
  expect(asked.slice(0, 3).every((text) => !text.includes('All about'))).toBe(true);
  expect(await store.embedWaiting()).toBe(0);
  expect(asked).toHaveLength(6);
});

test('with nothing on the shelf no model is asked and no index is made', async () => {
  const { store, asked, root } = await shelf();
  expect(await store.embedWaiting()).toBe(0);
  expect(asked).toEqual([]);
  mkdirSync(root, { recursive: true });
  expect(await store.embedWaiting()).toBe(0);
  expect(asked).toEqual([]);
});

test('after a refresh only what changed waits, whichever process fetched it', async () => {
  const { store, open, create, write, asked, clock } = await shelf();
  const { topic_id } = await create();
  await store.embedWaiting();
  clock.advance(1000);
  write('two.md', '# two\n\nAnother text.\n');
  await (await open()).refresh(topic_id);
  expect(await store.embedWaiting()).toBe(2);
  expect(asked.at(-1)).toContain('Another text.');
});

test('topics that are obsolete do not keep the model busy', async () => {
  const { store, create, asked } = await shelf();
  const { topic_id } = await create();
  await store.update({ topic_id, status: 'obsolete' });
  expect(await store.embedWaiting()).toBe(0);
  expect(asked).toEqual([]);
  await store.update({ topic_id, status: 'active' });
  expect(await store.embedWaiting()).toBe(6);
});

test('one process does it: the others leave it to the holder of the lease', async () => {
  const { store, create, root, asked } = await shelf();
  await create();
  const sqlite = openSqlite(join(root, '.index', 'references.db'));
  onTestFinished(() => sqlite.close());
  const lease = acquireLease(sqlite, 'reference-embedding', 60)!;
  expect(await store.embedWaiting()).toBe(0);
  expect(asked).toEqual([]);
  lease.release();
  expect(await store.embedWaiting()).toBe(6);
});

test('a model that fails is logged once, harms nothing, and is tried again', async () => {
  const warnings: string[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (line: string) => void warnings.push(line) };
  const { store, create, state } = await shelf({ log: log as never });
  await create();
  state.problem = 'no weights';
  expect([await store.embedWaiting(), await store.embedWaiting()]).toEqual([0, 0]);
  expect(warnings).toEqual([expect.stringContaining('no weights')]);
  expect((await store.search({ question: 'all about two' }))[0]).toMatchObject({ file: 'two.md' });
  delete state.problem;
  expect(await store.embedWaiting()).toBe(6);
});

test('closing waits for the piece under way, and nothing begins after it', async () => {
  const { store, open, create, state, asked } = await shelf();
  await create();
  let go = () => {};
  const reached = new Promise<void>((resolve) => {
    state.before = () => {
      resolve();
      return new Promise<void>((free) => {
        go = free;
      });
    };
  });
  const run = store.embedWaiting();
  await reached;
  const closed = store.close();
  go();
  await closed;
  expect(await run).toBe(3);
  expect(await store.embedWaiting()).toBe(0);
  expect(asked).toHaveLength(3);
  delete state.before;
  expect(await (await open()).embedWaiting()).toBe(3);
});

test('whoever opened the shelf is told after every fetch', async () => {
  let told = 0;
  const { store, create } = await shelf({ changed: () => void told++ });
  const { topic_id } = await create();
  expect(told).toBe(1);
  await store.refresh(topic_id);
  expect(told).toBe(2);
});

test('a question is asked by the model once it is loaded, and at once by the quick vectors before', async () => {
  const { store, create, asked } = await shelf({ longLived: true });
  await create();
  expect((await store.search({ question: 'all about two' }))[0]).toMatchObject({ file: 'two.md' });
  expect(asked).not.toContain('all about two');
  await expect.poll(() => asked).toContain('warm');
  await store.search({ question: 'all about three' });
  expect(asked).toContain('all about three');
});
