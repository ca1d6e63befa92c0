import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgentKills } from '../../tests/support/agent-kills.ts';
import { randomNumbers } from '../random.ts';
import type { BenchOptions } from '../run-named.ts';

/**
 * Kills a leg before and after each of its steps, then at random moments, until `--minutes` are over (8); another process goes on,
 * and tree, commit and transcript are compared with a leg that was let alone. `--cases` is how many random kills there are.
 */
export async function kills({
  cases = '100',
  minutes = 8,
  seed = '20261117',
}: BenchOptions): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-agent-'));
  try {
    const { broken, ...counts } = await runAgentKills({
      directory,
      until: Date.now() + Number(minutes) * 60_000,
      random: { kills: Number(cases), next: randomNumbers(Number(seed)) },
    });
    const share = ((100 * counts.askedAgain) / Math.max(1, counts.asked)).toFixed(1);
    console.log(`${JSON.stringify(counts)}; ${share} % of questions were asked again`);
    console.log(
      broken.length === 0 ? 'tree, commit and transcript are equal' : broken.slice(0, 20).join('\n'),
    );
    return broken.length === 0;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
