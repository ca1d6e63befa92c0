import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetOf, page } from './paging.ts';
import { fitsTokens, loadTokenCounter, takeWithinTokens } from './tokens.ts';

const walk = async (items: unknown[], maxTokens: number) => {
  const question = { q: 'x' };
  const seen: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages <= items.length; pages++) {
    const request = { cursor, max_tokens: maxTokens };
    const offset = offsetOf(request, question);
    const answer = await page(items.slice(offset), { total: items.length, offset, request, question });
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
])('a cursor of another question, or no cursor at all, is refused: %#', (cursor) => {
  if (cursor === '') return expect(offsetOf({ cursor }, {})).toBe(0);
  expect(() => offsetOf({ cursor }, { q: 'x' })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );
});

test('a cursor works with its own question only', async () => {
  const items = Array.from({ length: 50 }, (_, at) => `item ${at} ${'x'.repeat(80)}`);
  const { next_cursor } = await page(items, {
    total: 50,
    offset: 0,
    request: { max_tokens: 200 },
    question: { q: 1 },
  });
  expect(offsetOf({ cursor: next_cursor }, { q: 1 })).toBeGreaterThan(0);
  expect(() => offsetOf({ cursor: next_cursor }, { q: 2 })).toThrow(/does not belong/);
});

test('short texts fit without counting and huge ones do not fit without counting', async () => {
  expect(await fitsTokens('short', 5)).toBe(true);
  expect(await fitsTokens('x'.repeat(10_000), 10)).toBe(false);
});
