import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('no more than as many work at once, in the order in which they came, and one that fails gives its turn on', async () => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  let [atWork, most] = [0, 0];
  const ended = await Promise.allSettled(
    Array.from({ length: 7 }, (_, at) =>
      inTurn(async () => {
        begun.push(at);
        most = Math.max(most, ++atWork);
        await soon();
        atWork -= 1;
        if (at % 2 === 0) throw new Error('no');
        return at;
      }),
    ),
  );
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(most).toBe(2);
  expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([
    false,
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
});
