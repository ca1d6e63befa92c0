import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';
import { killWhileRemembering } from '../support/memory-kills.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('25 kills during writes: every acknowledged entry, note, file, checkpoint, wish and snapshot is there, and nothing by half', async () => {
  const { repository, person } = conversations();
  const oracle = join(temporaryDirectory('oracle'), 'acknowledged');
  const report = await killWhileRemembering({ directory: repository.path, oracle, kills: 25, step: 23 });
  expect(report).toMatchObject({ kills: 25, lost: [], broken: [] });
  expect(report.acknowledged).toBeGreaterThan(50);
  expect(report.states).toBeGreaterThan(10);
  const { total } = await person().call<{ total: number }>('search_history', {
    query: 'decision reason',
    cross_session: true,
  });
  expect(total).toBe(report.entries);
});
