import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

interface Item {
  group: string;
  name: string;
  lane: number;
  cost: number;
}

const queue = () =>
  createFairQueue<Item>({
    turns: [2, 1],
    groupOf: ({ group }) => group,
    laneOf: ({ lane }) => lane,
    costOf: ({ cost }) => cost,
  });
const item = (group: string, name: string, { lane = 0, cost = 1 } = {}): Item => ({
  group,
  name,
  lane,
  cost,
});
const always = () => true;
/** Takes everything, each item finished before the next. */
function order(waiting: ReturnType<typeof queue>): string[] {
  const names: string[] = [];
  for (let next = waiting.take(always); next; next = waiting.take(always)) {
    names.push(next.name);
    waiting.finished(next.group);
  }
  return names;
}

test('groups take turns, and within a group the order is that of arrival', () => {
  const waiting = queue();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) waiting.push(item(name[0] ?? '', name));
  expect(waiting.size()).toBe(6);
  expect(order(waiting)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect([waiting.size(), waiting.groups()]).toEqual([0, []]);
});

test('lanes get their turns in each round, and the last lane is late, never left out', () => {
  const waiting = queue();
  for (const name of ['low1', 'low2']) waiting.push(item('a', name, { lane: 1 }));
  for (const name of ['high1', 'high2', 'high3']) waiting.push(item('a', name));
  expect(order(waiting)).toEqual(['high1', 'high2', 'low1', 'high3', 'low2']);
});

test('an item that costs several turns waits for as many rounds of the other groups', () => {
  const waiting = queue();
  waiting.push(item('a', 'large', { cost: 3 }));
  for (const name of ['b1', 'b2', 'b3', 'b4']) waiting.push(item('b', name));
  expect(order(waiting)).toEqual(['b1', 'b2', 'large', 'b3', 'b4']);
  waiting.push(item('a', 'alone', { cost: 16 }));
  expect(order(waiting)).toEqual(['alone']);
});

test('a group that may not run is passed over and keeps its items', () => {
  const waiting = queue();
  for (const name of ['a1', 'a2', 'b1']) waiting.push(item(name[0] ?? '', name));
  const oneAtATime = (_group: string, running: number) => running < 1;
  expect(waiting.take(oneAtATime)?.name).toBe('a1');
  expect(waiting.take(oneAtATime)?.name).toBe('b1');
  expect(waiting.take(oneAtATime)).toBeUndefined();
  expect([waiting.size(), waiting.sizeOf('a'), waiting.sizeOf('b')]).toEqual([1, 1, 0]);
  waiting.finished('b');
  waiting.push(item('b', 'b2'));
  expect(waiting.take(oneAtATime)?.name).toBe('b2');
  waiting.finished('a');
  expect(waiting.take(oneAtATime)?.name).toBe('a2');
});

test('like items of one group are taken together, up to a limit, and count as running', () => {
  const waiting = queue();
  for (const name of ['a1', 'a2', 'x', 'a3']) waiting.push(item('a', name));
  waiting.push(item('b', 'a4'));
  const taken = waiting.takeLike('a', ({ name }) => name.startsWith('a'), 2);
  expect(taken.map(({ name }) => name)).toEqual(['a1', 'a2']);
  expect(waiting.takeLike('a', always, 0)).toEqual([]);
  expect(waiting.take((group, running) => group === 'a' && running === 2)?.name).toBe('x');
  expect(order(waiting)).toEqual(['a4', 'a3']);
});

test('what is withdrawn is gone, and the turns of the others go on where they were', () => {
  const waiting = queue();
  for (const name of ['a1', 'b1', 'b2', 'c1', 'c2']) waiting.push(item(name[0] ?? '', name));
  expect(waiting.take(always)?.name).toBe('a1');
  expect(waiting.withdraw(({ name }) => name === 'b1').map(({ name }) => name)).toEqual(['b1']);
  expect(waiting.withdraw(always, 'c').map(({ name }) => name)).toEqual(['c1', 'c2']);
  expect([waiting.size(), waiting.groups()]).toEqual([1, ['b']]);
  expect(order(waiting)).toEqual(['b2']);
  expect(waiting.withdraw(always)).toEqual([]);
});

test('turns that were saved for an item are lost with it', () => {
  const waiting = queue();
  waiting.push(item('a', 'large', { cost: 4 }));
  for (const name of ['b1', 'b2', 'b3', 'b4']) waiting.push(item('b', name));
  expect([waiting.take(always)?.name, waiting.take(always)?.name]).toEqual(['b1', 'b2']);
  waiting.withdraw(always, 'a');
  waiting.push(item('a', 'next', { cost: 2 }));
  expect(order(waiting)).toEqual(['b3', 'b4', 'next']);
});

test('many groups that are empty are forgotten, and one that runs is not', () => {
  const waiting = queue();
  waiting.push(item('busy', 'first'));
  waiting.take(always);
  for (let at = 0; at < 1500; at++) {
    waiting.push(item(`g${at}`, 'one'));
    waiting.take(always);
    waiting.finished(`g${at}`);
  }
  waiting.push(item('busy', 'second'));
  expect(waiting.take((_group, running) => running === 0)).toBeUndefined();
  expect(waiting.take((_group, running) => running === 1)?.name).toBe('second');
});
