import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTeamFaults } from '../tests/support/team-faults.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';

/**
 * `npm run lab -- team [COMMANDS] [WORKERS]`: workers in processes of their own execute runs on a PostgreSQL that is restarted every 5 to
 * 10 seconds, are killed at random, and lose their network, where the machine has network namespaces. `--commands own` or `dbos` takes one
 * executor, `--cases quiet` leaves the faults out,
 * and each command waits for a fifth of a second: growth from one worker to several.
 */
const team: Bench = async ({ words, commands: only, cases, seed = '20261118' }) => {
  const [commands = 5000, workers = 4] = words.map(Number);
  for (const executor of ['own', 'dbos'] as const) {
    if (only !== undefined && only !== executor) continue;
    const directory = mkdtempSync(join(tmpdir(), 'sylk-team-'));
    try {
      const { broken, ...counts } = await runTeamFaults({
        ...{ directory, commands, workers, executor },
        faults: cases !== 'quiet',
        random: randomNumbers(Number(seed)),
      });
      const verdict =
        broken.length === 0 ? 'every command was answered once' : broken.slice(0, 20).join('\n');
      console.log(`${executor}: ${JSON.stringify(counts)}; ${verdict}`);
      if (broken.length > 0) process.exitCode = 1;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
};

export default team;
