import { expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { createGit, findRepository } from '../../base/git/index.ts';
import { readChange } from './change.ts';

test('a file that git was told to take for unchanged is judged as it is', async () => {
  const repository = testRepository();
  repository.commit('one', { 'a.js': 'one\n', 'b.js': 'one\n', 'c.js': 'one\n' });
  repository.git('update-index', '--assume-unchanged', 'a.js');
  repository.git('update-index', '--skip-worktree', 'b.js', 'c.js');
  for (const path of ['a.js', 'b.js']) repository.write(path, 'two\n');
  repository.remove('c.js');
  const found = findRepository(repository.path);
  const place = { git: createGit(found.root), repository: found, scratch: temporaryDirectory('scratch') };
  const { files } = await readChange(place, {});
  expect(files.map(({ path, status }) => [path, status])).toEqual([
    ['a.js', 'modified'],
    ['b.js', 'modified'],
  ]);
});
