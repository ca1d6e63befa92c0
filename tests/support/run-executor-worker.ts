import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from '../../bench/random.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { type Execution, type Executors, openPool, openTeamPool } from '../../src/engines/execution/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { type Command, openRuns } from '../../src/stores/runs/index.ts';
import { setFailpoint, setPostgresFailpoint } from './failpoint.ts';

/*
 * Executes the runs of a library until all have ended, then says `done`. Started as `run-executor-worker.ts URL LOG POINT SEED EXECUTOR WAIT`: what it
 * begins and ends is appended to the log; at the failpoint it kills itself. With a seed it kills itself while it has a command in hand: the
 * seed says which, and at which moment of it.
 */
const [url = '', log = '', point = '0', seed = '', executor = 'own', wait = '5'] = process.argv.slice(2);
if (Number(point) > 0) setFailpoint(Number(point));

const random = randomNumbers(Number(seed));
/** Begun, half done, done and not answered, or between two statements of the answer. */
const moments = ['begun', 'half', 'done', 'answering'] as const;
type Moment = (typeof moments)[number];
const lastMoment = moments[Math.floor(random() * moments.length)];
/** A process has several commands in hand; the one that is fatal is soon there. */
let left = seed === '' ? Infinity : 1 + Math.floor(random() * 6);

function mayDie(moment: Moment): void {
  if (left > 0 || moment !== lastMoment) return;
  appendFileSync(log, `killed ${moment} - - ${process.pid} ${Date.now()}\n`);
  if (moment !== 'answering') process.kill(process.pid, 'SIGKILL');
  left = Infinity;
  const statement = 1 + Math.floor(random() * 12);
  if (/^postgres/.test(url)) setPostgresFailpoint(statement);
  else setFailpoint(statement);
}

const library = openLibrary({ url });
const runs = openRuns<RunState>({ library, clock: systemClock, decide });
const note = (word: string, { id, kind, node }: Command) =>
  appendFileSync(log, `${word} ${id} ${kind} ${node ?? '-'} ${process.pid} ${Date.now()}\n`);

/** What one execution of a command leaves behind: each has its own. */
const commitOf = ({ id }: Command, epoch: number) => `${id}@${epoch}`;

/** The event that issued the command: the same in every process. */
const numberOf = ({ id }: Command) => Number(id.split(':')[1]);

/** Notes when a command begins and ends. */
const noting =
  <Outcome>(execute: (command: Command, execution: Execution<RunState>) => Promise<Outcome>) =>
  async (command: Command, execution: Execution<RunState>): Promise<Outcome> => {
    note('begin', command);
    left--;
    mayDie('begun');
    await sleep(Number(wait));
    mayDie('half');
    const outcome = await execute(command, execution);
    note('end', command);
    mayDie('done');
    mayDie('answering');
    return outcome;
  };

/** Every third inspection finds something, once; a leg in five asks a question. */
const executors: Executors<RunState> = {
  work: noting(async (command, { epoch }) =>
    command.leg === 1 && numberOf(command) % 5 === 0
      ? { result: 'asks', question: 'which?', cost: 0 }
      : { result: 'done', commit: commitOf(command, epoch), output: '', cost: 1 },
  ),
  advise: noting(async () => ({ result: 'advised', text: 'this one', cost: 0 })),
  consult: noting(async () => ({ result: 'done', output: 'known', cost: 0 })),
  inspect: noting(async (command) =>
    command.leg === 1 && numberOf(command) % 3 === 0
      ? { result: 'findings', text: 'unused' }
      : { result: 'passed' },
  ),
  test: noting(async () => ({ result: 'passed' })),
  merge: noting(async (command, { epoch }) => ({ result: 'merged', commit: commitOf(command, epoch) })),
  inspect_all: noting(async () => ({ result: 'passed' })),
  plan_tests: noting(async () => ({ result: 'none', cost: 0 })),
  test_all: noting(async () => ({ result: 'passed' })),
  summarise: noting(async () => ({ result: 'done', text: 'done', cost: 0 })),
};

const options = { runs, clock: systemClock, pollMilliseconds: 20, leaseMilliseconds: 3000, executors };
const pool =
  executor === 'own' ? openPool(options) : await openTeamPool({ ...options, library, database: url });

const areOver = async () => (await runs.list({ limit: 500 })).every(({ status }) => status === 'completed');
while (!(await areOver().catch(() => false))) await sleep(Number(wait) > 5 ? 500 : 50);
const { user, system } = process.cpuUsage();
console.log(`cpu ${Math.round((user + system) / 1000)}`);
await pool.stop();
await library.close();
console.log('done');
