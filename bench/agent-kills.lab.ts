import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgentKills } from '../tests/support/agent-kills.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';

/**
 * `npm run lab -- agent-kills [EVERY] [RANDOM] [MINUTES]`: kills a leg of an agent before and after each of its steps (every EVERYth), and
 * RANDOM times at a random moment; another process goes on, and tree, commit and transcript are compared with a leg that was let
 * alone.
 */
const agentKills: Bench = async ({ words, seed = '20261117' }) => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-agent-'));
  const [every = 1, kills = 0, minutes = 8] = words.map(Number);
  try {
    const { broken, ...counts } = await runAgentKills({
      directory,
      every,
      until: Date.now() + minutes * 60_000,
      random: { kills, next: randomNumbers(Number(seed)) },
    });
    const share = ((100 * counts.askedAgain) / Math.max(1, counts.asked)).toFixed(1);
    console.log(`${JSON.stringify(counts)}; ${share} % of questions were asked again`);
    console.log(
      broken.length === 0 ? 'tree, commit and transcript are equal' : broken.slice(0, 20).join('\n'),
    );
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
};

export default agentKills;
