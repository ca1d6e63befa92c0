import { expect, test } from 'vitest';
import { planSchema, type RunEvent } from '../../stores/runs/index.ts';
import { decide, type RunState } from './decide/index.ts';

const limits = { concurrency: 1, loops: 1, handovers: 1, fix_rounds: 1, plan_attempts: 1 };
const plan = planSchema.parse({ prompt: 'x', nodes: [{ id: 'work', agent: 'engineer', prompt: 'x' }] });

/** A run whose inspectors have found something in everything together, and what becomes of it. */
function foundIn(text: string) {
  let state: RunState | undefined;
  const fold = (event: RunEvent) => {
    const decision = decide(state, event);
    state = decision.state;
    return decision;
  };
  const answer = (outcome: object) => {
    const command = state?.open[0]?.id ?? '';
    return fold({ type: 'answered', command, outcome, at: 3 } as RunEvent);
  };
  fold({ type: 'created', run: 'run_1', session: 'ses_1', prompt: 'x', limits, plan, at: 1 });
  fold({ type: 'plan_approved', revision: 1, start: true, at: 2 });
  answer({ result: 'done', commit: 'c', output: '', cost: 0 });
  for (const _ of ['inspect', 'test']) answer({ result: 'passed' });
  answer({ result: 'merged', commit: 'c' });
  answer({ result: 'findings', text });
  return (words: string) => answer({ result: 'answered', choice: 'ignore', text: words });
}

const findings = '1. a.js:1 unused\n2. b.js:1 unused\nin detail\n3. c.js:1 unused';

test('findings are left for later by their numbers, and the others are asked about again', () => {
  const ignore = foundIn(findings);
  const { state } = ignore('1, 3');
  expect(state).toMatchObject({ phase: 'inspect', deferred: ['1. a.js:1 unused\n3. c.js:1 unused'] });
  expect(state.open).toMatchObject([
    { message: '2. b.js:1 unused\nin detail', options: ['fix', 'ignore', 'give_up'] },
  ]);
  expect(ignore('2').state).toMatchObject({ phase: 'test', deferred: [{}, '2. b.js:1 unused\nin detail'] });
});

test('all findings are left for later where none is named, and nothing where one is named that is not there', () => {
  expect(foundIn(findings)('').state).toMatchObject({ phase: 'test', deferred: [findings] });
  expect(foundIn('a linter without numbers')('7').state).toMatchObject({ phase: 'test' });
  const { refused, state } = foundIn(findings)('4');
  expect(refused?.message).toContain('no finding 4');
  expect(state.phase).toBe('inspect');
});
