import { expect, test } from 'vitest';
import { randomNumbers } from '../../bench/random.ts';
import { runAgentKills } from '../support/agent-kills.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a leg that is killed goes on: the same files, commit and transcript come out, and the ledger has what the server charged', async () => {
  const { broken, failures, kills } = await runAgentKills({
    directory: temporaryDirectory('kills'),
    kills: 6,
    together: 2,
    steps: 24,
    between: 8,
    next: randomNumbers(7),
  });
  expect([...broken, ...failures]).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(6);
}, 900_000);
