import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeEmbedder, testRecall } from '../../../tests/support/recall.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { acquireLease } from '../../base/durable/index.ts';

const script = join(import.meta.dirname, '../../../tests/support/embed-until-killed.ts');
const run = (directory: string, log: string, limit: number) =>
  spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, directory, log, String(limit)],
    { encoding: 'utf8' },
  );
const linesOf = (path: string) => readFileSync(path, 'utf8').trim().split('\n');

describe('the embedding queue (async embedding queue)', () => {
  it('goes on after kill -9 without embedding again what is done, and ends by itself when nothing is left', async () => {
    const directory = temporaryDirectory('queue');
    const log = join(directory, 'texts.log');
    // A lease of a process that is gone keeps nobody waiting.
    for (const limit of [100, 200]) expect(run(directory, log, limit).signal).toBe('SIGKILL');
    const last = run(directory, log, 0);
    expect(last.status, last.stderr).toBe(0);
    const end = JSON.parse(last.stdout) as { state: string; done: number; total: number; vectors: number };
    expect(end).toMatchObject({ state: 'idle', done: end.total });
    const texts = linesOf(log);
    // The batch at which it was killed is the only one that is done twice: once for each kill.
    expect(texts.length - new Set(texts).size).toBeLessThanOrEqual(2 * 64);
    expect(new Set(texts).size).toBe(end.vectors);
  });

  it('is done by one process at a time: a second one leaves it to the first', async () => {
    const made = testRecall({ 'a.ts': 'one', 'b.ts': 'two' });
    await made.recall.refreshAll();
    const lease = acquireLease(made.sqlite, 'embedding', 60)!;
    expect((await made.queue.run()).state).toBe('elsewhere');
    lease.release();
    expect((await made.queue.run()).state).toBe('idle');
  });

  it('embeds what matters most first', async () => {
    const seen: string[] = [];
    const made = testRecall(
      { 'old.ts': 'old text', 'new.ts': 'new text' },
      { model: fakeEmbedder({ seen: (text) => seen.push(text) }) },
    );
    const source = made.recall.parts.sources[0]!;
    source.owners = () => [
      { owner: 'old.ts', hash: '1', priority: 0.1 },
      { owner: 'new.ts', hash: '1', priority: 0.9 },
    ];
    await made.recall.refreshAll();
    await made.queue.run();
    expect(seen.findIndex((text) => text.includes('new'))).toBeLessThan(
      seen.findIndex((text) => text.includes('old')),
    );
  });

  it('the same text in two files is embedded once', async () => {
    const seen: string[] = [];
    const made = testRecall(
      { 'a/x.ts': '', 'b/y.ts': '' },
      { model: fakeEmbedder({ seen: (text) => seen.push(text) }) },
    );
    made.recall.parts.sources[0]!.chunks = () => [
      { path: 'same', startLine: 1, endLine: 1, heading: [], kind: 'code', text: 'equal' },
    ];
    await made.recall.refreshAll();
    await made.queue.run();
    expect(seen).toHaveLength(1);
  });

  it('with nothing to do asks the model nothing', async () => {
    const seen: string[] = [];
    const made = testRecall({ 'a.ts': 'one' }, { model: fakeEmbedder({ seen: (text) => seen.push(text) }) });
    await made.recall.refreshAll();
    await made.queue.run();
    const before = seen.length;
    await made.queue.run();
    expect(seen).toHaveLength(before);
  });

  it('a model that fails pauses the queue with the reason, and the next run goes on', async () => {
    let problem: string | undefined = 'out of memory';
    const made = testRecall({ 'a.ts': 'one' }, { model: fakeEmbedder({ fail: () => problem }) });
    await made.recall.refreshAll();
    expect(await made.queue.run()).toMatchObject({ state: 'paused', problem: 'out of memory' });
    problem = undefined;
    expect((await made.queue.run()).state).toBe('idle');
  });
});
