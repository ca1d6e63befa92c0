import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgentKills } from '../../tests/support/agent-kills.ts';
import { randomNumbers } from '../random.ts';
import type { BenchOptions } from '../run-named.ts';

/**
 * Kills processes that carry several legs, after about `--commands` answers of each (14), until `--cases` legs were killed (500) or
 * `--minutes` are over; another process goes on, and tree, commit, transcript and ledger are compared with a leg that was let alone
 * and with the server's count. How many tokens are paid twice depends on how many answers lie between two kills.
 */
export async function kills({
  cases = '500',
  commands = '14',
  minutes = 14,
  seed = '20261117',
}: BenchOptions): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-agent-'));
  const print = ({ broken, ...counts }: Awaited<ReturnType<typeof runAgentKills>>) => {
    const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
    const { lostTokens, tokens, questions, kills, lostUnderWay, lostArrived } = counts;
    console.log(
      `${JSON.stringify(counts)}; ${percent(lostTokens, tokens)} of tokens were paid for answers that were lost; of answers under way at a kill, which nobody can keep: ${percent(lostUnderWay, questions)} of ${questions}, arrived and not written down: ${percent(lostArrived, questions)}; one answer for each kill would be ${percent(kills, questions)}; ${broken.length} broken`,
    );
  };
  try {
    const counts = await runAgentKills({
      directory,
      kills: Number(cases),
      together: 10,
      steps: Math.max(24, 4 * Number(commands)),
      between: Number(commands),
      until: Date.now() + Number(minutes) * 60_000,
      next: randomNumbers(Number(seed)),
      report: print,
    });
    const { broken } = counts;
    console.log(
      broken.length === 0
        ? 'Tree, commit and transcript are equal; the ledger is never below the server, and never over a budget.'
        : broken.slice(0, 20).join('\n'),
    );
    return broken.length === 0;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
