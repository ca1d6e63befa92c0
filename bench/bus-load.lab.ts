import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBusLoad } from '../tests/support/bus-load.ts';
import type { Bench } from './run-named.ts';

/** Everything that goes wrong at once, with a queue of a hundred thousand. */
const load: Bench = async ({ words }) => {
  const queued = Number(words[0] ?? 100_000);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-bus-load-'));
  try {
    const result = await runBusLoad({ directory, queued });
    const { accepted, done, dead, expired, left } = result;
    console.log(
      `${queued.toLocaleString('en')} queued: ${accepted} taken = ${done} done + ${dead} dead + ${expired} expired + ${left} still waiting${done + dead + expired + left === accepted ? '' : ' (DOES NOT ADD UP)'}; ${result.refused} refused, none of them lost`,
    );
    console.log(
      `ten sessions, one flooding: Jain index ${result.jain.toFixed(3)}; the nine others had ${result.quietDone} of ${result.quietSent} done in their rounds`,
    );
    console.log(
      `heap with the queue full: ${(result.heapFull / 1e6).toFixed(0)} MB, ${Math.round(result.heapEach)} bytes a message; peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
    );
    console.log(
      `beside the stuck agent: ${result.besideStuck} done; breaker opened ${result.breakerOpened}, closed ${result.breakerClosed}; ${result.replayed} dead letters replayed and done`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export default load;
