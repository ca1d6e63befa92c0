import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { createFolderTags } from './derive/tag-lists.ts';
import { artifactSummary, listArtifacts, listTags } from './index.ts';
import { defaultSettings } from './settings.ts';

describe('folder-derived tags (seed §3.2)', () => {
  const folderTags = createFolderTags(defaultSettings);
  test.each([
    ['src/auth/session/handler.ts', ['auth', 'session']],
    ['auth/session/handler.ts', ['auth', 'session']],
    ['README.md', []],
    ['src/index/utils/a.ts', []],
    ['packages/core/src/manifest/read.ts', ['packages', 'core', 'manifest']],
    ['lib/Auth/auth/x.ts', ['auth']],
    ['src/auth/__tests__/a.test.ts', ['auth']],
    ['build/.turbo/coverage/cache/x', []],
  ])('%s → %j', (path, expected) => {
    expect(folderTags(path)).toEqual(expected);
  });

  test('strip_prefixes and stop_tags can be set', () => {
    const own = createFolderTags({ stripPrefixes: ['packages'], stopTags: ['core'] });
    expect(own('packages/core/src/a.ts')).toEqual(['src']);
  });
});

describe('tag state of an artifact', () => {
  const tagsOf = async (repository: ReturnType<typeof testRepository>, path: string) => {
    const { view } = await historyOf(repository.path).ready();
    return artifactSummary(view, view.requirePath(path)).tags;
  };

  test('a commit without a tags line leaves folder tags as the fallback (seed §2.1)', async () => {
    const repository = testRepository();
    repository.commit('feat: x', { 'src/auth/a.ts': '1' });
    expect(await tagsOf(repository, 'src/auth/a.ts')).toEqual(['auth']);
  });

  test('explicit tags extend folder tags, and -tag removes a folder tag too (seed §2.1, §2.2)', async () => {
    const repository = testRepository();
    repository.commit('feat: x\n\ntags: redis', { 'src/auth/a.ts': '1' });
    repository.commit('feat: y\n\ntags: -auth', { 'src/auth/a.ts': '2' });
    expect(await tagsOf(repository, 'src/auth/a.ts')).toEqual(['redis']);
  });

  test('operations are replayed in commit order, so that a tag can come back (seed §2.2)', async () => {
    const repository = testRepository();
    repository.commit('a\n\ntags: +x', { 'f.ts': '1' });
    repository.commit('b\n\ntags: -x', { 'f.ts': '2' });
    repository.commit('c\n\ntags: x', { 'f.ts': '3' });
    expect(await tagsOf(repository, 'f.ts')).toEqual(['x']);
  });

  test('parallel branches are replayed by committer date, not by when they were merged', async () => {
    const repository = testRepository();
    repository.commit('start\n\ntags: x', { 'f.ts': '1\n\n\n\n\n2' }, { date: 1_700_000_000 });
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('older, on the side\n\ntags: -x', { 'f.ts': '0\n\n\n\n\n2' }, { date: 1_700_000_100 });
    repository.git('checkout', '-q', 'main');
    repository.commit('newer, on main\n\ntags: x', { 'f.ts': '1\n\n\n\n\n3' }, { date: 1_700_000_200 });
    const history = historyOf(repository.path);
    await history.update();
    repository.git('merge', '-q', '-m', 'merge', 'side');
    const { view } = await history.ready();
    expect(artifactSummary(view, view.requirePath('f.ts')).tags).toEqual(['x']);
  });

  test('tags follow a file across a rename; folder tags come from the new place', async () => {
    const repository = testRepository();
    repository.commit('a\n\ntags: redis, -auth', { 'src/auth/a.ts': 'x\n'.repeat(20) });
    repository.commit('move', { 'src/auth/a.ts': null, 'src/session/b.ts': 'x\n'.repeat(20) });
    expect(await tagsOf(repository, 'src/session/b.ts')).toEqual(['redis', 'session']);
  });

  test('the tags line of a merge applies to the files that the merge itself changed', async () => {
    const repository = testRepository();
    repository.commit('start', { 'a.ts': '1', 'b.ts': '1' });
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('side', { 'b.ts': '2' });
    repository.git('checkout', '-q', 'main');
    repository.commit('main', { 'c.ts': '1' });
    repository.git('merge', '-q', '--no-commit', 'side');
    repository.commit('merge\n\ntags: evil', { 'a.ts': 'changed by the merge' });
    expect(await tagsOf(repository, 'a.ts')).toEqual(['evil']);
    expect(await tagsOf(repository, 'b.ts')).toEqual([]);
  });

  test('list_tags counts living artifacts; a tag filter means all of the tags', async () => {
    const repository = testRepository();
    repository.commit('a', { 'src/auth/a.ts': '1', 'src/auth/session/b.ts': '1', 'src/auth/c.ts': '1' });
    repository.commit('b', { 'src/auth/c.ts': null });
    const { view } = await historyOf(repository.path).ready();
    expect(listTags(view)).toEqual([
      { tag: 'auth', count: 2 },
      { tag: 'session', count: 1 },
    ]);
    const names = (filter: object) => listArtifacts(view, filter).map((path) => view.name(path));
    expect(names({ tags: ['auth', 'session'] })).toEqual(['src/auth/session/b.ts']);
    expect(names({ tags: ['AUTH'], includeDeleted: true })).toHaveLength(3);
    expect(names({ tags: ['none'] })).toEqual([]);
  });
});
