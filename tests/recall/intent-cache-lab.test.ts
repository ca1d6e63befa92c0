import { expect, test } from 'vitest';
import { givenIntent, guideClassify } from '../../bench/intent-cache/classify.ts';
import { measure, sumOf } from '../../bench/intent-cache/measure.ts';
import { readGroups } from '../../bench/intent-cache/questions.ts';

test('150 groups of paraphrases and 300 near misses: no wrong hit, and most paraphrases are recognised', async () => {
  const groups = readGroups();
  expect(groups.length).toBeGreaterThanOrEqual(150);
  const { hits, tries, nearMisses, wrong } = sumOf(await measure(groups, givenIntent));
  expect(nearMisses).toBeGreaterThanOrEqual(300);
  expect(wrong).toEqual([]);
  expect(hits / tries).toBeGreaterThan(0.7);
  const publicly = groups.filter(({ from }) => from.includes('@')).length;
  expect(publicly / groups.length).toBeGreaterThan(0.5);
});

test('classified by the Guide instead, there is no wrong hit either', async () => {
  const guide = guideClassify();
  const { hits, wrong } = sumOf(await measure(readGroups(), guide.classify));
  await guide.close();
  expect(wrong).toEqual([]);
  expect(hits).toBeGreaterThan(100);
});
