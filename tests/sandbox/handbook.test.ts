import { expect, test } from 'vitest';
import { untrueExamples } from '../support/handbook.ts';

test.each(['check.md', 'team.md'])('every command on the page %s prints what the page says', (page) => {
  expect(untrueExamples(page)).toEqual([]);
});
