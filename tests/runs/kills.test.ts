import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../bench/random.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { limitsSchema, openRuns, planSchema } from '../../src/stores/runs/index.ts';
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
  const { run } = await runs.create({ session: 's', prompt: 'x', limits: limitsSchema.parse({}), plan });
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
