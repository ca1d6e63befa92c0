import { expect, test } from 'vitest';
import { limitsSchema, type Move, planSchema, type RunEvent } from '../../stores/runs/index.ts';
import { decide, type RunState } from './decide/index.ts';

const override = (gate: 'inspector' | 'tester', taken_back?: boolean): Move => ({
  type: 'gate_overridden',
  node: 'a',
  gate,
  taken_back,
});

function play(...events: Array<RunEvent | Move>) {
  const plan = planSchema.parse({ prompt: 'x', nodes: [{ id: 'a', agent: 'engineer', prompt: 'x' }] });
  const created = { run: 'r', session: 's', prompt: 'x', limits: limitsSchema.parse({}), plan };
  let state: RunState | undefined;
  let refused: string | undefined;
  const all = [
    { type: 'created' as const, ...created },
    { type: 'plan_approved' as const, revision: 1, start: true },
    ...events,
  ];
  for (const event of all) {
    const decision = decide(state, { at: 0, ...event });
    state = decision.state;
    refused = decision.refused?.code;
  }
  return { state, refused };
}
const done = (command: string): RunEvent => ({
  type: 'answered',
  command,
  outcome: { result: 'done', commit: 'c', output: '', cost: 0 },
  at: 0,
});

test('an override that is taken back has never been: the judge decides, and nothing is left for later', () => {
  const { state } = play(override('inspector'), override('inspector', true), done('r:2:0'));
  expect(state?.nodes[0]).toMatchObject({ stage: 'inspecting', overrides: [] });
  expect(state?.deferred).toEqual([]);
});

test('a paused node that has passed a judge by goes back to it', () => {
  const { state } = play(
    override('inspector'),
    { type: 'node_interrupted', node: 'a' },
    done('r:2:0'),
    override('inspector', true),
    { type: 'node_resumed', node: 'a' },
  );
  expect(state?.nodes[0]).toMatchObject({ stage: 'inspecting' });
});

test('what nobody has overridden, and what is being tested or merged without it, is not taken back', () => {
  expect(play(override('tester', true)).refused).toBe('NOT_FOUND');
  expect(play(override('inspector'), done('r:2:0'), override('inspector', true)).refused).toBe(
    'INVALID_OPERATION',
  );
  const both = [override('inspector'), override('tester'), done('r:2:0')];
  expect(play(...both, override('tester', true)).refused).toBe('INVALID_OPERATION');
});
