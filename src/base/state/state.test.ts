import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { findRepository } from '../git/index.ts';
import { openLibrary } from '../library/index.ts';

let home: string;
const stateOf = (path: string) => findRepository(path, { SYLK_HOME: home }).state;
const isAtHome = (path: string) => stateOf(path).directory.startsWith(join(home, 'state', 'repositories'));

beforeEach(() => {
  home = temporaryDirectory('person');
});

function repositoryWithState() {
  const repository = testRepository();
  repository.commit('one', { 'a.txt': 'a\n' });
  const directory = stateOf(repository.path).prepare();
  return { repository, directory };
}

test('state is made in the git directory, registered, and for its owner alone', () => {
  const { repository, directory } = repositoryWithState();
  expect(directory).toBe(join(repository.path, '.git', 'sylk'));
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, 'id')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(directory, 'id'), 'utf8')).toMatch(/^[0-9a-f]{32}\n$/);
  expect(stateOf(repository.path).directory).toBe(directory);
  expect(repository.git('status', '--porcelain', '--ignored')).toBe('');
});

test('finding state makes nothing', () => {
  const repository = testRepository();
  expect(existsSync(stateOf(repository.path).directory)).toBe(false);
  expect(readdirSync(home)).toEqual([]);
});

test('processes that start at the same moment make one state directory', async () => {
  const repository = testRepository();
  const script = `import { findRepository } from ${JSON.stringify(join(import.meta.dirname, '../git/index.ts'))};
    process.stdin.once('data', () => { console.log(findRepository(process.argv[1]).state.prepare()); process.exit(); });
    console.log('ready');`;
  const children = Array.from({ length: 6 }, () =>
    spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, repository.path],
      { env: { ...process.env, SYLK_HOME: home } },
    ),
  );
  const outputs = children.map(() => '');
  const ready = children.map(
    (child, at) =>
      new Promise<void>((resolve) =>
        child.stdout.on('data', (data) => {
          outputs[at] += data;
          resolve();
        }),
      ),
  );
  await Promise.all(ready);
  const ended = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of children) child.stdin.write('go');
  await Promise.all(ended);
  const directory = join(repository.path, '.git', 'sylk');
  expect(new Set(outputs)).toEqual(new Set([`ready\n${directory}\n`]));
  const id = readFileSync(join(directory, 'id'), 'utf8').trim();
  expect(readdirSync(join(home, 'state', 'register'))).toEqual([`${id}.json`]);
  expect(readdirSync(join(repository.path, '.git')).filter((name) => name.startsWith('sylk'))).toEqual([
    'sylk',
  ]);
});

test('state that an archive brought is left alone, and the repository gets a place in the state home', () => {
  const repository = testRepository();
  const brought = join(repository.path, '.git', 'sylk');
  mkdirSync(brought);
  writeFileSync(join(brought, 'id'), `${'0'.repeat(32)}\n`);
  writeFileSync(join(brought, 'library.db'), 'planted');
  const state = stateOf(repository.path);
  expect([state.foreign, isAtHome(repository.path)]).toEqual([brought, true]);
  state.prepare();
  expect(stateOf(repository.path).directory).toBe(state.directory);
  expect(readdirSync(brought).sort()).toEqual(['id', 'library.db']);
});

test.each(['a link', 'a file', 'no id'])('%s in place of state is not taken for it', (kind) => {
  const { repository, directory } = repositoryWithState();
  const other = testRepository();
  const place = join(other.path, '.git', 'sylk');
  if (kind === 'a link') symlinkSync(directory, place);
  else if (kind === 'a file') writeFileSync(place, 'x');
  else mkdirSync(place);
  expect(stateOf(other.path).foreign).toBe(place);
  expect(isAtHome(other.path)).toBe(true);
  expect(stateOf(repository.path).directory).toBe(directory);
});

