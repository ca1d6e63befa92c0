import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBusKills } from '../tests/support/bus-kills.ts';
import type { Bench } from './run-named.ts';

/** kill -9 at one statement after another, with messages in flight. */
const kills: Bench = async ({ words }) => {
  const count = Number(words[0] ?? 200);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-bus-kills-'));
  try {
    const round = await runBusKills({
      path: join(directory, 'sylk.db'),
      points: Array.from({ length: count }, (_, at) => 9 + ((at * 7) % 190)),
      many: 10,
    });
    console.log(
      `${round.kills} kills (${round.survived} runs ended first), ${round.states} distinct states, ${round.acknowledged} acknowledged messages: ${round.lost.length} lost, ${round.actedTwice.length} acted on twice, ${round.deliveredAgain} delivered again under the same id`,
    );
    if (round.lost.length + round.actedTwice.length > 0) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export default kills;
