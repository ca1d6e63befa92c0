import { expect, test } from 'vitest';
import { costText } from './one-node.ts';

const tokens = { input: 680, cached: 0, output: 4 };

test('a cost that nobody named is not shown as one, and tokens that nobody counted are at least so many', () => {
  expect(costText({ cost: 0, unpriced: 1, unmeasured: 1, tokens })).toBe(
    'not reported, at least 680 tokens in (0 cached), 4 out',
  );
  expect(costText({ cost: 0.5, unpriced: 1, unmeasured: 0, tokens })).toBe(
    'at least $0.5000 (1 answers without a price), 680 tokens in (0 cached), 4 out',
  );
  expect(costText({ cost: 0, unpriced: 0, unmeasured: 0, tokens })).toContain('$0.0000, 680');
});
