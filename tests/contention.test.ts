import { expect, test } from 'vitest';
import { runContention } from './support/contention-lab.ts';
import { testRepository } from './support/repository.ts';

test('ten processes start cold at the same moment on one repository: none is told to wait, nothing is lost', async () => {
  const repository = testRepository();
  const result = await runContention(repository.path, 10, 12);
  expect(result.failures).toEqual([]);
  expect(result).toMatchObject({ counted: 120, seen: 120, integrity: 'ok,ok' });
});
