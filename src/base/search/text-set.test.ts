import { expect, test } from 'vitest';
import { bm25, rarityOf } from './bm25.ts';
import { createTextSet } from './text-set.ts';

const documents = [
  [['login'], ['user', 'login', 'session']],
  [['user'], ['user', 'page']],
  [[], ['session']],
];
const statistics = { documents: 3, averageLength: 8 / 3 };

test('a document scores by BM25 of its words, those of a field counted by its weight', () => {
  const set = createTextSet(documents, [2, 1]);
  expect(set.scores(['login'])).toEqual([bm25(statistics, 1)(3, 4), 0, 0]);
  const user = bm25(statistics, 2);
  expect(set.scores(['user'])).toEqual([user(1, 4), user(3, 3), 0]);
  const [both = 0] = set.scores(['login', 'user']);
  expect(both).toBeCloseTo(bm25(statistics, 1)(3, 4) + user(1, 4));
  expect(set.scores(['nowhere'])).toEqual([0, 0, 0]);
});

test('another word for the same counts a little less, and only where the word itself is missing', () => {
  const set = createTextSet(documents, [2, 1]);
  const either = bm25(statistics, 2);
  expect(set.scores([['login', 'session']])).toEqual([either(3, 4), 0, either(0.7, 1)]);
  expect(set.scores([['login', 'session']], 0.5)).toEqual([either(3, 4), 0, either(0.5, 1)]);
});

test('the most that words can score is what they say, each as if it were there without end', () => {
  const set = createTextSet(documents, [2, 1]);
  expect(set.most(['login', ['login', 'session']])).toBeCloseTo(2.2 * (rarityOf(3, 1) + rarityOf(3, 2)));
  expect(set.most(['nowhere'])).toBeCloseTo(2.2 * rarityOf(3, 0));
  expect(createTextSet(documents, [1], { saturation: 2 }).most(['login'])).toBeCloseTo(3 * rarityOf(3, 1));
  expect(createTextSet([], [1]).scores(['login'])).toEqual([]);
});
