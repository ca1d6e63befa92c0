import { expect, test } from 'vitest';
import { laneOf, readCases, readSeedCases, repeats, splits } from '../../bench/routing/cases.ts';

const all = splits.flatMap(readCases);

test('every target and intent has at least 12 cases, each split some of them', () => {
  for (const lane of new Set(all.map(laneOf))) {
    const of = (cases: typeof all) => cases.filter((each) => laneOf(each) === lane).length;
    expect(of(all), lane).toBeGreaterThanOrEqual(12);
    for (const split of splits) expect(of(readCases(split)), `${lane} in ${split}`).toBeGreaterThanOrEqual(4);
  }
});

test('half of the cases are rewritten from public questions and a tenth is out of scope', () => {
  const share = (count: number) => count / all.length;
  expect(share(all.filter(({ source }) => source === 'public').length)).toBeGreaterThanOrEqual(0.5);
  expect(share(all.filter(({ target }) => target === 'none').length)).toBeGreaterThanOrEqual(0.1);
});

test('no two cases say the same, in one split or across them, nor repeat an example of the design', () => {
  expect(repeats(all)).toEqual([]);
  expect(repeats(all, readSeedCases())).toEqual([]);
});

test('what is practised on knows every lane a hundred times, says nothing twice, and repeats no example of the design', () => {
  const practice = readCases('practice');
  for (const lane of new Set(all.map(laneOf)))
    expect(practice.filter((each) => laneOf(each) === lane).length, lane).toBeGreaterThanOrEqual(100);
  const texts = practice.map(({ text }) => text.toLowerCase());
  expect(new Set(texts).size).toBe(texts.length);
  expect(repeats(practice, readSeedCases())).toEqual([]);
});
