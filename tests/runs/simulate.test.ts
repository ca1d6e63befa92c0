import { expect, test } from 'vitest';
import { randomNumbers } from '../../bench/random.ts';
import { newCoverage } from '../support/simulated-coverage.ts';
import { simulateRun } from '../support/simulated-run.ts';

test('runs with random plans, answers, crashes and persons keep every rule after every event, and end', () => {
  const counts = newCoverage();
  for (let seed = 1; seed <= 150; seed++) {
    const run = simulateRun(randomNumbers(seed * 7919), counts);
    try {
      run.play();
    } catch (error) {
      throw new Error(`seed ${seed}, event ${run.log.length}: ${String(error)}`);
    }
  }
  expect(counts.events).toBeGreaterThan(5000);
  expect(counts.crashes).toBeGreaterThan(30);
  expect(Object.fromEntries(counts.ends)).toMatchObject({
    completed: expect.any(Number),
    failed: expect.any(Number),
    cancelled: expect.any(Number),
  });
});
