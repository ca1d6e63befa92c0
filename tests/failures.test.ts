import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SylkError } from '../src/base/errors.ts';
import { conversations } from './support/memory.ts';
import { type TestRepository, testRepository } from './support/repository.ts';
import { temporaryDirectory } from './support/temporary.ts';

function historyOf(commits: number, at = temporaryDirectory('failures')): TestRepository {
  const repository = testRepository([], join(at, 'repository'));
  for (let n = 1; n <= commits; n++)
    repository.commit(`feat: add step ${n}`, { [`step${n}.ts`]: `export const step${n} = ${n};\n` });
  return repository;
}

const objectOf = (repository: TestRepository, revision: string): string => {
  const sha = repository.git('rev-parse', revision);
  return join(repository.path, '.git', 'objects', sha.slice(0, 2), sha.slice(2));
};

const failureOf = (work: Promise<unknown>): Promise<SylkError> =>
  work.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => (error instanceof SylkError ? error : expect.fail(String(error))),
  );

const foreign = () => {
  const repository = historyOf(1);
  spawnSync('chown', ['-R', '12345', repository.path]);
  return repository;
};
const canChangeOwners = process.getuid?.() === 0;

test.each([1, 2])(
  'a damaged commit %i before HEAD is named, and all that can be read is indexed',
  async (back) => {
    const repository = historyOf(4);
    const damaged = repository.git('rev-parse', `HEAD~${back}`);
    const object = objectOf(repository, `HEAD~${back}`);
    const kept = join(temporaryDirectory('kept'), 'object');
    cpSync(object, kept);
    rmSync(object);
    const { person } = conversations(undefined, repository);
    const somebody = person();
    const failure = await failureOf(somebody.call('index_repository'));
    expect(failure.message).toContain(damaged);
    expect(failure.data).toMatchObject({ problems: [{ source: 'history' }] });
    expect(await somebody.call('get_repository_summary', { remember: false })).toMatchObject({
      commits: back,
    });

    const later = conversations(undefined, repository).person();
    const found = await later.call<{ freshness: unknown }>('search', { query: 'step3' });
    expect(found.freshness).toContainEqual(expect.objectContaining({ source: 'history', state: 'failed' }));
    cpSync(kept, object);
    await later.call('index_repository');
    expect(await later.call('get_repository_summary', { remember: false })).toMatchObject({ commits: 4 });
  },
);

test('a repository of another user is refused with the line that allows it, by index and by search', async () => {
  if (!canChangeOwners) return expect(canChangeOwners).toBe(false);
  const repository = foreign();
  const somebody = conversations(undefined, repository).person();
  for (const [name, input] of [
    ['index_repository', {}],
    ['search', { query: 'step1' }],
  ] as const) {
    const failure = await failureOf(somebody.call(name, input));
    expect([failure.code, failure.hint]).toEqual([
      'DENIED',
      `If you trust it, run: git config --global --add safe.directory ${repository.path}`,
    ]);
  }
});

test('a shallow clone says which history it lacks, and pairs that never changed together have no share', async () => {
  const at = temporaryDirectory('shallow');
  const source = historyOf(4, at);
  source.git('clone', '-q', '--depth=2', `file://${source.path}`, join(at, 'clone'));
  const clone = { ...source, path: join(at, 'clone') };
  const somebody = conversations(undefined, clone).person();
  const { notes } = await somebody.call<{ notes: string[] }>('get_cochange', { path: 'step4.ts' });
  expect(notes).toEqual([expect.stringMatching(/^Shallow clone: history before \w{10} is missing\./)]);
  const { operations } = await import('../src/operations/history/cochange.ts');
  const answer = await somebody.call('get_cochange', { path: 'step4.ts' });
  expect(operations[0]?.render?.(answer as never)).not.toMatch(/0 ×/);
});

test('a search in a bare repository says that its files are not read', async () => {
  const at = temporaryDirectory('bare');
  const source = historyOf(2, at);
  source.git('clone', '-q', '--bare', source.path, join(at, 'bare.git'));
  const somebody = conversations(undefined, { ...source, path: join(at, 'bare.git') }).person();
  const found = await somebody.call<{ freshness: unknown }>('search', { query: 'step1' });
  expect(found.freshness).toContainEqual(
    expect.objectContaining({ source: 'code', detail: expect.stringContaining('bare repository') }),
  );
});
