import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { conversations } from '../support/memory.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

interface Placed {
  id: string;
  worktree: string;
  branch_name: string;
}

async function placed() {
  const { repository, person } = conversations();
  repository.commit('first', { 'a.txt': 'one\n', '.gitignore': 'ignored.txt\n.sylk/\n' });
  repository.git('config', 'user.name', 'Ada');
  repository.git('config', 'user.email', 'ada@example.org');
  const somebody = person();
  const { id } = await somebody.call<{ id: string }>('create_session', { name: 'side work' });
  const session = await somebody.call<Placed>('open_session_worktree', { id });
  const git = (...args: string[]) => testGit(session.worktree, args);
  const commit = (file: string, text: string) => {
    writeFileSync(join(session.worktree, file), text);
    git('add', '-A');
    git('commit', '-qm', `change ${file}`);
  };
  return { repository, somebody, session, git, commit };
}

const testGit = (at: string, args: string[]): string =>
  borrowed.git('-C', at, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args);
let borrowed: ReturnType<typeof testRepository>;

test('a session with git isolation gets its branch and working tree when a person creates it', async () => {
  const { repository, person, agent } = conversations();
  repository.commit('first', { 'a.txt': 'one\n' });
  const input = { name: 'apart', config: { enable_git_isolation: true } };
  const session = await person().call<Placed>('create_session', input);
  expect(existsSync(join(session.worktree, 'a.txt'))).toBe(true);
  expect(repository.git('branch', '--list', session.branch_name)).toContain(session.branch_name);
  await expect(agent('codex').call('create_session', input)).rejects.toThrow('a person');
});

test('a session works on its own branch, is merged back on request, and then leaves nothing', async () => {
  borrowed = testRepository();
  const { repository, somebody, session, commit } = await placed();
  expect(await somebody.call<Placed>('open_session_worktree', { id: session.id })).toEqual(session);
  expect(repository.git('status', '--porcelain')).toBe('');
  commit('b.txt', 'two\n');
  expect(existsSync(join(repository.path, 'b.txt'))).toBe(false);
  const head = repository.git('rev-parse', 'HEAD');
  expect(await somebody.call('merge_session', { id: session.id })).toMatchObject({
    merged: false,
    commits: 1,
    command: `git merge --ff-only ${session.branch_name}`,
  });
  // The checkout is the person's: it is as it was until they type that.
  expect(repository.git('rev-parse', 'HEAD')).toBe(head);
  expect(existsSync(join(repository.path, 'b.txt'))).toBe(false);
  repository.git('merge', '-q', '--ff-only', session.branch_name);
  expect(await somebody.call('merge_session', { id: session.id })).toMatchObject({
    merged: true,
    commits: 0,
  });
  const after = await somebody.call<Placed>('remove_session_worktree', { id: session.id });
  expect([after.worktree, after.branch_name]).toEqual(['', '']);
  expect(existsSync(session.worktree)).toBe(false);
  expect(repository.git('branch', '--list', 'sylk/*')).toBe('');
});

test('a working tree that git moved, or whose directory was deleted, is found again', async () => {
  borrowed = testRepository();
  const { repository, somebody, session, commit } = await placed();
  const elsewhere = join(temporaryDirectory('elsewhere'), 'moved');
  commit('b.txt', 'two\n');
  repository.git('worktree', 'move', session.worktree, elsewhere);
  const { id } = session;
  expect(await somebody.call<Placed>('open_session_worktree', { id })).toMatchObject({ worktree: elsewhere });
  const { command = '' } = await somebody.call<{ command?: string }>('merge_session', { id });
  repository.git(...command.split(' ').slice(1));
  rmSync(elsewhere, { recursive: true });
  const again = await somebody.call<Placed>('open_session_worktree', { id });
  expect(existsSync(join(again.worktree, 'b.txt'))).toBe(true);
  expect(await somebody.call('remove_session_worktree', { id })).toMatchObject({ removed: again.worktree });
  expect(repository.git('branch', '--list', 'sylk/*')).toBe('');
});

