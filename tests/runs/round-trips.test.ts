import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { decide, type RunState, readPlan } from '../../src/engines/orchestrator/index.ts';
import { openRuns } from '../../src/stores/runs/index.ts';
import { setPostgresFailpoint } from '../support/failpoint.ts';
import { openForTest } from '../support/libraries.ts';
import { freshPostgres } from '../support/postgres.ts';

test('an answer that leads to the next command takes seven round trips to PostgreSQL', async () => {
  const library = openForTest(await freshPostgres());
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  const plan = readPlan('prompt: x\nnodes: [{ id: a, agent: engineer, prompt: x }]');
  const { run } = await runs.create({ session: 's', prompt: 'x', plan });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  const sent = setPostgresFailpoint(0);
  await runs.answer(`${run}:2:0`, { result: 'done', commit: 'c', output: '', cost: 0 });
  // Begin, the command with its run, the run, its node, the event, commands, commit.
  expect(sent.count()).toBe(7);
  expect((await runs.state(run)).open).toMatchObject([{ kind: 'inspect' }]);
});
