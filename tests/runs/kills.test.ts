import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../bench/random.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { openRuns, planSchema } from '../../src/stores/runs/index.ts';
import { runExecutorKills } from '../support/executor-kills.ts';
import { freshPostgres } from '../support/postgres.ts';
import { runWriter, startOf } from '../support/run-writer.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const fresh = () => join(temporaryDirectory('kills'), 'library.db');

test.each([
  ['SQLite', fresh],
  ['PostgreSQL', freshPostgres],
])(
  'three processes on %s, killed at random: every command is answered once, none at the same time as its like',
  async (_, url) => {
    const result = await runExecutorKills({
      url: await url(),
      directory: temporaryDirectory('executor'),
      runs: 5,
      kills: 5,
      random: randomNumbers(20261117),
    });
    expect(result.broken).toEqual([]);
    expect(result.commands).toBeGreaterThan(80);
  },
);

test('killed before or after any statement, the state of a run is the fold of its events, and the next process ends it', async () => {
  const plan = planSchema.parse({ prompt: 'x', nodes: [{ id: 'a', agent: 'engineer', prompt: 'a' }] });
  const random = randomNumbers(7);
  const url = fresh();
  const log = join(temporaryDirectory('kills'), 'log');
  const library = openLibrary({ url });
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  const { run } = await runs.create({ session: 's', prompt: 'x', plan });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  let kills = 0;
  for (let round = 0; round < 25; round++) {
    const point = 20 + Math.floor(random() * 160);
    if (
      (await runWriter(startOf('run-executor-worker.ts', url, log, String(point)), () => undefined)) ===
      'killed'
    )
      kills++;
    let folded: RunState | undefined;
    for (const { number: _, ...event } of await runs.events(run)) folded = decide(folded, event).state;
    expect(await runs.state(run), `point ${point}`).toEqual(folded);
    if ((await runs.state(run)).status === 'completed') break;
  }
  await runWriter(startOf('run-executor-worker.ts', url, log), () => undefined);
  expect((await runs.state(run)).status).toBe('completed');
  expect(kills).toBeGreaterThan(0);
  await library.close();
});

const small = planSchema.parse({
  prompt: 'x',
  nodes: [
    { id: 'a', agent: 'engineer', prompt: 'a' },
    { id: 'b', agent: 'engineer', prompt: 'b', touches: ['x'] },
    { id: 'c', agent: 'engineer', prompt: 'c', touches: ['x'] },
  ],
});

/** A run with one node at work, one that waits for a person, and one that could start if it did not touch the same file. */
async function prepareRun(url: string): Promise<string> {
  const library = openLibrary({ url });
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  const limits = { handovers: 0 };
  const { run } = await runs.create({ session: 's', prompt: 'x', limits, plan: small });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  await runs.answer(`${run}:2:1`, { result: 'context_full', bundle: 'so far', cost: 0 });
  const plan = {
    ...small,
    nodes: small.nodes.filter(({ id }) => id !== 'b').map((node) => ({ ...node, prompt: `${node.prompt}!` })),
  };
  await runs.move(run, { type: 'plan_edited', plan, revision: 1 }, 'edit');
  await library.close();
  return run;
}

async function readRun(url: string, run: string) {
  const library = openLibrary({ url });
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  const [state, events, commands] = [await runs.state(run), await runs.events(run), await runs.commands(run)];
  const { rows: signals } = await sql`SELECT command_id, kind, message FROM run_signals`.execute(
    library.tables(),
  );
  await library.close();
  return { state, events, commands, signals };
}

test('killed between any two statements of a fold, all of it is there or nothing, and the same move ends alike', async () => {
  const directory = temporaryDirectory('folds');
  const prepared = join(directory, 'prepared.db');
  const run = await prepareRun(prepared);
  const move = JSON.stringify({ type: 'plan_approved', revision: 2, start: true });
  const fold = async (url: string, point: number) => {
    let statements = 0;
    const start = startOf('run-fold-worker.ts', url, run, move, String(point));
    const end = await runWriter(start, (line) => {
      statements = Number(line);
    });
    return { end, statements };
  };
  const copyTo = (name: string) => {
    copyFileSync(prepared, join(directory, name));
    return join(directory, name);
  };
  const undisturbed = copyTo('undisturbed.db');
  const { statements } = await fold(undisturbed, 0);
  const before = await readRun(prepared, run);
  const after = await readRun(undisturbed, run);
  expect(after.signals).toHaveLength(1);
  expect(after.commands.map(({ status }) => status).toSorted()).toEqual(
    ['open', 'open', 'withdrawn', 'answered'].toSorted(),
  );
  expect(statements).toBeGreaterThan(8);
  for (let point = 1; point <= 2 * statements; point++) {
    const url = copyTo(`${point}.db`);
    expect((await fold(url, point)).end, `point ${point}`).toBe('killed');
    const left = await readRun(url, run);
    expect(left, `point ${point} of ${2 * statements}`).toEqual(
      left.state.number === before.state.number ? before : after,
    );
    let folded: RunState | undefined;
    for (const { number: _, ...event } of left.events) folded = decide(folded, event).state;
    expect(left.state).toEqual(folded);
    if (left.state.number === before.state.number && point % 6 === 0) {
      await fold(url, 0);
      expect(await readRun(url, run)).toEqual(after);
    }
  }
});
