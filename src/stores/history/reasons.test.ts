import { expect, test } from 'vitest';
import { reasonOf } from './reasons.ts';

test.each([
  [
    'fix(hooks): keep the order (#12)\n\nEffects ran twice because the queue was kept.',
    'fix',
    ['#12'],
    'Effects ran twice because the queue was kept.',
  ],
  ['Add useId hook\n\nSigned-off-by: A <a@b.c>', 'feature', [], undefined],
  ['Revert "Add useId hook"\n\nThis reverts commit 1234567.', 'revert', [], undefined],
  ['perf: skip the diff of equal trees', 'performance', [], undefined],
  ['Rename store to bag, see PROJ-17', 'refactoring', ['PROJ-17'], undefined],
  ['Bump lodash from 1 to 2', 'upkeep', [], undefined],
  ['constructor: toString', 'other', [], undefined],
  ['Crash in UTF-8 parser', 'fix', [], undefined],
])('%s: why it was made', (message, reason, issues, why) => {
  expect(reasonOf(message)).toEqual({ reason, issues, why });
});
