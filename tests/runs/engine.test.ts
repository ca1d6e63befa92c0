import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { type Executors, openPool } from '../../src/engines/execution/index.ts';
import {
  decide,
  nodeOf,
  type RunState,
  readPlan,
  upstreamOutputs,
} from '../../src/engines/orchestrator/index.ts';
import { openRuns, type Signal } from '../../src/stores/runs/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const text = `
prompt: Add a limiter
nodes:
  - { id: look, agent: librarian, prompt: Find the pattern }
  - { id: limiter, agent: engineer, prompt: Write it, depends_on: [look], context: { upstream_outputs: [look] } }`;

const open = () => {
  const library = openLibrary({ url: join(temporaryDirectory('engine'), 'library.db') });
  return { library, runs: openRuns<RunState>({ library, clock: systemClock, decide }) };
};
type OpenRuns = ReturnType<typeof open>['runs'];

async function start(runs: OpenRuns): Promise<string> {
  const plan = readPlan(text);
  const { run } = await runs.create({ session: 's', prompt: plan.prompt, plan });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  return run;
}

/** Reads a run's events until it is as wanted. */
async function until(
  runs: OpenRuns,
  run: string,
  isReached: (state: RunState) => boolean,
): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of runs.follow(run)) {
    numbers.push(number);
    if (isReached(await runs.state(run))) break;
  }
  return numbers;
}

const passed = async () => ({ result: 'passed' as const });
const rest: Executors<RunState> = {
  consult: async () => ({ result: 'done', output: 'use middleware', cost: 0 }),
  inspect: passed,
  test: passed,
  merge: async () => ({ result: 'merged', commit: 'm' }),
  inspect_all: passed,
  plan_tests: async () => ({ result: 'none', cost: 0 }),
  test_all: passed,
  summarise: async () => ({ result: 'done', text: 'added', cost: 0 }),
};

test('an executor sees the task, what its dependencies answered, and what a person says at each step', async () => {
  const { library, runs } = open();
  const heard: Signal[] = [];
  let seen: unknown;
  let step = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    step = resolve;
  });
  const pool = openPool({
    runs,
    clock: systemClock,
    // Long: what this process does itself arrives without it.
    pollMilliseconds: 600_000,
    executors: {
      ...rest,
      work: async ({ node }, { readState, readSignals }) => {
        const state = await readState();
        const own = nodeOf(state, node);
        seen = own && [own.spec.prompt, upstreamOutputs(state, own)];
        step();
        while (heard.length === 0) {
          heard.push(...(await readSignals()));
          await new Promise((resolve) => setImmediate(resolve));
        }
        return { result: 'done', commit: 'c', output: '', cost: 0 };
      },
    },
  });
  const run = await start(runs);
  await begun;
  await runs.move(run, { type: 'node_prompted', node: 'limiter', message: 'Keep it short' }, 'prompt');
  const numbers = await until(runs, run, ({ status }) => status === 'completed');
  expect(seen).toEqual(['Write it', { look: 'use middleware' }]);
  expect(heard).toMatchObject([{ kind: 'prompt', message: 'Keep it short' }]);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  await pool.stop();
  await library.close();
});

test('a pool leaves kinds that it has no executor for to another process', async () => {
  const { library, runs } = open();
  const { consult, ...others } = rest;
  const first = openPool({ runs, clock: systemClock, executors: { consult }, pollMilliseconds: 20 });
  const run = await start(runs);
  await until(runs, run, ({ nodes }) => nodes[0]?.stage === 'done');
  const second = openPool({
    runs,
    clock: systemClock,
    pollMilliseconds: 20,
    executors: { ...others, work: async () => ({ result: 'done', commit: 'c', output: '', cost: 0 }) },
  });
  await until(runs, run, ({ status }) => status === 'completed');
  expect((await runs.commands(run)).every(({ epoch, status }) => epoch === 1 && status === 'answered')).toBe(
    true,
  );
  await first.stop();
  await second.stop();
  await library.close();
});

test('a plan file that can not run is refused with the reasons, before there is a run', () => {
  expect(() => readPlan(text.replace('[look], context', '[lok], context'))).toThrow(
    /limiter \(line 5\): .*lok/,
  );
});
