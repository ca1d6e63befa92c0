import { expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { relatedFiles } from './index.ts';

type Options = Parameters<typeof relatedFiles>[3];

async function related(repository: { path: string }, path: string, options: Options = {}) {
  const history = historyOf(repository.path);
  const { view } = await history.ready();
  const rows = relatedFiles(history, view, view.requirePath(path), options);
  return rows.map(({ name, count, why }) => ({ name, count, why }));
}

test('every file of the answer says why it is there: shared commits, its test by name, an import', async () => {
  const repository = testRepository();
  repository.commit('start', { 'src/limit.ts': '0', 'src/clock.ts': '0' });
  repository.commit('more', { 'src/limit.ts': '1', 'src/clock.ts': '1' });
  repository.commit('tests', { 'tests/limit.test.ts': '0' });
  repository.commit('store', { 'lib/store.ts': '0' });
  const rows = await related(repository, 'src/limit.ts', {
    guesses: 10,
    linked: new Set(['lib/store.ts', 'gone.ts']),
  });
  expect(rows).toContainEqual({ name: 'src/clock.ts', count: 2, why: '2 shared commits' });
  expect(rows).toContainEqual({ name: 'tests/limit.test.ts', count: 0, why: 'its test by name' });
  expect(rows).toContainEqual({ name: 'lib/store.ts', count: 0, why: 'linked in the code' });
  expect(await related(repository, 'tests/limit.test.ts', { guesses: 10 })).toContainEqual({
    name: 'src/limit.ts',
    count: 0,
    why: 'tested by it, by name',
  });
});

test('a file with hardly any commits is answered from what its neighbours in the folder change with', async () => {
  const repository = testRepository();
  repository.commit('noise', Object.fromEntries(['m.c', 'n.c', 'o.c'].map((name) => [`other/${name}`, '0'])));
  for (const name of ['users', 'posts', 'pages', 'files'])
    for (let turn = 0; turn < 2; turn++)
      repository.commit(`${name} ${turn}`, {
        [`src/routes/${name}.ts`]: `${turn}`,
        'src/table.ts': `${name}${turn}`,
      });
  repository.commit('one more', { 'src/routes/tags.ts': '0' });
  const rows = await related(repository, 'src/routes/tags.ts', { guesses: 3 });
  expect(rows.map((row) => row.name)).toContain('src/table.ts');
  expect(rows.find((row) => row.name === 'src/table.ts')?.why).toBe(
    'changes with its neighbors in the folder',
  );
  expect(rows).toHaveLength(3);
});

test('a pair below the wanted support is not answered as a guess either', async () => {
  const repository = testRepository();
  repository.commit('once', { 'a.ts': '0', 'a.test.ts': '0' });
  repository.commit('alone', { 'a.ts': '1', 'b.ts': '1' });
  repository.commit('again', { 'a.ts': '2', 'b.ts': '2' });
  const rows = await related(repository, 'a.ts', { minCount: 2, guesses: 10 });
  expect(rows.map((row) => row.name)).toEqual(['b.ts']);
});

test('change logs, front pages and copies of others stand behind files of the same weight', async () => {
  const repository = testRepository();
  const files = ['CHANGELOG.md', 'README.md', 'vendor/x.js', 'src/z.js'];
  for (let turn = 0; turn < 3; turn++)
    repository.commit(`turn ${turn}`, {
      'src/a.js': `${turn}`,
      ...Object.fromEntries(files.map((name) => [name, `${turn}`])),
    });
  expect((await related(repository, 'src/a.js'))[0]?.name).toBe('src/z.js');
});

test('an old name is answered as the file that it became', async () => {
  const repository = testRepository();
  const text = 'line\n'.repeat(30);
  repository.commit('start', { 'old.ts': text, 'pair.ts': '0' });
  repository.commit('move', { 'old.ts': null, 'lib/fresh.ts': text });
  const now = await related(repository, 'lib/fresh.ts', { guesses: 5 });
  expect(now[0]).toMatchObject({ name: 'pair.ts', count: 1 });
  expect(await related(repository, 'old.ts', { guesses: 5 })).toEqual(now);
});
