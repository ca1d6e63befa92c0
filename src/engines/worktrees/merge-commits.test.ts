import { expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { createGit } from '../../base/git/index.ts';
import {
  checkoutDifferences,
  commitLike,
  lostLines,
  mergeCommits,
  mergeInverse,
  readCheckout,
} from './index.ts';

/** Two commits on one base, and the repository that they are in. */
function diverged(ours: Record<string, string | null>, theirs: Record<string, string | null>) {
  const repository = testRepository();
  const base = repository.commit('base', {
    'list.txt': 'one\ntwo\nthree\n',
    'other.txt': 'x1\nx2\nx3\nx4\n',
  });
  const left = repository.commit('ours', ours);
  repository.git('checkout', '-q', '-b', 'theirs', base);
  const right = repository.commit('theirs', theirs);
  return { repository, git: createGit(repository.path), base, left, right };
}

test('two commits are merged without a working tree, and the checkout stays as it was', async () => {
  const { git, repository, left, right } = diverged(
    { 'list.txt': 'zero\none\ntwo\nthree\n' },
    { 'new.txt': 'new\n' },
  );
  const before = await readCheckout(git);
  const { tree, conflicts } = await mergeCommits(git, left, right);
  expect(conflicts).toEqual([]);
  expect(repository.git('show', `${tree}:list.txt`)).toBe('zero\none\ntwo\nthree');
  expect(repository.git('show', `${tree}:new.txt`)).toBe('new');
  const commits = [1, 2].map(() => commitLike(git, right, { tree, parents: [left] }));
  const [first, second] = await Promise.all(commits);
  expect(first).toBe(second);
  expect(checkoutDifferences(before, await readCheckout(git))).toEqual([]);
});

test('a conflict names its files and has both sides in them', async () => {
  const { git, repository, left, right } = diverged(
    { 'list.txt': 'one\nours\nthree\n' },
    { 'list.txt': 'one\ntheirs\nthree\n' },
  );
  const { tree, conflicts } = await mergeCommits(git, left, right);
  expect(conflicts).toEqual(['list.txt']);
  expect(repository.git('show', `${tree}:list.txt`)).toMatch(
    /<<<<<<<[\s\S]*ours[\s\S]*=======[\s\S]*theirs[\s\S]*>>>>>>>/,
  );
});

test('a commit is taken out again, and what came after it stays', async () => {
  const repository = testRepository();
  repository.commit('base', { 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' });
  const dropped = repository.commit('first', {
    'a.txt': '1\nfirst\n2\n3\n4\n5\n6\n7\n8\n9\n',
    'first.txt': 'x\n',
  });
  const tip = repository.commit('second', { 'a.txt': '1\nfirst\n2\n3\n4\n5\n6\n7\n8\nsecond\n9\n' });
  const { tree, conflicts } = await mergeInverse(createGit(repository.path), tip, dropped);
  expect(conflicts).toEqual([]);
  expect(repository.git('show', `${tree}:a.txt`)).toBe('1\n2\n3\n4\n5\n6\n7\n8\nsecond\n9');
  expect(repository.git('ls-tree', '--name-only', tree)).toBe('a.txt');
});

test('a line that a side added and that is not in the result is named; one that moved with its file is not', async () => {
  const { git, repository, base, left, right } = diverged(
    { 'list.txt': 'one\ntwo\nthree\nadded by ours\n' },
    { 'list.txt': null, 'moved.txt': 'one\ntwo\nthree\n' },
  );
  const whole = await mergeCommits(git, left, right);
  const sides = async (result: string) => [
    (await lostLines(git, { base, side: left, result })).lost,
    (await lostLines(git, { base, side: right, result })).lost,
  ];
  expect(await sides(await commitLike(git, right, { tree: whole.tree, parents: [left] }))).toEqual([[], []]);
  repository.git('checkout', '-q', 'theirs');
  expect(await sides(repository.git('rev-parse', 'theirs'))).toEqual([
    [{ file: 'list.txt', text: 'added by ours' }],
    [],
  ]);
});

test('a look at the checkout sees another branch, a changed file, a new file, and a second change of one', async () => {
  const { git, repository } = diverged({}, { 'new.txt': 'new\n' });
  const looks = [await readCheckout(git)];
  const after = async (change: () => unknown) => {
    change();
    looks.push(await readCheckout(git));
    const [before, now] = looks.slice(-2);
    return before && now && checkoutDifferences(before, now);
  };
  expect(await after(() => repository.write('list.txt', 'changed\n'))).toEqual(['list.txt']);
  expect(await after(() => repository.write('list.txt', 'changed again\n'))).toEqual(['list.txt']);
  expect(await after(() => repository.write('fresh/file.txt', 'x\n'))).toEqual(['fresh']);
  expect(await after(() => repository.git('checkout', '-q', '-b', 'another'))).toEqual(['the branch']);
});
