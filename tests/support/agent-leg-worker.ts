import { appendFileSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { type Model, openModel } from '../../src/base/model/index.ts';
import { metered, openLedger } from '../../src/stores/ledger/index.ts';
import { arrivals, killModel } from './agent-kill-server.ts';
import { runTestLeg } from './agent-leg.ts';
import { setFailpoint } from './failpoint.ts';

export interface KilledLeg {
  id: string;
  repository: string;
  home: string;
  base: string;
  url: string;
  budget: number;
}

export interface KilledProcess {
  /** Work side by side, and are killed together. */
  legs: KilledLeg[];
  ledger: string;
  epoch: number;
  /** Where the process kills itself: at a step or a piece of an answer, or at a statement of a database or a name of a file. */
  kill?: { at: 'step' | 'statement'; point: number } | undefined;
}

/*
 * Begins some legs, or goes on with them; says of each how it ended, and at last how many points were passed. Started as
 * `agent-leg-worker.ts JSON`.
 */
const { legs, epoch, kill, ledger: ledgerUrl }: KilledProcess = JSON.parse(process.argv[2] ?? '{}');

let passed = 0;
const pass = () => {
  passed += 1;
  if (kill?.at === 'step' && passed === kill.point) process.kill(process.pid, 'SIGKILL');
};
const statements = setFailpoint(kill?.at === 'statement' ? kill.point : 0, { files: true });

const library = openLibrary({ url: ledgerUrl });
const ledger = openLedger({ library, clock: systemClock });

async function work({ id, url, budget, ...places }: KilledLeg): Promise<void> {
  await ledger.setBudget({ scope: 'run', name: id, usd: budget, tokens: undefined });
  const asked = openModel(killModel, {
    environment: { ANTHROPIC_API_KEY: 'k' },
    endpoints: { anthropic: url },
    retries: { attempts: 1, first: 1, longest: 1 },
    aroundAttempt: (attempt) =>
      metered(ledger, { run: id, agent: 'engineer' })({
        ...attempt,
        stream: async (request) => {
          const reply = await attempt.stream(request);
          appendFileSync(arrivals(places.home), '.');
          return reply;
        },
      }),
  });
  const model: Model = {
    ...asked,
    stream: async (request) => {
      pass();
      const reply = await asked.stream({ ...request, onDelta: pass });
      pass();
      return reply;
    },
  };
  const { outcome } = await runTestLeg({
    ...places,
    model,
    epoch,
    rules: [{ action: 'allow', effect: 'command' }],
    mostCalls: 10_000,
    checkpointEvery: 20,
    around: pass,
  });
  console.log(JSON.stringify({ leg: id, result: outcome.result }));
}

await Promise.all(legs.map(work));
await library.close();
console.log(JSON.stringify({ passed, statements: statements.count() }));
