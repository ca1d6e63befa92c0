import { expect, test } from 'vitest';
import { limitsSchema, planSchema, type RunEvent } from '../../stores/runs/index.ts';
import { decide, type RunState } from './decide/index.ts';

test('a run that is cancelled while it lands is not left landing', () => {
  const plan = planSchema.parse({ prompt: 'x', nodes: [{ id: 'a', agent: 'librarian', prompt: 'x' }] });
  const events: RunEvent[] = [
    { type: 'created', run: 'r', session: 's', prompt: 'x', limits: limitsSchema.parse({}), plan, at: 0 },
    { type: 'plan_approved', revision: 1, start: true, at: 0 },
    { type: 'answered', command: 'r:2:0', outcome: { result: 'done', output: '', cost: 0 }, at: 0 },
    { type: 'answered', command: 'r:3:0', outcome: { result: 'done', text: 'x', cost: 0 }, at: 0 },
    { type: 'landing_requested', target: 'main', at: 0 },
    { type: 'change_requested', message: 'also this', at: 0 },
    { type: 'cancelled', at: 0 },
    { type: 'answered', command: 'r:5:0', outcome: { result: 'merged', commit: 'c' }, at: 0 },
  ];
  let state: RunState | undefined;
  for (const event of events) {
    const decision = decide(state, event);
    expect(decision.refused, event.type).toBeUndefined();
    state = decision.state;
  }
  expect(state).toMatchObject({ landing: undefined, landed: 'c' });
});
