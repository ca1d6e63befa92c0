import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../bench/random.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { openRuns, planSchema, type RunEvent } from '../../src/stores/runs/index.ts';
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
async function prepareRun(url: string, id?: string): Promise<string> {
  const library = openLibrary({ url });
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  const limits = { handovers: 0 };
  const { run } = await runs.create({ session: 's', prompt: 'x', limits, plan: small }, id);
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
  // Waits for the transaction of a process that was killed.
  await library.write(async () => undefined);
  const [state, events, commands] = [await runs.state(run), await runs.events(run), await runs.commands(run)];
  const { rows: signals } = await sql`SELECT command_id, kind, message FROM run_signals
    WHERE command_id LIKE ${`${run}:%`}`.execute(library.tables());
  await library.close();
  return { state, events, commands, signals };
}

const move = JSON.stringify({ type: 'plan_approved', revision: 2, start: true });

/** Folds a move in a process of its own, which kills itself at the failpoint. */
async function fold(url: string, run: string, point: number) {
  let statements = 0;
  const end = await runWriter(startOf('run-fold-worker.ts', url, run, move, String(point)), (line) => {
    statements = Number(line);
  });
  return { end, statements };
}

function foldOf(events: RunEvent[]): RunState | undefined {
  let folded: RunState | undefined;
  for (const event of events) folded = decide(folded, event).state;
  return folded;
}

test('killed between any two statements of a fold, all of it is there or nothing, and the same move ends alike', async () => {
  const directory = temporaryDirectory('folds');
  const prepared = join(directory, 'prepared.db');
  const run = await prepareRun(prepared);
  const copyTo = (name: string) => {
    copyFileSync(prepared, join(directory, name));
    return join(directory, name);
  };
  const undisturbed = copyTo('undisturbed.db');
  const { statements } = await fold(undisturbed, run, 0);
  const before = await readRun(prepared, run);
  const after = await readRun(undisturbed, run);
  expect(after.signals).toHaveLength(1);
  expect(after.commands.map(({ status }) => status).toSorted()).toEqual(
    ['open', 'open', 'withdrawn', 'answered'].toSorted(),
  );
  expect(statements).toBeGreaterThan(8);
  for (let point = 1; point <= 2 * statements; point++) {
    const url = copyTo(`${point}.db`);
    expect((await fold(url, run, point)).end, `point ${point}`).toBe('killed');
    const left = await readRun(url, run);
    expect(left, `point ${point} of ${2 * statements}`).toEqual(
      left.state.number === before.state.number ? before : after,
    );
    expect(left.state).toEqual(foldOf(left.events));
    if (left.state.number === before.state.number && point % 6 === 0) {
      await fold(url, run, 0);
      expect(await readRun(url, run)).toEqual(after);
    }
  }
});

test('killed before, during or after any statement on PostgreSQL, all of a fold is there or nothing', async () => {
  const url = await freshPostgres();
  /** Runs differ in their ids and times only. */
  const readAlike = async (run: string) => {
    const read = await readRun(url, run);
    expect(read.state, run).toEqual(foldOf(read.events));
    return JSON.parse(
      JSON.stringify(read)
        .replaceAll(run, 'run')
        .replaceAll(/"at":\d+/g, '"at":0'),
    );
  };
  const before = await readAlike(await prepareRun(url, 'run-before'));
  const undisturbed = await prepareRun(url, 'run-undisturbed');
  const { statements } = await fold(url, undisturbed, 0);
  const after = await readAlike(undisturbed);
  expect(after.state.number).toBe(before.state.number + 1);
  // Begin, two looks at what is there, its parts, everything that changes as one, commit.
  expect(statements).toBe(6);
  const ends = { before: 0, after: 0 };
  for (let point = 1; point <= 3 * statements; point++) {
    const run = await prepareRun(url, `run-${String(point).padStart(3, '0')}`);
    expect((await fold(url, run, point)).end, `point ${point}`).toBe('killed');
    const left = await readAlike(run);
    const isDone = left.state.number === after.state.number;
    ends[isDone ? 'after' : 'before']++;
    expect(left, `point ${point} of ${3 * statements}`).toEqual(isDone ? after : before);
  }
  expect(ends.before).toBeGreaterThan(ends.after);
  expect(ends.after).toBeGreaterThan(0);
});
