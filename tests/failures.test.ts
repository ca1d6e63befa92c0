import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SylkError } from '../src/base/errors.ts';
import { createGit } from '../src/base/git/index.ts';
import { runOperation } from '../src/operations/run.ts';
import { type Conversation, conversations } from './support/memory.ts';
import { type TestRepository, testRepository } from './support/repository.ts';
import { sylk } from './support/sylk.ts';
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

interface Finding {
  id: string;
  state: string;
  detail: string;
  fix?: string;
}
/** What a later look finds, in a process of its own as far as the repository is concerned. */
const problemsOf = async (repository: TestRepository): Promise<Finding[]> => {
  const later = conversations(undefined, repository).person();
  const { findings } = await later.call<{ findings: Finding[] }>('run_doctor');
  return findings.filter(({ state }) => state === 'problem');
};

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
    for (const name of ['get_provenance', 'get_cochange'])
      expect(await somebody.call(name, { path: 'step4.ts' })).toMatchObject({
        notes: [expect.stringContaining(damaged)],
        damaged: true,
      });
    expect(sylk(repository.path, ['why', 'step4.ts']).code).toBe(1);

    const later = conversations(undefined, repository).person();
    const found = await later.call<{ freshness: unknown }>('search', { query: 'step3' });
    expect(found.freshness).toContainEqual(expect.objectContaining({ source: 'history', state: 'failed' }));
    expect(await problemsOf(repository)).toContainEqual(
      expect.objectContaining({
        detail: expect.stringContaining(damaged),
        fix: expect.stringContaining('git fsck'),
      }),
    );
    cpSync(kept, object);
    await later.call('index_repository');
    expect(await later.call('get_repository_summary', { remember: false })).toMatchObject({ commits: 4 });
  },
);

test('a damaged tree fails the index by the name of its commit, doctor finds it again, and a repair is noticed', async () => {
  const repository = historyOf(4);
  const object = objectOf(repository, 'HEAD~1^{tree}');
  const kept = readFileSync(object);
  rmSync(object);
  writeFileSync(object, 'junk');
  const somebody = conversations(undefined, repository).person();
  const failure = await failureOf(somebody.call('index_repository'));
  const damage = `The files of commit ${repository.git('rev-parse', 'HEAD')} and 1 more are missing or damaged`;
  expect(failure.message).toContain(damage);
  expect(await problemsOf(repository)).toContainEqual(
    expect.objectContaining({ detail: expect.stringContaining(damage) }),
  );
  const unread = await readersOf(somebody);
  for (const { name, isIncomplete, said } of unread)
    expect([name, isIncomplete]).toEqual([name, said !== '']);
  for (const { name, said } of unread)
    expect([name, said]).toEqual([name, name === 'get_file_symbols' ? '' : expect.stringContaining(damage)]);
  const command = sylk(repository.path, ['touches', 'step4.ts']);
  expect([command.code, command.err]).toEqual([1, expect.stringContaining(damage)]);
  const entry = { category: 'decision', content: 'step4.ts holds the last step' };
  const caller = { kind: 'person', name: 'ada' } as const;
  expect(await runOperation(somebody.app, { name: 'store_entry', input: entry, caller })).toMatchObject({
    ok: true,
    isIncomplete: false,
  });
  rmSync(object);
  writeFileSync(object, kept);
  await somebody.call('index_repository');
  expect(await problemsOf(repository)).toEqual([]);
  for (const { name, isIncomplete, said } of await readersOf(somebody))
    expect([name, isIncomplete, said]).toEqual([name, false, '']);
});

/** What operations say that read the history, and one that does not: the failure as a note or in their answer, once. */
async function readersOf({ app }: Conversation) {
  const calls = {
    get_provenance: { path: 'step4.ts' },
    get_repository_summary: { remember: false },
    list_artifacts: {},
    list_tags: {},
    get_commit: { commit: 'HEAD' },
    get_file_symbols: { path: 'step4.ts' },
    ask: { question: 'who changed step4.ts?' },
    create_snapshot: {},
  };
  const said = [];
  for (const [name, input] of Object.entries(calls)) {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'ada' } });
    if (!outcome.ok) return expect.fail(`${name}: ${outcome.error.message}`);
    const text = [...outcome.notes, JSON.stringify(outcome.output)].join('\n');
    const times = text.split(/missing or damaged|could not be read/).length - 1;
    expect([name, times > 1]).toEqual([name, false]);
    said.push({ name, isIncomplete: outcome.isIncomplete, said: times > 0 ? text : '' });
  }
  return said;
}

test.each([
  ['empty', '\n'],
  ['no commit id', 'garbage\n'],
])(
  'a branch whose file is %s fails the index with that cause, not as a branch without commits',
  async (_, text) => {
    const repository = historyOf(2);
    const branch = join(repository.path, '.git', 'refs', 'heads', 'main');
    const kept = readFileSync(branch);
    writeFileSync(branch, text);
    const somebody = conversations(undefined, repository).person();
    for (const [name, input] of [
      ['index_repository', {}],
      ['get_provenance', { path: 'step1.ts' }],
    ] as const)
      expect((await failureOf(somebody.call(name, input))).message).toContain(`${branch} is broken`);
    expect(await problemsOf(repository)).toContainEqual(
      expect.objectContaining({ id: 'repository', fix: expect.stringContaining('git update-ref HEAD') }),
    );
    writeFileSync(branch, kept);
    await somebody.call('index_repository');
    expect(await problemsOf(repository)).toEqual([]);
  },
);

