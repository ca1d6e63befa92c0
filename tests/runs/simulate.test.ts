import { expect, test } from 'vitest';
import { randomNumbers } from '../../bench/random.ts';
import { Counts, SimulatedRun } from '../support/simulated-run.ts';

test('runs with random plans, answers, crashes and persons keep every rule after every event, and end', () => {
  const counts = new Counts();
  for (let seed = 1; seed <= 400; seed++) {
    const run = new SimulatedRun(randomNumbers(seed * 7919), counts);
    try {
      run.play();
    } catch (error) {
      throw new Error(`seed ${seed}, event ${run.log.length}: ${String(error)}`);
    }
  }
  expect(counts.events).toBeGreaterThan(10_000);
  expect(counts.crashes).toBeGreaterThan(100);
  expect(Object.fromEntries(counts.ends)).toMatchObject({
    completed: expect.any(Number),
    failed: expect.any(Number),
    cancelled: expect.any(Number),
  });
});
