import { expect, test } from 'vitest';
import { openStores, person } from '../../../tests/support/work-stores.ts';
import { stalenessOf } from './staleness.ts';
import { suggestAreas } from './suggest.ts';

const commit = (at: number, paths: string[]) => ({
  sha: `${at}`.padStart(40, '0'),
  at: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
  subject: `change ${at}`,
  paths,
});

test('uncovered folders are proposed, those that change together as one, covered ones not', () => {
  const files = ['a', 'b', 'c'].flatMap((name) => [
    `src/cart/${name}.ts`,
    `src/basket/${name}.ts`,
    `src/known/${name}.ts`,
    `lib/${name}.ts`,
  ]);
  const commits = Array.from({ length: 5 }, (_, at) =>
    commit(at, ['src/cart/a.ts', 'src/basket/b.ts', 'src/known/c.ts']),
  );
  const suggestions = suggestAreas({
    files,
    commits,
    ownersOf: (path) => (path.startsWith('src/known/') ? ['k'] : []),
    nameOf: () => 'Known',
    limit: 10,
  });
  expect(suggestions.map((one) => one.paths)).toEqual([['src/basket/**', 'src/cart/**'], ['lib/**']]);
  expect(suggestions[0]).toMatchObject({
    files: 6,
    commits: 5,
    relatedAtoms: [{ atomId: 'k', name: 'Known', commits: 5 }],
  });
});

test('an area that crosses folders is found: namesakes in other folders, and files of a large folder', () => {
  const utilities = Array.from({ length: 15 }, (_, at) => `src/utils/tool-${at}.ts`);
  const files = [
    ...utilities,
    'src/utils/jwt/sign.ts',
    'src/utils/jwt/types.ts',
    'src/middleware/jwt/index.ts',
    'src/middleware/jwk/index.ts',
    'src/middleware/cors/index.ts',
    'src/router/trie.ts',
    'src/helpers/params.ts',
  ];
  const change = (count: number, ...paths: string[]) => Array.from({ length: count }, () => paths);
  const commits = [
    ...change(4, 'src/utils/jwt/sign.ts', 'src/middleware/jwt/index.ts'),
    ...change(6, 'src/utils/jwt/sign.ts'),
    ...change(8, 'src/middleware/cors/index.ts'),
    ...change(5, 'src/router/trie.ts', 'src/helpers/params.ts', 'src/utils/tool-3.ts'),
    ...change(2, 'src/middleware/cors/index.ts', 'src/router/trie.ts'),
  ].map((paths, at) => commit(at, paths));
  const suggestions = suggestAreas({ files, commits, ownersOf: () => [], nameOf: String, limit: 20 });
  const crossing = suggestions.filter(({ paths }) => paths.length > 1).map(({ paths }) => paths);
  expect(crossing).toContainEqual(['src/middleware/jwt/**', 'src/utils/jwt/**']);
  expect(crossing).toContainEqual(['src/helpers/**', 'src/router/**', 'src/utils/tool-3.*']);
  expect(crossing.flat()).not.toContain('src/middleware/cors/**');
  expect(suggestions.find(({ paths }) => paths.includes('src/utils/jwt/**'))?.name).toBe('Jwt');
});

test('a commit that touches very many files says nothing about what belongs together', () => {
  const files = ['a', 'b', 'c'].flatMap((name) => [`x/${name}.ts`, `y/${name}.ts`]);
  const bulk = commit(1, [...files, ...Array.from({ length: 50 }, (_, at) => `z/${at}`)]);
  const suggestions = suggestAreas({
    files,
    commits: [bulk, bulk, bulk],
    ownersOf: () => [],
    nameOf: String,
    limit: 10,
  });
  expect(suggestions.map((one) => one.paths)).toEqual([['x/**'], ['y/**']]);
});

test('staleness counts commits that touched its files since its knowledge was last touched', async () => {
  const { areas, project, clock } = openStores();
  const { id: projectId } = await project();
  const atom = await areas.createAtom(person, { projectId, name: 'A', paths: ['src/a/**'] });
  const commits = [
    commit(9, ['src/a/x.ts', 'src/a/y.ts']),
    commit(8, ['src/b.ts']),
    commit(7, ['src/a/z.ts']),
  ];
  const since = async () => ({ commits, complete: true });
  const ask = async () =>
    (await stalenessOf([await areas.getAtom(atom.id, { changelogLimit: 1 })], since)).get(atom.id);
  expect(await ask()).toMatchObject({
    state: 'stale',
    commits: 2,
    latest: [{ subject: 'change 9' }, { subject: 'change 7' }],
  });
  clock.advance(8 * 60_000);
  await areas.appendChangelog(person, { parentType: 'atom', parentId: atom.id, summary: 'looked at it' });
  expect(await ask()).toMatchObject({ state: 'stale', commits: 1 });
  clock.advance(60 * 60_000);
  await areas.updateAtom(person, { id: atom.id, version: 1, knowledge: 'fresh', knowledgeMode: 'overwrite' });
  expect(await ask()).toMatchObject({ state: 'fresh', commits: 0, latest: [] });
});

test('history that cannot be read makes staleness unknown, not an error', async () => {
  const { areas, project } = openStores();
  const { id: projectId } = await project();
  const atom = await areas.createAtom(person, { projectId, name: 'A', paths: ['**'] });
  const broken = () => Promise.reject(new Error('no git'));
  expect((await stalenessOf([atom], broken)).get(atom.id)).toMatchObject({ state: 'unknown', commits: 0 });
});
