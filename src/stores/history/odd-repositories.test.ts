import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { type TestRepository, testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import {
  artifactSummary,
  fileSignals,
  type HistoryView,
  listArtifacts,
  provenance,
  readArtifact,
} from './index.ts';

const names = (view: HistoryView) => listArtifacts(view, {}).map((path) => view.name(path));
const commits = (view: HistoryView, path: string) =>
  provenance(view, view.requirePath(path), { skip: 0, take: 100 }).entries.map((entry) => entry.message);
const ready = async (directory: string) => (await historyOf(directory).ready()).view;
const tracked = (repository: TestRepository) =>
  repository
    .git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', '-z', 'HEAD')
    .split('\0')
    .filter(Boolean)
    .sort();

describe('repositories that must work', () => {
  test('empty: no commit yet, then the first one', async () => {
    const repository = testRepository();
    const history = historyOf(repository.path);
    expect((await history.freshness()).state).toBe('empty');
    expect(names((await history.ready()).view)).toEqual([]);
    repository.commit('first', { a: '1' });
    expect(names((await history.ready()).view)).toEqual(['a']);
  });

  test('one commit', async () => {
    const repository = testRepository();
    repository.commit('only', { a: '1' });
    expect(commits(await ready(repository.path), 'a')).toEqual(['only']);
  });

  test('shallow clone, deepened later', async () => {
    const origin = testRepository();
    for (const at of [1, 2, 3, 4]) origin.commit(`c${at}`, { a: String(at) });
    const clone = join(temporaryDirectory('clone'), 'c');
    origin.git('clone', '-q', '--depth', '2', `file://${origin.path}`, clone);
    const history = historyOf(clone);
    expect(commits((await history.ready()).view, 'a')).toEqual(['c3', 'c4']);
    spawnSync('git', ['-C', clone, 'fetch', '-q', '--unshallow']);
    expect(commits((await history.ready()).view, 'a')).toEqual(['c1', 'c2', 'c3', 'c4']);
  });

  test('bare', async () => {
    const origin = testRepository();
    origin.commit('one', { 'src/a.ts': '1' });
    const bare = join(temporaryDirectory('bare'), 'b.git');
    origin.git('clone', '-q', '--bare', origin.path, bare);
    expect(commits(await ready(bare), 'src/a.ts')).toEqual(['one']);
  });

  test('linked worktrees share one index, and each answers about its own HEAD', async () => {
    const repository = testRepository();
    repository.commit('start', { a: '1' });
    const other = join(temporaryDirectory('worktree'), 'w');
    repository.git('worktree', 'add', '-q', '-b', 'side', other);
    writeFileSync(join(other, 'b'), '1');
    spawnSync('git', ['-C', other, 'add', '.']);
    spawnSync('git', ['-C', other, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'side']);
    repository.commit('main', { c: '1' });
    const main = historyOf(repository.path);
    const linked = historyOf(other);
    expect(linked.path).toBe(main.path);
    for (let turn = 0; turn < 2; turn++) {
      expect(names((await main.ready()).view)).toEqual(['a', 'c']);
      expect(names((await linked.ready()).view)).toEqual(['a', 'b']);
    }
    expect((await main.ready()).view.find('b')).toBeUndefined();
  });

  test('submodules are no artifacts', async () => {
    const inner = testRepository();
    inner.commit('inner', { x: '1' });
    const repository = testRepository();
    repository.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      inner.path,
      'vendor/inner',
    );
    repository.commit('with submodule', { a: '1' });
    expect(names(await ready(repository.path))).toEqual(['.gitmodules', 'a']);
  });

  test.each([
    ['that names a program', '[submodule "s"]\n\tpath = sub\n\turl = ./s\n\tupdate = !touch pwned\n'],
    ['that is no text', '[submodule "s\n\0\x01[[[ = \n'],
  ])('history is read whole beside a .gitmodules %s', async (_, text) => {
    const repository = testRepository();
    repository.commit('one', { a: '1' });
    for (const [at, commit] of ['1'.repeat(40), '2'.repeat(40)].entries()) {
      repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
      repository.write('.gitmodules', text);
      repository.write('a', `${at}`);
      repository.git('add', '.gitmodules', 'a');
      repository.git('commit', '-q', '-m', `submodule ${at}`);
    }
    expect(commits(await ready(repository.path), 'a')).toEqual(['one', 'submodule 0', 'submodule 1']);
  });

  test('orphan branches and unrelated histories', async () => {
    const repository = testRepository();
    repository.commit('one', { a: '1' });
    repository.git('checkout', '-q', '--orphan', 'other');
    repository.commit('two', { b: '1' });
    const history = historyOf(repository.path);
    expect(commits((await history.ready()).view, 'b')).toEqual(['two']);
    repository.git('merge', '-q', '--allow-unrelated-histories', '-m', 'join', 'main');
    expect(names((await history.ready()).view)).toEqual(['a', 'b']);
  });

  test('an octopus merge adds nothing of its own', async () => {
    const repository = testRepository();
    repository.commit('start', { a: '1' });
    for (const branch of ['x', 'y', 'z']) {
      repository.git('checkout', '-q', '-b', branch, 'main');
      repository.commit(branch, { [branch]: '1' });
    }
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '-m', 'octopus', 'x', 'y', 'z');
    const view = await ready(repository.path);
    expect(names(view)).toEqual(['a', 'x', 'y', 'z']);
    expect(commits(view, 'x')).toEqual(['x']);
  });

  test('a merge that changes a file itself counts once', async () => {
    const repository = testRepository();
    repository.commit('start', { a: '1', b: '1' });
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('side', { b: '2' });
    repository.git('checkout', '-q', 'main');
    repository.commit('main', { c: '1' });
    repository.git('merge', '-q', '--no-commit', 'side');
    repository.commit('evil merge', { a: 'by the merge', d: 'new in the merge' });
    const view = await ready(repository.path);
    expect(commits(view, 'a')).toEqual(['start', 'evil merge']);
    expect(commits(view, 'b')).toEqual(['start', 'side']);
    expect(commits(view, 'd')).toEqual(['evil merge']);
  });

  test('SHA-256 object format', async () => {
    const repository = testRepository(['--object-format=sha256']);
    const sha = repository.commit('one', { a: '1' });
    expect(sha).toHaveLength(64);
    const view = await ready(repository.path);
    expect(provenance(view, view.requirePath('a'), { skip: 0, take: 1 }).entries[0]!.commit).toBe(sha);
  });

  test('names with newline, quotes, leading dash, blanks and other scripts, and messages in any encoding', async () => {
    const repository = testRepository();
    const odd = [
      '-dash',
      'a\nb',
      'q"uote',
      "sin'gle",
      'tab\there',
      'späße/日本.ts',
      ' lead',
      'back\\slash',
      ':colon',
    ];
    repository.commit('feat: odd', Object.fromEntries(odd.map((name) => [name, name])));
    repository.git(
      '-c',
      'i18n.commitEncoding=ISO-8859-1',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'caf\u00e9',
    );
    const history = historyOf(repository.path);
    const { view } = await history.ready();
    expect(names(view)).toEqual(tracked(repository));
    for (const name of odd) {
      const found = await readArtifact(history, view, view.requirePath(name));
      expect(found.lines.join('')).toBe(name);
    }
    expect(fileSignals(view, '日本').length).toBe(1);
  });

  test('names that are not UTF-8 are shown as git quotes them and can be asked for that way', async () => {
    const repository = testRepository();
    repository.git('config', 'core.precomposeUnicode', 'false');
    writeFileSync(
      Buffer.concat([Buffer.from(`${repository.path}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]),
      'x',
    );
    repository.commit('latin');
    const history = historyOf(repository.path);
    const { view } = await history.ready();
    expect(names(view)).toEqual(['"caf\\351.txt"']);
    // As it is quoted, and as a shell completes it: the program gets a replacement sign for the byte.
    for (const typed of ['"caf\\351.txt"', 'caf\ufffd.txt'])
      expect((await readArtifact(history, view, view.requirePath(typed))).lines).toEqual(['x']);
  });

  test('a name that is not UTF-8 has the tags of its folders, and is found below them', async () => {
    const repository = testRepository();
    repository.commit('plain', { 'src/auth/plain.ts': 'x' });
    const bytes = [Buffer.from(`${repository.path}/src/auth/na`), Buffer.from([0xef]), Buffer.from('ve.ts')];
    writeFileSync(Buffer.concat(bytes), 'x');
    repository.commit('latin');
    const { view } = await historyOf(repository.path).ready();
    const found = listArtifacts(view, { under: 'src/auth', sourceOnly: true });
    expect(found.map((path) => [view.name(path), view.tags(path)])).toEqual([
      ['"src/auth/na\\357ve.ts"', ['auth']],
      ['src/auth/plain.ts', ['auth']],
    ]);
  });

  test('symlinks are files whose content is their target', async () => {
    const repository = testRepository();
    symlinkSync('target', join(repository.path, 'link'));
    repository.commit('link', { target: '1' });
    const history = historyOf(repository.path);
    const { view } = await history.ready();
    expect((await readArtifact(history, view, view.requirePath('link'))).lines).toEqual(['target']);
  });

  test('a case-only rename keeps the story', async () => {
    const repository = testRepository();
    repository.commit('one', { 'Readme.md': 'x\n'.repeat(10) });
    repository.git('mv', '-f', 'Readme.md', 'README.md');
    repository.commit('two');
    const view = await ready(repository.path);
    expect(commits(view, 'README.md')).toEqual(['one', 'two']);
    expect(artifactSummary(view, view.requirePath('Readme.md'))).toMatchObject({
      deleted: true,
      moved_to: 'README.md',
    });
  });

  test('a renamed file keeps its story; a new file at the old place starts its own', async () => {
    const repository = testRepository();
    repository.commit('one', { 'a.ts': 'x\n'.repeat(10) });
    repository.commit('move', { 'a.ts': null, 'b.ts': 'x\n'.repeat(10) });
    repository.commit('new a', { 'a.ts': 'something else entirely' });
    const view = await ready(repository.path);
    expect(commits(view, 'b.ts')).toEqual(['one', 'move']);
    expect(commits(view, 'a.ts')).toEqual(['new a']);
  });

  test('deleted files stay queryable and leave the default list', async () => {
    const repository = testRepository();
    repository.commit('one', { a: '1', b: '1' });
    repository.commit('gone', { a: null });
    const view = await ready(repository.path);
    expect(names(view)).toEqual(['b']);
    expect(commits(view, 'a')).toEqual(['one', 'gone']);
  });

  test('commits dated in 1970 and in the far future', async () => {
    const repository = testRepository();
    repository.commit('late', { a: '1' }, { date: 4_102_444_800 });
    repository.commit('early', { a: '2' }, { date: 100_000_000 });
    const view = await ready(repository.path);
    const { entries } = provenance(view, view.requirePath('a'), { skip: 0, take: 9 });
    expect(entries.map((entry) => [entry.message, entry.timestamp])).toEqual([
      ['late', 4_102_444_800],
      ['early', 100_000_000],
    ]);
  });

  test('detached HEAD, no user.name, and an index locked by another process', async () => {
    const repository = testRepository();
    const first = repository.commit('one', { a: '1' });
    repository.commit('two', { b: '1' });
    repository.git('checkout', '-q', '--detach', first);
    writeFileSync(join(repository.path, '.git', 'index.lock'), '');
    const history = historyOf(repository.path);
    expect(names((await history.ready()).view)).toEqual(['a']);
    expect(await history.ignoredFiles()).toEqual(new Set());
  });

  test('a history that was rewritten answers as the new one', async () => {
    const repository = testRepository();
    repository.commit('one', { a: '1' });
    repository.commit('two', { b: '1' });
    const history = historyOf(repository.path);
    await history.update();
    repository.git('reset', '-q', '--hard', 'HEAD~1');
    repository.commit('two, again', { c: '1' });
    const { view } = await history.ready();
    expect(names(view)).toEqual(['a', 'c']);
    expect(view.find('b')).toBeUndefined();
  });

  test('missing objects: goes on without rename detection for that part, and says so', async () => {
    const repository = testRepository();
    const body = 'line of text that is the same\n'.repeat(30);
    repository.commit('one', { 'a.ts': body });
    const lost = repository.commit('move and edit', { 'a.ts': null, 'b.ts': `${body}more\n` });
    repository.commit('three', { 'b.ts': 'rewritten', 'c.ts': '1' });
    const blob = repository.git('rev-parse', `${lost}:b.ts`);
    rmSync(join(repository.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    expect(
      spawnSync('git', ['-C', repository.path, 'log', '--raw', '-M'], { encoding: 'utf8' }).status,
    ).not.toBe(0);
    const history = historyOf(repository.path);
    const { view } = await history.ready();
    expect(names(view)).toEqual(['b.ts', 'c.ts']);
    expect(commits(view, 'b.ts')).toEqual(['move and edit', 'three']);
    expect(history.problems().join()).toMatch(/renames were not followed in \d+ commits/);
  });

  test('a commit whose tree is missing is kept without its files, and said so', async () => {
    const repository = testRepository();
    repository.commit('one', { 'x/a.ts': '1' });
    const lost = repository.commit('two', { 'x/a.ts': '2' });
    repository.commit('three', { 'x/a.ts': '3' });
    const tree = repository.git('rev-parse', `${lost}:x`);
    rmSync(join(repository.path, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
    const view = await ready(repository.path);
    expect(names(view)).toEqual(['x/a.ts']);
    expect(view.stored.commits).toBe(3);
    expect(view.sqlite.all('SELECT kind FROM problems').length).toBeGreaterThan(0);
  });

  test('a damaged index file and a damaged commit graph hide nothing of the history', async () => {
    const repository = testRepository();
    for (const at of [1, 2, 3, 4]) repository.commit(`c${at}`, { a: String(at) });
    repository.git('commit-graph', 'write', '--reachable');
    const graph = join(repository.path, '.git', 'objects', 'info', 'commit-graph');
    const bytes = readFileSync(graph);
    rmSync(graph);
    writeFileSync(graph, bytes.fill(0xff, bytes.length >> 1, bytes.length - 20));
    writeFileSync(join(repository.path, '.git', 'index'), 'x'.repeat(300));
    const history = historyOf(repository.path);
    expect(commits((await history.ready()).view, 'a')).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect([history.damage(), history.problems()]).toEqual([undefined, []]);
  });

  test('excluded paths are no artifacts', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'yarn.lock': '1',
      'dist/a.js': '1',
      'node_modules/x/y.js': '1',
      'src/a.ts': '1',
    });
    expect(names(await ready(repository.path))).toEqual(['src/a.ts']);
    const own = historyOf(repository.path, { exclude: ['/src/', '!x'] });
    expect(names((await own.ready()).view)).toEqual(['dist/a.js', 'node_modules/x/y.js', 'yarn.lock']);
  });

  test('a tree of many files', async () => {
    const repository = testRepository();
    const stream = ['commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 3\nbig\n'];
    for (let at = 0; at < 20_000; at++) stream.push(`M 100644 inline d${at % 97}/f${at}\ndata 1\nx\n`);
    spawnSync('git', ['-C', repository.path, 'fast-import', '--quiet'], { input: stream.join('') });
    const view = await ready(repository.path);
    expect(view.alive()).toHaveLength(20_000);
  });
});
