import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { decide, type RunState, readPlan } from '../../src/engines/orchestrator/index.ts';
import { openRuns } from '../../src/stores/runs/index.ts';
import { setPostgresFailpoint } from '../support/failpoint.ts';
import { openForTest } from '../support/libraries.ts';
import { freshPostgres } from '../support/postgres.ts';

test('an answer that leads to the next command takes four statements in two round trips to PostgreSQL', async () => {
  const library = openForTest(await freshPostgres());
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  const plan = readPlan('prompt: x\nnodes: [{ id: a, agent: engineer, prompt: x }]');
  const { run } = await runs.create({ session: 's', prompt: 'x', plan });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  const sent = setPostgresFailpoint(0);
  await runs.answer(`${run}:2:0`, { result: 'done', commit: 'c', output: '', cost: 0 });
  // Begin together with the command and its run; then the run, its node, the event and commands as one, together with the commit.
  expect(sent.count()).toBe(4);
  expect(sent.turns()).toBe(2);
  expect((await runs.state(run)).open).toMatchObject([{ kind: 'inspect' }]);
});
