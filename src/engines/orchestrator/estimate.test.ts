import { expect, test } from 'vitest';
import { planSchema } from '../../stores/runs/index.ts';
import { estimatePlan } from './estimate.ts';

const plan = (nodes: Array<Record<string, unknown>>, max_concurrency = 4) =>
  planSchema.parse({
    prompt: 'x',
    nodes: nodes.map((node) => ({ agent: 'engineer', prompt: 'x', ...node })),
    policy: { max_concurrency },
  });
const minute = 60_000;
const built = (minutes: number, cost: number) => ({
  isConsulted: false,
  milliseconds: minutes * minute,
  cost,
});
const recorded = [built(10, 1), built(8, 0.5), built(90, 9)];

test('nothing is estimated where no node was ever finished', () => {
  expect(estimatePlan(plan([{ id: 'a' }]), [])).toBeUndefined();
});

test('nodes side by side take as long as the longest chain, one after another as long as all', () => {
  const three = plan([{ id: 'a' }, { id: 'b' }, { id: 'c', depends_on: ['a'] }]);
  expect(estimatePlan(three, recorded)).toEqual({
    one_milliseconds: 30 * minute,
    many_milliseconds: 20 * minute,
    concurrency: 4,
    cost: 3,
    recorded: 3,
  });
});

test('nodes that change the same file, and more nodes than there is room for, wait for each other', () => {
  const touching = plan([
    { id: 'a', touches: ['x'] },
    { id: 'b', touches: ['x'] },
  ]);
  expect(estimatePlan(touching, recorded)?.many_milliseconds).toBe(20 * minute);
  const many = plan([{ id: 'a' }, { id: 'b' }, { id: 'c' }], 2);
  expect(estimatePlan(many, recorded)?.many_milliseconds).toBe(20 * minute);
});

test('an agent that only answers is measured by its like', () => {
  const asked = { isConsulted: true, milliseconds: 1 * minute, cost: 0.1 };
  expect(
    estimatePlan(plan([{ id: 'a', agent: 'librarian' }, { id: 'b' }]), [...recorded, asked]),
  ).toMatchObject({
    one_milliseconds: 11 * minute,
    cost: 1.1,
  });
});