test('what a client wrote in a linked worktree stays with it when git moves the worktree', async () => {
  const repository = testRepository();
  repository.commit('first', { 'a.txt': 'one\n' });
  const [at, to] = ['linked', 'moved'].map((name) => join(temporaryDirectory('linked'), name));
  const ask = async (directory = '', name: string, input: object) => {
    const app = openApp({ directory });
    onTestFinished(() => app.close());
    const caller = { kind: 'agent', name: 'codex' } as const;
    const outcome = await runOperation(app, { name, input, caller });
    await app.close();
    return JSON.stringify(outcome);
  };
  repository.git('worktree', 'add', '-q', `${at}`);
  await ask(at, 'store_entry', { content: 'zebra only for this session', category: 'timeline' });
  repository.git('worktree', 'move', `${at}`, `${to}`);
  const find = { query: 'zebra' };
  expect(await ask(to, 'search_history', find)).toContain('only for this session');
  repository.git('worktree', 'remove', '--force', `${to}`);
  repository.git('worktree', 'add', '-q', '-f', `${to}`);
  expect(await ask(repository.path, 'search_history', find)).not.toContain('only for this session');
});

test('a base that is checked out nowhere is moved to what both sides give together', async () => {
  borrowed = testRepository();
  const { repository, somebody, session, commit } = await placed();
  commit('b.txt', 'two\n');
  repository.commit('ours', { 'c.txt': 'three\n' });
  repository.git('checkout', '-q', '--detach');
  expect(await somebody.call('merge_session', { id: session.id })).toMatchObject({
    merged: true,
    commits: 1,
  });
  expect(repository.git('ls-tree', '--name-only', 'main').split('\n')).toEqual([
    '.gitignore',
    'a.txt',
    'b.txt',
    'c.txt',
  ]);
  expect(repository.git('rev-list', '--parents', '-1', 'main').split(' ')).toHaveLength(3);
});

test('a merge with conflicts names the files and leaves both sides as they were', async () => {
  borrowed = testRepository();
  const { repository, somebody, session, commit } = await placed();
  commit('a.txt', 'theirs\n');
  const head = repository.commit('ours', { 'a.txt': 'ours\n' });
  expect(await somebody.call('merge_session', { id: session.id })).toMatchObject({
    merged: false,
    conflicts: ['a.txt'],
  });
  expect(repository.git('rev-parse', 'HEAD')).toBe(head);
  expect(repository.git('status', '--porcelain')).toBe('');
});

type World = Awaited<ReturnType<typeof placed>>;
const states: Record<string, { reason: RegExp; make(world: World): void }> = {
  dirty: {
    reason: /uncommitted/,
    make: ({ session }) => writeFileSync(join(session.worktree, 'a.txt'), 'changed\n'),
  },
  untracked: {
    reason: /untracked/,
    make: ({ session }) => writeFileSync(join(session.worktree, 'new.txt'), 'new\n'),
  },
  ignored: {
    reason: /ignored/,
    make: ({ session }) => writeFileSync(join(session.worktree, 'ignored.txt'), 'mine\n'),
  },
  stashed: {
    reason: /stashed/,
    make: ({ session, git }) => {
      writeFileSync(join(session.worktree, 'a.txt'), 'for later\n');
      git('stash', 'push', '-q');
    },
  },
  unmerged: { reason: /commits that are not in/, make: ({ commit }) => commit('c.txt', 'three\n') },
  detached: { reason: /detached/, make: ({ git }) => git('checkout', '-q', '--detach') },
  locked: {
    reason: /locked/,
    make: ({ repository, session }) => repository.git('worktree', 'lock', session.worktree),
  },
  missing: { reason: /missing/, make: ({ session }) => rmSync(session.worktree, { recursive: true }) },
};

/** Every state alone, and pairs in the order in which they can meet. */
const combinations = [
  ...Object.keys(states).map((name) => [name]),
  ['unmerged', 'dirty'],
  ['stashed', 'untracked'],
  ['ignored', 'locked'],
];

test.each(combinations.map((each) => [each.join(' and '), each] as const))(
  'a working tree that is %s is not removed, and nothing of it is lost',
  async (_title, chosen) => {
    borrowed = testRepository();
    const world = await placed();
    const { repository, somebody, session } = world;
    for (const name of chosen) states[name]!.make(world);
    const everything = () => [
      repository.git('for-each-ref'),
      repository.git('stash', 'list'),
      repository.git('worktree', 'list', '--porcelain'),
      existsSync(session.worktree)
        ? testGit(session.worktree, ['status', '--porcelain', '--ignored'])
        : 'gone',
    ];
    const before = everything();
    const refusal = await somebody.call('remove_session_worktree', { id: session.id }).then(
      () => 'removed',
      (error) => error.message as string,
    );
    for (const name of chosen) expect(refusal).toMatch(states[name]!.reason);
    expect(everything()).toEqual(before);
  },
);