test.each(['ref: refs/heads/nope..bad\n', 'ref: refs/heads/a b\n', 'garbage\n'])(
  'a HEAD of %j fails the index with that cause, not as a repository without commits',
  async (text) => {
    const repository = historyOf(2);
    const head = join(repository.path, '.git', 'HEAD');
    const kept = readFileSync(head);
    const somebody = conversations(undefined, repository).person();
    await somebody.call('index_repository');
    writeFileSync(head, text);
    expect((await failureOf(somebody.call('index_repository'))).message).toContain(`${head} is broken`);
    expect(await problemsOf(repository)).toContainEqual(
      expect.objectContaining({ id: 'repository', fix: expect.stringContaining('git symbolic-ref HEAD') }),
    );
    writeFileSync(head, kept);
    await somebody.call('index_repository');
    expect(await problemsOf(repository)).toEqual([]);
  },
);

test('a repository of another user is refused by git, whoever runs this', async () => {
  const repository = historyOf(1);
  const stranger = (process.getuid?.() ?? 0) + 1;
  const failure = await failureOf(createGit(repository.path, { user: stranger }).text(['status']));
  expect([failure.code, failure.hint]).toEqual(['DENIED', allowing(repository)]);
});

const allowing = ({ path }: TestRepository) =>
  `If you trust it, run: git config --global --add safe.directory ${path}`;

/** Only root can give files away; the test above holds for everybody. */
const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)('index, search and doctor tell that a repository belongs to another user', async () => {
  const repository = historyOf(1);
  spawnSync('chown', ['-R', '12345', repository.path]);
  const somebody = conversations(undefined, repository).person();
  for (const [name, input] of [
    ['index_repository', {}],
    ['search', { query: 'step1' }],
  ] as const) {
    const failure = await failureOf(somebody.call(name, input));
    expect([failure.code, failure.hint]).toEqual(['DENIED', allowing(repository)]);
  }
  expect(await problemsOf(repository)).toContainEqual(
    expect.objectContaining({ id: 'repository', fix: allowing(repository) }),
  );
});

test('a shallow clone says which history it lacks, and pairs that never changed together have no share', async () => {
  const at = temporaryDirectory('shallow');
  const source = historyOf(4, at);
  source.git('clone', '-q', '--depth=2', `file://${source.path}`, join(at, 'clone'));
  const clone = { ...source, path: join(at, 'clone') };
  const somebody = conversations(undefined, clone).person();
  const { notes } = await somebody.call<{ notes: string[] }>('get_cochange', { path: 'step4.ts' });
  expect(notes).toEqual([expect.stringMatching(/^Shallow clone: history before \w{10} is missing\./)]);
  for (const [name, input] of [
    ['get_provenance', { path: 'step4.ts' }],
    ['get_history_for_code', { symbol_id: 'step4.ts' }],
    ['ask', { question: 'why was step4 added?' }],
  ] as const) {
    const answer = await somebody.call<{ notes: string[] }>(name, input);
    expect([name, answer.notes.filter((note) => note.startsWith('Shallow clone'))]).toEqual([name, notes]);
  }
  const { operations } = await import('../src/operations/history/cochange.ts');
  const answer = await somebody.call('get_cochange', { path: 'step4.ts' });
  expect(operations[0]?.render?.(answer as never, { verbose: false })).not.toMatch(/0 ×/);
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

test('a partial clone answers from what it has, says what is missing, and nothing is fetched', async () => {
  const at = temporaryDirectory('partial');
  const source = historyOf(1, at);
  const lines = (last: string) => `export function step() {\n${'  again();\n'.repeat(20)}  ${last}();\n}\n`;
  source.commit('feat: add one', { 'one.ts': lines('one') });
  source.git('mv', 'one.ts', 'two.ts');
  source.commit('feat: rename it', { 'two.ts': lines('two') });
  source.commit('feat: change it', { 'two.ts': lines('three') });
  source.git('config', 'uploadpack.allowFilter', 'true');
  source.git('clone', '-q', '--filter=blob:none', `file://${source.path}`, join(at, 'clone'));
  const clone = testRepository([], join(at, 'clone'));
  const absent = () =>
    clone
      .git('rev-list', '--objects', '--missing=print', 'HEAD')
      .split('\n')
      .filter((line) => line.startsWith('?'));
  expect(absent()).toHaveLength(2);
  const somebody = conversations(undefined, clone).person();
  await somebody.call('index_repository');
  const note = expect.stringMatching(/^Partial clone: .*git fetch --refetch --no-filter/);
  const why = await somebody.call<{ commits: unknown[]; notes: string[] }>('get_provenance', {
    path: 'two.ts',
  });
  expect(why.notes).toEqual([note]);
  expect(why.commits.length).toBeGreaterThan(0);
  const story = await somebody.call<{ history: unknown[]; notes: string[] }>('get_history_for_code', {
    symbol_id: 'two.ts#step',
  });
  expect(story.notes).toEqual([
    note,
    expect.stringMatching(/^git could not follow the history further back: /),
  ]);
  expect(absent()).toHaveLength(2);
  clone.git('fetch', '-q', '--refetch', '--no-filter');
  expect(absent()).toEqual([]);
  // The mark of a pack alone makes no clone partial.
  source.write('.git/objects/pack/pack-1.promisor', '');
  const whole = conversations(undefined, source).person();
  await whole.call('index_repository');
  expect((await whole.call<{ notes: string[] }>('get_provenance', { path: 'two.ts' })).notes).toEqual([]);
});
