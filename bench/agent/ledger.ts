import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openLedger } from '../../src/stores/ledger/index.ts';
import setUpPostgres, { freshPostgres } from '../../tests/support/postgres.ts';
import type { BenchOptions } from '../run-named.ts';

const run = promisify(execFile);
const worker = join(import.meta.dirname, '../../tests/support/ledger-worker.ts');
const processes = 4;
const budget = 150;

/** Reservations of four processes at once, one of them killed in the middle: the budget holds, and what is left open counts. */
export async function ledger({
  cases = '10000',
  seed = '20261117',
  commands: only,
}: BenchOptions): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-ledger-'));
  const removePostgres = setUpPostgres();
  const databases = { sqlite: async () => join(directory, 'library.db'), postgres: freshPostgres };
  let isRight = true;
  try {
    for (const [name, freshUrl] of Object.entries(databases)) {
      if (only !== undefined && only !== name) continue;
      const url = await freshUrl();
      // The tables are there before anybody uses them.
      const library = openLibrary({ url });
      const own = openLedger({ library, clock: systemClock });
      await own.setBudget({ scope: 'day', name: '', usd: budget, tokens: undefined });
      const started = performance.now();
      const each = Math.ceil(Number(cases) / processes);
      const running = Array.from({ length: processes }, (_, at) =>
        run(process.execPath, [worker, url, String(each), String(budget), String(Number(seed) + at)]),
      );
      const killed = running.at(-1)?.child;
      setTimeout(() => killed?.kill('SIGKILL'), 4_000);
      const ended = await Promise.allSettled(running);
      const outcomes = ended.flatMap((end) =>
        end.status === 'fulfilled' ? [JSON.parse(end.value.stdout)] : [],
      );
      const seconds = (performance.now() - started) / 1000;
      const [line] = await own.costs({ by: 'day', since: '' });
      await library.close();
      const sum = (key: string) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
      const most = Math.max(...outcomes.map((outcome) => outcome.most));
      const spent = (line?.usd ?? 0) + (line?.open_usd ?? 0);
      const isHeld =
        most <= budget && spent <= budget && sum('failed') === 0 && outcomes.length >= processes - 1;
      isRight &&= isHeld;
      console.log(
        `${name}: ${cases} reservations of ${processes} processes in ${seconds.toFixed(1)} s, ${processes - outcomes.length} killed; allowed ${sum('allowed')}, refused ${sum('refused')}, failed ${sum('failed')}; most at any look $${most.toFixed(6)} of $${budget}; at the end $${line?.usd.toFixed(6)} settled and $${line?.open_usd.toFixed(6)} in ${line?.open} open reservations; ${isHeld ? 'held' : 'PASSED THE BUDGET OR FAILED'}`,
      );
    }
  } finally {
    removePostgres();
    rmSync(directory, { recursive: true });
  }
  return isRight;
}
