import { expect, test } from 'vitest';
import { inBatches } from './batches.ts';

test('what is asked for at once is done in one act, and each caller gets its own answer', async () => {
  const acts: number[][] = [];
  const double = inBatches(async (items: number[]) => {
    acts.push(items);
    return items.map((item) => item * 2);
  }, 3);
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(await double(6)).toBe(12);
  expect(acts).toEqual([[1, 2, 3], [4, 5], [6]]);
});

test('one item that fails does not make the others fail', async () => {
  const add = inBatches(async (items: number[]) => {
    if (items.includes(2)) throw new Error('no two');
    return items;
  });
  const settled = await Promise.allSettled([1, 2, 3].map(add));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await add(4)).toBe(4);
});
