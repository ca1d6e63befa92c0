import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { findRepository } from '../../base/git/index.ts';
import { createNodeTrees } from './index.ts';

function setUp() {
  const repository = testRepository();
  const base = repository.commit('first', { 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitignore': 'built/\n' });
  const trees = createNodeTrees({
    repository: findRepository(repository.path),
    directory: temporaryDirectory('trees'),
  });
  return { repository, base, trees, node: { run: 'run_1', node: 'work', base } };
}

test('a tree holds the files of its base, and a commit holds what was changed, added and removed', async () => {
  const { repository, base, trees, node } = setUp();
  const tree = await trees.open(node);
  expect(readFileSync(join(tree.directory, 'a.txt'), 'utf8')).toBe('one\n');
  expect(await tree.changes()).toEqual([]);
  writeFileSync(join(tree.directory, 'a.txt'), 'changed\n');
  writeFileSync(join(tree.directory, 'new.txt'), 'new\n');
  mkdirSync(join(tree.directory, 'built'));
  writeFileSync(join(tree.directory, 'built/out.js'), 'ignored\n');
  repository.git('-C', tree.directory, 'rm', '-q', '--cached', 'b.txt');
  const { commit, files } = await tree.commit('change\n', 'refs/sylk/run_1/work/1');
  expect(files).toEqual(['a.txt', 'new.txt']);
  expect(repository.git('rev-parse', 'refs/sylk/run_1/work/1', `${commit}^`).split('\n')).toEqual([
    commit,
    base,
  ]);
  expect(repository.git('show', `${commit}:a.txt`)).toBe('changed');
});

test('ignored files that come along are in the tree, and in no commit, whatever the tree ignores', async () => {
  const { repository, base } = setUp();
  repository.write('built/local.json', '{}\n');
  repository.write('b.txt', 'of the checkout\n');
  const trees = createNodeTrees({
    repository: findRepository(repository.path),
    directory: temporaryDirectory('trees'),
    included: async () => ({ root: repository.path, files: ['built/local.json', 'b.txt'] }),
  });
  const open = () => trees.open({ run: 'run_1', node: 'work', base });
  const { directory } = await open();
  expect(readFileSync(join(directory, 'built/local.json'), 'utf8')).toBe('{}\n');
  // The commit has this one itself.
  expect(readFileSync(join(directory, 'b.txt'), 'utf8')).toBe('two\n');
  writeFileSync(join(directory, '.gitignore'), '');
  writeFileSync(join(directory, 'b.txt'), 'changed\n');
  const { files } = await (await open()).commit('change\n', 'refs/sylk/run_1/work/1');
  expect(files).toEqual(['.gitignore', 'b.txt']);
});

test("the person's checkout is left as it was", async () => {
  const { repository, trees, node } = setUp();
  repository.write('a.txt', 'mine\n');
  const before = [repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')];
  const tree = await trees.open(node);
  writeFileSync(join(tree.directory, 'a.txt'), 'theirs\n');
  await tree.commit('change\n', 'refs/sylk/run_1/work/1');
  await trees.remove(node);
  expect([repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')]).toEqual(before);
  expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('opened again, a tree is as it was left, and one that was made by halves is made anew', async () => {
  const { repository, trees, node } = setUp();
  const tree = await trees.open(node);
  writeFileSync(join(tree.directory, 'a.txt'), 'under way\n');
  expect(readFileSync(join((await trees.open(node)).directory, 'a.txt'), 'utf8')).toBe('under way\n');
  const record = join(repository.path, '.git/worktrees/work');
  expect(existsSync(join(record, 'sylk-ready'))).toBe(true);
  repository.remove('.git/worktrees/work/sylk-ready');
  expect(readFileSync(join((await trees.open(node)).directory, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a pointer that a program in the tree rewrote leads git nowhere else', async () => {
  const { repository, base, trees, node } = setUp();
  const trap = testRepository();
  trap.commit('trap', { 'evil.txt': 'evil\n' });
  const tree = await trees.open(node);
  writeFileSync(tree.pointer, `gitdir: ${join(trap.path, '.git')}\n`);
  writeFileSync(join(tree.directory, 'a.txt'), 'changed\n');
  const again = await trees.open(node);
  const { commit } = await again.commit('change\n', 'refs/sylk/run_1/work/1');
  expect(repository.git('rev-parse', `${commit}^`)).toBe(base);
  expect(trap.git('log', '--all', '--format=%s')).toBe('trap');
});

test('a link is committed as a link and a repository inside is left out', async () => {
  const { repository, trees, node } = setUp();
  const tree = await trees.open(node);
  symlinkSync('/etc/hostname', join(tree.directory, 'link'));
  const inner = testRepository([], join(tree.directory, 'inner'));
  inner.commit('inner', { 'x.txt': 'x\n' });
  const { commit, files } = await tree.commit('change\n', 'refs/sylk/run_1/work/1');
  expect(files).toEqual(['link']);
  expect(repository.git('show', `${commit}:link`)).toBe('/etc/hostname');
});

test('what a killed process left half written beside a file is not committed', async () => {
  const { trees, node } = setUp();
  const { directory } = await trees.open(node);
  writeFileSync(join(directory, '.a.txt.0123456789ab.tmp'), 'half');
  writeFileSync(join(directory, 'new.tmp'), 'whole\n');
  const again = await trees.open(node);
  expect(await again.changes()).toEqual(['new.tmp']);
});

test('a tree that is made from another commit has the earlier work of the node in it', async () => {
  const { repository, trees, node } = setUp();
  const tree = await trees.open(node);
  writeFileSync(join(tree.directory, 'mine.txt'), 'mine\n');
  const { commit } = await tree.commit('mine\n', 'refs/sylk/run_1/work/1');
  const base = repository.commit('theirs', { 'b.txt': 'theirs\n' });
  const { git } = repository;
  const content = async () => git('merge-tree', '--write-tree', base, commit);
  const moved = await trees.open({ ...node, base, content });
  expect(readFileSync(join(moved.directory, 'b.txt'), 'utf8')).toBe('theirs\n');
  const after = await moved.commit('both\n', 'refs/sylk/run_1/work/2');
  expect(after.files).toEqual(['mine.txt']);
  expect(git('rev-parse', `${after.commit}^`)).toBe(base);
});

test('no two trees have the same ports or the same name, and a tree that is made after another one went takes its place', async () => {
  const { trees, node } = setUp();
  const open = async (name: string) => (await trees.open({ ...node, node: name })).environment;
  const [first, second] = [await open('a'), await open('b')];
  expect(first['SYLK_PORT']).not.toBe(second['SYLK_PORT']);
  expect(first['SYLK_NAME']).not.toBe(second['SYLK_NAME']);
  expect(await open('a')).toEqual(first);
  await trees.remove({ run: 'run_1', node: 'a' });
  expect(await open('c')).toEqual(first);
});
