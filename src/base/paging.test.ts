import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from './paging.ts';
import { fitsTokens, loadTokenCounter, takeWithinTokens } from './tokens.ts';

const walk = async (items: unknown[], maxTokens: number) => {
  const seen: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages <= items.length; pages++) {
    const answer = await pageOf(items, { cursor, max_tokens: maxTokens });
    seen.push(...answer.items);
    cursor = answer.next_cursor;
    if (!cursor) return seen;
  }
  throw new Error('paging did not end');
};

test('walking the pages gives every item once, in order, whatever their size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 300 }), { maxLength: 40 }),
      fc.integer({ min: 20, max: 400 }),
      async (items, tokens) => {
        expect(await walk(items, tokens)).toEqual(items);
      },
    ),
    { seed: 7, numRuns: 60 },
  );
});

test('a page stays within its tokens, except for one item that alone is larger', async () => {
  const count = await loadTokenCounter();
  const items = Array.from({ length: 100 }, (_, at) => ({
    path: `src/deep/folder/file-${at}.ts`,
    score: at / 7,
  }));
  const taken = await takeWithinTokens(items, 500);
  expect(count(JSON.stringify(taken))).toBeLessThanOrEqual(500);
  expect(taken.length).toBeGreaterThan(5);
  expect(await takeWithinTokens(['x'.repeat(100_000), 'y'], 100)).toHaveLength(1);
});

test.each([
  'x',
  '',
  '!!!',
  Buffer.from('1.wrong').toString('base64url'),
  Buffer.from('-1.x').toString('base64url'),
  'a'.repeat(5000),
])('a cursor of another question, or no cursor at all, is refused: %#', async (cursor) => {
  const answer = pageOf(['a'], { cursor });
  if (cursor === '') return expect(await answer).toMatchObject({ offset: 0, items: ['a'] });
  await expect(answer).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('a cursor works with its own question only', async () => {
  const items = Array.from({ length: 50 }, (_, at) => `item ${at} ${'x'.repeat(80)}`);
  const ask = (query: string, cursor?: string) => {
    const input = { query, cursor, max_tokens: 200 };
    return pageOf(items, input);
  };
  const { next_cursor } = await ask('one');
  expect((await ask('one', next_cursor)).offset).toBeGreaterThan(0);
  await expect(ask('two', next_cursor)).rejects.toThrow(/does not belong/);
});

test('a page has at most as many items as the limit, and the next one starts after them', async () => {
  const first = await pageOf([1, 2, 3], { limit: 2 }, (item) => item * 10);
  expect(first).toMatchObject({ items: [10, 20], total: 3, next_offset: 2 });
  expect(await pageOf([1, 2, 3], { limit: 2, cursor: first.next_cursor })).toEqual({
    items: [3],
    total: 3,
    offset: 2,
  });
});

test('short texts fit without counting and huge ones do not fit without counting', async () => {
  expect(await fitsTokens('short', 5)).toBe(true);
  expect(await fitsTokens('x'.repeat(10_000), 10)).toBe(false);
});
