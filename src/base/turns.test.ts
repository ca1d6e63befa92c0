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

test('what is first goes before the others that wait; who is cancelled leaves the row', async () => {
  const inTurn = createTurns(1);
  const held = Promise.withResolvers<void>();
  const order: string[] = [];
  const cancel = new AbortController();
  const first = inTurn(() => held.promise);
  const all = [
    inTurn(async () => order.push('later')),
    inTurn(async () => order.push('first'), { isFirst: true }),
  ];
  const left = inTurn(async () => order.push('never'), { signal: cancel.signal, isFirst: true });
  cancel.abort(new Error('enough'));
  await expect(left).rejects.toThrow('enough');
  held.resolve();
  await Promise.all([first, ...all]);
  expect(order).toEqual(['first', 'later']);
});
