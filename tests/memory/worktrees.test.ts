import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';
import { testRepository } from '../support/repository.ts';

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
  expect(await somebody.call('merge_session', { id: session.id })).toMatchObject({
    merged: true,
    commits: 1,
  });
  expect(existsSync(join(repository.path, 'b.txt'))).toBe(true);
  const after = await somebody.call<Placed>('remove_session_worktree', { id: session.id });
  expect([after.worktree, after.branch_name]).toEqual(['', '']);
  expect(existsSync(session.worktree)).toBe(false);
  expect(repository.git('branch', '--list', 'sylk/*')).toBe('');
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
