import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';
import { runBumpers, runClaimers, runKilledClaimant, runKilledWriters } from '../support/work-lab.ts';

const path = () => join(temporaryDirectory('processes'), 'sylk.db');

test('twelve processes that claim at the same time take each task exactly once', async () => {
  const taken = await runClaimers(path(), 12, 36);
  expect([...new Set(taken.values())]).toEqual([1]);
  expect(taken.size).toBe(36);
});

test("a killed claimant's lease expires and the task returns", async () => {
  expect(await runKilledClaimant(path())).toEqual({ heldBack: true, returned: true });
});

test('of writers in several processes exactly one wins each version', async () => {
  const { won, version } = await runBumpers(path(), 4, 25);
  expect(version).toBe(won + 1);
  expect(won).toBeGreaterThan(0);
});

test('after SIGKILL at counted writes every acknowledged write is there and the library is sound', async () => {
  const points = Array.from({ length: 25 }, (_, at) => 3 + at * 13);
  const report = await runKilledWriters(path(), points);
  expect(report.kills).toBe(25);
  expect(report.acknowledged).toBeGreaterThan(25);
  expect(report.states).toBeGreaterThan(10);
});
