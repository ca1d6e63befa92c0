import { expect, test } from 'vitest';
import { runCrashLab } from './support/crash-lab.ts';
import { temporaryDirectory } from './support/temporary.ts';

const spread = (count: number, step: number, first = 1) =>
  Array.from({ length: count }, (_, at) => first + at * step);

test('25 kills during writes to the library: every acknowledged write is there, none is there by half', async () => {
  const round = await runCrashLab({
    directory: temporaryDirectory('crash'),
    mode: 'library',
    points: spread(25, 13),
  });
  expect(round.kills).toBe(25);
  expect(round.states).toBeGreaterThan(10);
});

test('a migration killed at every statement is done whole or not at all, with a copy of the old state', async () => {
  const round = await runCrashLab({
    directory: temporaryDirectory('crash'),
    mode: 'migrate',
    points: spread(25, 2, 2),
  });
  expect(round.kills).toBeGreaterThanOrEqual(20);
});

test('25 kills during bulk writes to the index: batches are whole and acknowledged ones are there', async () => {
  const round = await runCrashLab({
    directory: temporaryDirectory('crash'),
    mode: 'derive',
    points: spread(25, 17),
  });
  expect(round.kills).toBe(25);
});
