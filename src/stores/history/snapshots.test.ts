import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { dumpHistory } from '../../../tests/support/history-dump.ts';
import { seededRandom, writeRandomHistory } from '../../../tests/support/random-history.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import type { History } from './index.ts';

const dump = async (history: History) => dumpHistory(history, (await history.ready()).view);

function grown(seed: number) {
  const repository = testRepository();
  const shas = writeRandomHistory(repository.path, seededRandom(seed), 20);
  const goTo = (at: number) => repository.git('update-ref', 'refs/heads/main', shas[at]!);
  return { repository, shas, goTo };
}

describe('snapshots (seed §3.2, phase 2)', () => {
  test.each([1, 2, 3])(
    'a restored snapshot with the commits since equals a rebuild: seed %i',
    async (seed) => {
      const { repository, goTo } = grown(seed);
      goTo(9);
      const history = historyOf(repository.path);
      await history.update();
      const taken = await history.snapshots.take();
      goTo(19);
      await history.update();
      expect((await history.snapshots.restore(taken!.commit)).commit).toBe(taken!.commit);
      const caughtUp = await dump(history);
      const rebuilt = historyOf(repository.path, {}, 'other.db');
      expect(caughtUp).toEqual(await dump(rebuilt));
    },
  );

  test('an index that is gone starts from the newest snapshot of the same rules', async () => {
    const { repository, goTo } = grown(4);
    goTo(9);
    const first = historyOf(repository.path);
    await first.update();
    await first.snapshots.take();
    first.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(first.path + suffix, { force: true });
    goTo(10);
    const again = historyOf(repository.path);
    const { commits, kind } = await again.update();
    expect(kind).not.toBe('built');
    expect(commits).toBeLessThan(10);
    const rebuilt = historyOf(repository.path, {}, 'other.db');
    await rebuilt.update({ rebuild: true });
    expect(await dump(again)).toEqual(await dump(rebuilt));
  });

  test('one is kept by itself every snapshot_frequency commits, and 0 keeps none', async () => {
    const repository = testRepository();
    const history = historyOf(repository.path, { snapshotFrequency: 3 });
    for (const at of [1, 2]) {
      repository.commit(`c${at}`, { a: String(at) });
      await history.update();
    }
    expect(await history.snapshots.list()).toEqual([]);
    const third = repository.commit('c3', { a: '3' });
    await history.update();
    expect((await history.snapshots.list()).map((each) => each.commit)).toEqual([third]);
    const never = historyOf(testRepository().path, { snapshotFrequency: 0 });
    await never.update();
    expect(existsSync(join(dirname(never.path), 'snapshots'))).toBe(false);
  });

  test('a clone that fetched a published snapshot catches up', async () => {
    const { repository, goTo, shas } = grown(5);
    goTo(9);
    const history = historyOf(repository.path);
    await history.update();
    const taken = await history.snapshots.take();
    expect(await history.snapshots.publish(taken!.commit)).toBe(`refs/sylk/snapshots/${shas[9]}`);
    goTo(19);
    const clone = join(temporaryDirectory('clone'), 'c');
    repository.git('clone', '-q', repository.path, clone);
    spawnSync('git', ['-C', clone, 'fetch', '-q', 'origin', 'refs/sylk/*:refs/sylk/*']);
    const cloned = historyOf(clone);
    await cloned.snapshots.restore();
    const rebuilt = historyOf(clone, {}, 'other.db');
    expect(await dump(cloned)).toEqual(await dump(rebuilt));
  });

  test('a file that is no snapshot of ours is refused, and the index stays', async () => {
    const { repository, goTo, shas } = grown(6);
    goTo(9);
    const history = historyOf(repository.path);
    await history.update();
    const file = join(dirname(history.path), 'snapshots', `${shas[9]}.db`);
    await history.snapshots.take();
    const before = await dump(history);
    writeFileSync(file, 'not a database');
    await expect(history.snapshots.restore()).rejects.toThrow(/cannot be used/);
    rmSync(file);
    const forged = new DatabaseSync(file);
    forged.exec(
      'CREATE TABLE commits (id); CREATE TRIGGER t AFTER INSERT ON commits BEGIN DELETE FROM commits; END',
    );
    forged.close();
    await expect(history.snapshots.restore()).rejects.toThrow(/cannot be used/);
    expect(await dump(history)).toEqual(before);
  });
});
