import { expect, test } from 'vitest';
import { limitsSchema, type RunEvent } from '../../stores/runs/index.ts';
import { decide, type RunState, readPlan, waitingShare } from './index.ts';

test('a node that waits for another one waits for half of the time that both take', () => {
  const plan = readPlan(
    'prompt: x\nnodes: [{ id: a, agent: librarian, prompt: x }, { id: b, agent: librarian, prompt: x, depends_on: [a] }]',
  );
  const events: Array<RunEvent & { number: number }> = [];
  let state: RunState | undefined;
  const happen = (event: RunEvent) => {
    events.push({ ...event, number: events.length + 1 });
    state = decide(state, event).state;
  };
  const answer = (at: number) => {
    const [command] = state?.open ?? [];
    happen({
      type: 'answered',
      command: command?.id ?? '',
      outcome: { result: 'done', output: 'x', cost: 0 },
      at,
    });
  };
  happen({
    type: 'created',
    run: 'run_1',
    session: 's',
    prompt: 'x',
    plan,
    limits: limitsSchema.parse({}),
    at: 1000,
  });
  happen({ type: 'plan_approved', revision: 1, start: true, at: 2000 });
  answer(5000);
  answer(8000);
  // Of a: 3 s of 3. Of b: 3 s of 6.
  expect(waitingShare(events)).toBeCloseTo(3 / 9);
});