test('a moved repository keeps its state; a copy does not share it', () => {
  const { repository, directory } = repositoryWithState();
  const place = temporaryDirectory('places');
  cpSync(repository.path, join(place, 'copy'), { recursive: true });
  expect(stateOf(join(place, 'copy')).foreign).toBe(join(place, 'copy', '.git', 'sylk'));
  renameSync(repository.path, join(place, 'moved'));
  const moved = stateOf(join(place, 'moved'));
  expect(moved.directory).toBe(join(place, 'moved', '.git', 'sylk'));
  moved.prepare();
  testRepository([], repository.path);
  expect(stateOf(repository.path).prepare()).toBe(directory);
  expect(stateOf(join(place, 'moved')).directory).toBe(moved.directory);
  expect(readdirSync(join(home, 'state', 'register'))).toHaveLength(2);
});

test('a repository that was removed leaves nothing to one that is put in its place', () => {
  const { repository, directory } = repositoryWithState();
  rmSync(repository.path, { recursive: true });
  testRepository([], repository.path);
  mkdirSync(directory);
  writeFileSync(join(directory, 'library.db'), 'planted');
  expect(stateOf(repository.path).foreign).toBe(directory);
});

test('linked worktrees share the state of their repository', () => {
  const { repository, directory } = repositoryWithState();
  const tree = join(temporaryDirectory('trees'), 'side');
  repository.git('worktree', 'add', '-q', tree, '-b', 'side');
  expect(stateOf(tree).directory).toBe(directory);
});

test('a bare repository inside a working tree and a submodule keep state in the state home, also when moved', () => {
  const { repository } = repositoryWithState();
  repository.git('init', '-q', '--bare', join(repository.path, 'trap.git'));
  expect(isAtHome(join(repository.path, 'trap.git'))).toBe(true);
  const part = testRepository();
  part.commit('part', { 'b.txt': 'b\n' });
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part.path, 'part');
  const state = stateOf(join(repository.path, 'part'));
  expect(isAtHome(join(repository.path, 'part'))).toBe(true);
  writeFileSync(join(state.prepare(), 'mark'), 'mine');
  const moved = join(temporaryDirectory('places'), 'moved');
  renameSync(repository.path, moved);
  expect(readFileSync(join(stateOf(join(moved, 'part')).directory, 'mark'), 'utf8')).toBe('mine');
});

function submodule() {
  const { repository } = repositoryWithState();
  const part = testRepository();
  part.commit('part', { 'b.txt': 'b\n' });
  const path = join(repository.path, 'part');
  const add = () =>
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part.path, 'part');
  add();
  writeFileSync(join(stateOf(path).prepare(), 'mark'), 'mine');
  return { repository, path, inner: join(repository.path, '.git', 'modules', 'part') };
}

test('a repository that is put in the place of another gets no state of it in the state home, and is told', () => {
  const { path, inner } = submodule();
  const first = stateOf(path).directory;
  const aside = join(temporaryDirectory('aside'), 'part');
  renameSync(inner, aside);
  cpSync(aside, inner, { recursive: true });
  const replaced = stateOf(path);
  expect([replaced.former, existsSync(replaced.directory)]).toEqual([first, false]);
  const second = replaced.prepare();
  expect([stateOf(path).directory, stateOf(path).former]).toEqual([second, first]);
  rmSync(inner, { recursive: true });
  renameSync(aside, inner);
  expect(readFileSync(join(stateOf(path).directory, 'mark'), 'utf8')).toBe('mine');
  expect(stateOf(path).former).toBeUndefined();
});

test('a moved repository takes its place in the state home along, also where another took its path', () => {
  const { repository, path } = submodule();
  const moved = join(temporaryDirectory('places'), 'moved');
  renameSync(repository.path, moved);
  cpSync(moved, repository.path, { recursive: true });
  expect(existsSync(join(stateOf(path).directory, 'mark'))).toBe(false);
  expect(readFileSync(join(stateOf(join(moved, 'part')).directory, 'mark'), 'utf8')).toBe('mine');
  expect(stateOf(path).former).toBeUndefined();
});

