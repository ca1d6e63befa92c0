import { expect, test } from 'vitest';
import type { TestResult } from '../../base/reports/index.ts';
import { judgeFailures } from './inspect-tests.ts';

test('a test whose file does not load alone is judged by all tests of both sides', async () => {
  const red: TestResult = { id: 'a.py > adds', name: 'adds', file: 'a.py', status: 'failed' };
  const unloaded: TestResult = { id: 'a.py > pytest', name: 'a', file: 'a.py', status: 'failed' };
  const runs: string[] = [];
  const run: Parameters<typeof judgeFailures>[1] = async (side, files) => {
    runs.push(`${side} ${files ?? 'all'}`);
    return { kind: 'report', findings: [], tests: files ? [unloaded] : [red] };
  };
  const { broken, old } = await judgeFailures([red], run, () => {}, 'pytest');
  expect([broken, old]).toEqual([[], [red]]);
  expect(runs).toEqual(['after a.py', 'after all', 'before all']);
});
