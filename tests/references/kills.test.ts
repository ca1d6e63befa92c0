import { expect, test } from 'vitest';
import { killThrough } from '../support/reference-kills.ts';

test.each([
  ['create', 21],
  ['fetch', 5],
  ['refresh', 30],
  ['update', 12],
  ['remove', 19],
] as const)(
  'killed at any point of %s: no topic or a whole one, and the approval still holds',
  async (work, step) => {
    const { kills, broken } = await killThrough(work, step, 4);
    expect(broken).toEqual([]);
    expect(kills).toBeGreaterThan(1);
  },
);
