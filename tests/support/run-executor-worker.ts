import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { type Execute, openPool } from '../../src/engines/execution/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { type Command, openRuns } from '../../src/stores/runs/index.ts';
import { setFailpoint } from './failpoint.ts';

/*
 * Executes the runs of a library until all have ended, then says `done`. Started as
 * `run-executor-worker.ts URL LOG POINT`: what it begins and ends is appended to the log; at the failpoint it kills itself.
 */
const [url = '', log = '', point = '0'] = process.argv.slice(2);
if (Number(point) > 0) setFailpoint(Number(point));

const library = openLibrary({ url });
const runs = openRuns<RunState>({ library, clock: systemClock, decide });
const note = (word: string, { id, kind, node }: Command) =>
  appendFileSync(log, `${word} ${id} ${kind} ${node ?? '-'} ${process.pid} ${Date.now()}\n`);

/** Every third inspection finds something, once; a leg in five wants to know something. The same in every process. */
const outcomeOf: Execute = async ({ kind, node, leg, id }) => {
  const number = Number(id.split(':')[1]);
  if (kind === 'work' && leg === 1 && number % 5 === 0)
    return { result: 'asks', question: 'which?', cost: 0 };
  if (kind === 'work') return { result: 'done', commit: `${node}-${leg}`, output: '', cost: 1 };
  if (kind === 'advise') return { result: 'advised', text: 'this one', cost: 0 };
  if (kind === 'consult') return { result: 'done', output: 'known', cost: 0 };
  if (kind === 'inspect' && leg === 1 && number % 3 === 0) return { result: 'findings', text: 'unused' };
  if (kind === 'merge') return { result: 'merged', commit: `merge-${node}` };
  if (kind === 'plan_tests') return { result: 'none', cost: 0 };
  if (kind === 'summarise') return { result: 'done', text: 'done', cost: 0 };
  return { result: 'passed' };
};

const pool = openPool({
  runs,
  clock: systemClock,
  pollMilliseconds: 20,
  leaseMilliseconds: 3000,
  execute: async (command, context) => {
    note('begin', command);
    await sleep(5);
    const outcome = await outcomeOf(command, context);
    note('end', command);
    return outcome;
  },
});

const areOver = async () => (await runs.list({ limit: 500 })).every(({ status }) => status === 'completed');
while (!(await areOver())) await sleep(50);
await pool.stop();
await library.close();
console.log('done');