test.each(['pointer file', 'link', 'commondir'])(
  "a %s that leads to another repository does not reach that repository's state",
  (kind) => {
    const { repository, directory } = repositoryWithState();
    const trap = temporaryDirectory('trap');
    const target = join(repository.path, '.git');
    if (kind === 'pointer file') writeFileSync(join(trap, '.git'), `gitdir: ${target}\n`);
    else if (kind === 'link') symlinkSync(target, join(trap, '.git'));
    else {
      testRepository([], trap);
      writeFileSync(join(trap, '.git', 'commondir'), `${target}\n`);
      writeFileSync(join(trap, '.git', 'gitdir'), `${join(trap, '.git')}\n`);
    }
    const found = findRepository(trap, { SYLK_HOME: home });
    expect(found.state.directory).not.toBe(directory);
    expect(isAtHome(trap)).toBe(true);
    expect(found.sharedDirectory).toBe(join(trap, '.sylk'));
  },
);

test('a FIFO or a huge file where git keeps a pointer holds nobody up', () => {
  const pipes = temporaryDirectory('pipes');
  spawnSync('mkfifo', [join(pipes, '.git')]);
  expect(() => findRepository(pipes, { SYLK_HOME: home })).toThrow(/not in a git repository/);
  const repository = testRepository();
  for (const name of ['commondir', 'gitdir']) spawnSync('mkfifo', [join(repository.path, '.git', name)]);
  expect(findRepository(repository.path, { SYLK_HOME: home }).linkedWorktree).toBe(false);
  const huge = temporaryDirectory('huge');
  writeFileSync(join(huge, '.git'), `gitdir: ${repository.path}/.git\n${' '.repeat(100_000)}`);
  expect(() => findRepository(huge, { SYLK_HOME: home })).toThrow(/not in a git repository/);
});

test('SYLK_DIR names the state directory', () => {
  const { repository } = repositoryWithState();
  const chosen = join(temporaryDirectory('chosen'), 'here');
  const { state } = findRepository(repository.path, { SYLK_HOME: home, SYLK_DIR: chosen });
  expect([state.prepare(), statSync(chosen).mode & 0o777]).toEqual([chosen, 0o700]);
});

async function runningLibrary() {
  const { repository, directory } = repositoryWithState();
  const state = stateOf(repository.path);
  state.prepare();
  const library = openLibrary({ url: state.library, place: state });
  onTestFinished(() => library.close());
  await library.marks('test').set('before', '1');
  rmSync(directory, { recursive: true });
  return { repository, directory, write: () => library.marks('test').set('after', '2') };
}

test('state that was removed under a running process comes back with its id, and the next process reads it', async () => {
  const { repository, directory, write } = await runningLibrary();
  // As the log of the running process does.
  mkdirSync(join(directory, 'log'), { recursive: true });
  await write();
  const state = stateOf(repository.path);
  expect([state.directory, state.foreign]).toEqual([directory, undefined]);
  const again = openLibrary({ url: state.library, place: state });
  onTestFinished(() => again.close());
  expect([...(await again.marks('test').all()).keys()].sort()).toEqual(['after', 'before']);
});

test('a library does not come back where the repository has another place by now, or is gone', async () => {
  const { repository, directory, write } = await runningLibrary();
  mkdirSync(directory);
  const other = stateOf(repository.path).prepare();
  await expect(write()).rejects.toThrow(`${directory} was removed, and ${other} is used instead`);
  expect(readdirSync(directory)).toEqual([]);
  const gone = await runningLibrary();
  rmSync(gone.repository.path, { recursive: true });
  await expect(gone.write()).rejects.toThrow(/was removed, and its repository too/);
  expect(existsSync(gone.repository.path)).toBe(false);
});
