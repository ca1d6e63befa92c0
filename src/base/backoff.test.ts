import { expect, test } from 'vitest';
import { backoff } from './backoff.ts';

test('a wait doubles with every attempt up to its limit, and chance makes it a quarter longer or shorter', () => {
  expect([0, 0.5, 1].map((random) => backoff(1, { first: 500 }, () => random))).toEqual([375, 500, 625]);
  expect([1, 2, 3, 4].map((attempt) => backoff(attempt, { first: 500, most: 2500 }, () => 0.5))).toEqual([
    500, 1000, 2000, 2500,
  ]);
});
