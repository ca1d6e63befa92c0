import { expect, test } from 'vitest';
import { killWhileIndexing } from '../support/history-kills.ts';
import { seededRandom, writeRandomHistory } from '../support/random-history.ts';
import { testRepository } from '../support/repository.ts';

test('a kill at any write of indexing: the next start ends equal to a rebuild and leaves nothing behind', async () => {
  const repository = testRepository();
  const shas = writeRandomHistory(repository.path, seededRandom(20_261_116), 40);
  repository.git('update-ref', 'refs/heads/main', shas.at(-1)!);
  const reports = await killWhileIndexing(repository.path, 28);
  expect(reports.flatMap(({ broken }) => broken)).toEqual([]);
  expect(reports.map(({ work, kills }) => [work, kills])).toEqual([
    ['build', 7],
    ['advance', 7],
    ['rewrite', 7],
    ['rebuild', 7],
  ]);
});
