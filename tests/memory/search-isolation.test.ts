import { expect, test } from 'vitest';
import { answersBesideAnother } from '../support/search-isolation.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test("every search answers the same bytes with and without another session's entries", async () => {
  const { before, after } = await answersBesideAnother(temporaryDirectory('isolation'), 60);
  expect(before.join('\n')).toContain('seen in run 3');
  expect(after).toEqual(before);
});
