import { expect, test } from 'vitest';
import { runAgentKills } from '../support/agent-kills.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a leg that is killed goes on: nothing that was finished is done again, and the same tree comes out', async () => {
  const { broken, kills, points } = await runAgentKills({
    directory: temporaryDirectory('kills'),
    every: 16,
  });
  expect(broken).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(Math.floor(points / 16));
}, 900_000);
