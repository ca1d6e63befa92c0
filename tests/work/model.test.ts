import { expect, test } from 'vitest';
import { runModel } from '../support/work-model.ts';

test('random sequences of all writes agree with a plain model; of writers with one version exactly one wins', async () => {
  const report = await runModel({ sequences: 500, length: 20, seed: 20_260_101 });
  expect(report.operations).toBeGreaterThan(5000);
  expect(report.conflicts).toBeGreaterThan(100);
  expect(Object.keys(report.refused).sort()).toEqual([
    'BLOCKED',
    'CIRCULAR_DEPENDENCY',
    'CONFLICT',
    'INVALID_OPERATION',
    'VALIDATION_ERROR',
  ]);
});
