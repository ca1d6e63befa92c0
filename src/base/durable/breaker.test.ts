import { expect, test } from 'vitest';
import { createBreaker } from './breaker.ts';

const failTimes = (
  breaker: ReturnType<typeof createBreaker>,
  count: number,
  { group = 'a', at = 0 } = {},
) => {
  for (let one = 0; one < count; one++) breaker.failed(group, `${group}${at}${one}`, at);
};

test('five failed items within thirty seconds open it for fifteen seconds', () => {
  const breaker = createBreaker();
  failTimes(breaker, 4);
  expect([breaker.state('a', 0), breaker.may('a', 0), breaker.waitMs(0)]).toEqual([
    'closed',
    true,
    undefined,
  ]);
  breaker.failed('a', 'fifth', 29_999);
  expect([breaker.state('b', 30_000), breaker.worst(30_000), breaker.may('b', 30_000)]).toEqual([
    'open',
    'open',
    false,
  ]);
  expect(breaker.waitMs(30_000)).toBe(14_999);
  expect(breaker.state('b', 44_998)).toBe('open');
  expect([breaker.state('b', 44_999), breaker.worst(44_999), breaker.waitMs(44_999)]).toEqual([
    'half_open',
    'half_open',
    undefined,
  ]);
});

test('failures that are thirty seconds old count no more, and an item that fails again counts once', () => {
  const breaker = createBreaker();
  failTimes(breaker, 4);
  breaker.failed('a', 'fifth', 30_000);
  expect(breaker.state('a', 30_000)).toBe('closed');
  for (let attempt = 0; attempt < 9; attempt++) breaker.failed('a', 'same', 30_001);
  expect(breaker.state('a', 30_001)).toBe('closed');
});

test('half open lets one item through: its success closes it, its failure opens it for as long again', () => {
  const breaker = createBreaker();
  failTimes(breaker, 5);
  expect(breaker.may('a', 14_999)).toBe(false);
  expect(breaker.may('a', 15_000)).toBe(true);
  breaker.started('a', 'trial');
  expect(breaker.may('a', 15_000)).toBe(false);
  breaker.failed('a', 'another', 15_000);
  breaker.succeeded('a', 'another', 15_000);
  expect([breaker.may('a', 15_000), breaker.state('a', 15_000)]).toEqual([false, 'half_open']);
  breaker.failed('a', 'trial', 16_000);
  expect([breaker.state('a', 30_999), breaker.state('a', 31_000)]).toEqual(['open', 'half_open']);
  breaker.started('a', 'next');
  breaker.undecided('a', 'another');
  expect(breaker.may('a', 31_000)).toBe(false);
  breaker.undecided('a', 'next');
  expect(breaker.may('a', 31_000)).toBe(true);
  breaker.started('a', 'last');
  breaker.succeeded('a', 'last', 31_000);
  expect([breaker.state('a', 31_000), breaker.worst(31_000)]).toEqual(['closed', 'closed']);
  failTimes(breaker, 4, { at: 31_000 });
  expect(breaker.state('a', 31_000)).toBe('closed');
});

test('where only one group fails while others get through, it opens for that group alone', () => {
  const breaker = createBreaker();
  breaker.succeeded('b', 'b1', 10_000);
  failTimes(breaker, 5, { at: 39_999 });
  expect(['a', 'b'].map((group) => breaker.state(group, 40_000))).toEqual(['open', 'closed']);
  expect(breaker.worst(40_000)).toBe('open');
  breaker.started('a', 'trial');
  breaker.succeeded('a', 'trial', 55_000);
  expect(breaker.state('a', 55_000)).toBe('closed');
});

test('it opens for all where two groups fail, where nobody gets through, or where that was long ago', () => {
  const two = createBreaker();
  two.succeeded('b', 'b1', 0);
  two.failed('c', 'c1', 0);
  failTimes(two, 4);
  expect(two.state('b', 0)).toBe('open');
  const alone = createBreaker();
  alone.succeeded('a', 'a0', 0);
  failTimes(alone, 5);
  expect(alone.state('b', 0)).toBe('open');
  const late = createBreaker();
  late.succeeded('b', 'b1', 0);
  failTimes(late, 5, { at: 30_000 });
  expect(late.state('b', 30_000)).toBe('open');
});
