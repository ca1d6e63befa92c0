import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mineRepository } from '../../bench/claims/mine.ts';
import { testRepository } from '../support/repository.ts';

const manifest = (names: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) });

test('a mined claim carries the truth of its sentence before it was written, then, and today', () => {
  const repository = testRepository();
  repository.commit('start', {
    'package.json': manifest(['mocha']),
    'src/a.ts': 'export const first = 1;\n',
  });
  repository.commit('Migrate from mocha to tape', { 'package.json': manifest(['tape']) });
  repository.commit('feat: add `parseBody` to src/body.ts', {
    'src/body.ts': 'export function parseBody() {}\n',
  });
  repository.commit('Switch from tape to vitest', { 'package.json': manifest(['vitest']) });
  repository.commit('refactor: move `parseBody` to src/utils/body.ts', {
    'src/utils/body.ts': 'export function parseBody() {}\n',
    'src/body.ts': 'export const empty = 1;\n',
  });
  const { claims, pairs, controls } = mineRepository(join(repository.path, '.git'));
  const told = claims.map(({ text, kind, object, negated, labels }) => [
    text,
    kind,
    object,
    negated,
    labels.map(({ holds }) => holds),
  ]);
  expect(told).toContainEqual(['Migrate from mocha to tape', 'uses', 'mocha', true, [false, true, true]]);
  expect(told).toContainEqual(['Migrate from mocha to tape', 'uses', 'tape', false, [false, true, false]]);
  expect(told).toContainEqual([
    'feat: add `parseBody` to src/body.ts',
    'location',
    'src/body.ts',
    false,
    [false, true, false],
  ]);
  expect(pairs.filter((pair) => pair.conflict).map(({ left, right }) => [left.text, right.text])).toEqual(
    expect.arrayContaining([
      ['refactor: move `parseBody` to src/utils/body.ts', 'feat: add `parseBody` to src/body.ts'],
      ['Switch from tape to vitest', 'Migrate from mocha to tape'],
    ]),
  );
  expect(controls.length).toBeGreaterThan(2);
});
