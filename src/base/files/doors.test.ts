import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { isRefusedFile, onSkippedFile, person, state, tree } from './index.ts';

/** A directory with one of everything that may stand in place of a file or a directory, and what they point to. */
async function oddPlaces() {
  const base = temporaryDirectory('doors');
  const root = join(base, 'root');
  const outside = join(base, 'outside');
  mkdirSync(join(root, 'directory'), { recursive: true });
  mkdirSync(join(outside, 'folder'), { recursive: true });
  writeFileSync(join(outside, 'file'), 'precious');
  writeFileSync(join(outside, 'folder', 'inner'), 'precious');
  execFileSync('mkfifo', [join(outside, 'fifo'), join(root, 'fifo')]);
  const links = {
    'link-to-file': join(outside, 'file'),
    'link-to-folder': join(outside, 'folder'),
    'link-to-nothing': join(outside, 'new'),
    'link-to-zero': '/dev/zero',
    'link-to-fifo': join(outside, 'fifo'),
    'link-to-itself': 'link-to-itself',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  const server = createServer().listen(join(root, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  writeFileSync(join(root, 'oversize'), '');
  truncateSync(join(root, 'oversize'), 2 ** 40);
  writeFileSync(join(root, 'plain'), 'plain');
  return { root, outside };
}

const notFiles = [
  'link-to-file',
  'link-to-folder',
  'link-to-nothing',
  'link-to-zero',
  'link-to-fifo',
  'link-to-itself',
  'fifo',
  'socket',
  'directory',
];
const throughLinks = ['link-to-folder/inner', 'link-to-folder/new', 'link-to-nothing/new'];

function snapshot(directory: string): string {
  const lines = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mode, size, mtimeMs, ino } = lstatSync(path);
    const content = entry.isSymbolicLink()
      ? readlinkSync(path)
      : entry.isFile() && size < 1000
        ? readFileSync(path, 'utf8')
        : '';
    return [path, mode, entry.isDirectory() ? 0 : size, entry.isDirectory() ? 0 : mtimeMs, ino, content].join(
      ' ',
    );
  });
  return lines.sort().join('\n');
}

/** Whether a call answered, answered nothing, or refused by name. */
function outcome(use: () => unknown): 'answered' | 'nothing' | 'refused' {
  try {
    const answer = use();
    return answer === undefined || (Array.isArray(answer) && answer.length === 0) ? 'nothing' : 'answered';
  } catch (error) {
    if (isRefusedFile(error)) return 'refused';
    throw error;
  }
}

test('what a tree names is read only where it is a regular file: everything else is skipped by name', async () => {
  const { root } = await oddPlaces();
  const skipped: string[] = [];
  onTestFinished(onSkippedFile(({ message }) => skipped.push(message)));
  for (const name of [...notFiles, ...throughLinks, 'oversize']) {
    skipped.length = 0;
    expect([name, outcome(() => tree.readText(root, name))]).toEqual([name, 'nothing']);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain(name.split('/')[0]);
    expect([name, outcome(() => tree.read(root, name))]).toEqual([name, 'refused']);
  }
  expect(tree.readText(root, 'plain')).toBe('plain');
  expect(tree.readText(root, 'plain/below')).toBeUndefined();
  expect(tree.readText(root, 'missing')).toBeUndefined();
  expect(tree.read(root, 'oversize', { limit: 5, cut: true })).toHaveLength(5);
});

test('what a tree names is listed only where it is a directory, and its links are listed as links', async () => {
  const { root } = await oddPlaces();
  const skipped: string[] = [];
  onTestFinished(onSkippedFile(({ message }) => skipped.push(message)));
  for (const name of [...notFiles.filter((one) => one !== 'directory'), 'plain', 'link-to-folder/inner']) {
    skipped.length = 0;
    expect([name, outcome(() => tree.list(root, name))]).toEqual([name, 'nothing']);
    expect([name, skipped.length]).toEqual([name, 1]);
  }
  expect(tree.list(root, 'missing')).toEqual([]);
  const entries = tree.list(root, '.');
  expect(entries.filter((entry) => entry.isSymbolicLink())).toHaveLength(6);
  skipped.length = 0;
  expect(tree.list(root, '.', { limit: 3 })).toHaveLength(3);
  expect(skipped[0]).toContain('more than 3 entries');
});

test('nothing is written in a tree through a link or over what is no regular file', async () => {
  const { root, outside } = await oddPlaces();
  const before = [snapshot(root), snapshot(outside)];
  for (const name of [...notFiles, ...throughLinks, 'plain/below', 'link-to-nothing/a/b']) {
    expect([name, outcome(() => tree.write(root, name, 'x'))]).toEqual([name, 'refused']);
  }
  for (const name of ['link-to-folder/d', 'link-to-nothing', 'link-to-folder', 'plain'])
    expect([name, outcome(() => tree.makeDirectory(root, name))]).toEqual([name, 'refused']);
  expect(() => tree.remove(root, 'link-to-folder/inner')).toThrow(/symbolic link/);
  expect([snapshot(root), snapshot(outside)]).toEqual(before);
  tree.remove(root, 'link-to-folder');
  expect(snapshot(outside)).toBe(before[1]);
  tree.write(root, 'plain', 'new');
  tree.write(root, 'a/b/c', 'new');
  expect([tree.readText(root, 'plain'), tree.readText(root, 'a/b/c')]).toEqual(['new', 'new']);
});

test('a path that leads out of the tree is refused, however it is written', async () => {
  const { root } = await oddPlaces();
  for (const path of ['../outside/file', '/etc/passwd', 'a/../../outside/file', `${root}-other/x`, 'a\0b'])
    for (const use of [tree.read, tree.readText, tree.list, tree.entry])
      expect(() => use(root, path)).toThrow(/outside/);
});

test('nothing is written, removed or renamed below a git directory', () => {
  const root = temporaryDirectory('doors');
  mkdirSync(join(root, '.git', 'refs'), { recursive: true });
  writeFileSync(join(root, '.git', 'refs', 'main'), 'hash');
  const acts = [
    () => tree.write(root, '.git/refs/x.md', ''),
    () => tree.create(root, join(root, 'sub', '.GIT', 'x'), ''),
    () => tree.remove(root, '.git/refs/main'),
    () => tree.rename(root, '.git/refs/main', 'main'),
  ];
  for (const act of acts) expect(act).toThrow(/is in a git directory/);
  expect(readdirSync(join(root, '.git', 'refs'))).toEqual(['main']);
  // The file of a linked working tree is ours to write.
  mkdirSync(join(root, 'tree'));
  tree.write(join(root, 'tree'), '.git', 'gitdir: elsewhere');
});

test('state is never read, appended to or written through a link', async () => {
  const { root, outside } = await oddPlaces();
  const before = [snapshot(root), snapshot(outside)];
  for (const name of [...notFiles, 'link-to-folder/inner', 'link-to-folder/new', 'plain/below']) {
    const path = join(root, name);
    expect([name, outcome(() => state.write(path, 'x'))]).toEqual([name, 'refused']);
    expect([name, outcome(() => state.append(path, 'x'))]).toEqual([name, 'refused']);
    if (name !== 'plain/below' && name !== 'link-to-folder/new')
      expect([name, outcome(() => state.readText(path))]).toEqual([name, 'refused']);
  }
  for (const name of ['link-to-folder', 'link-to-nothing', 'link-to-zero']) {
    expect([name, outcome(() => state.list(join(root, name)))]).toEqual([name, 'refused']);
    expect([name, outcome(() => state.makeDirectory(join(root, name)))]).toEqual([name, 'refused']);
    expect(state.exists(join(root, name))).toBe(false);
  }
  expect(outcome(() => state.remove(join(root, 'link-to-folder', 'inner')))).toBe('refused');
  expect(outcome(() => state.move(join(root, 'plain'), join(root, 'link-to-folder', 'x')))).toBe('refused');
  expect(outcome(() => state.readText(join(root, 'oversize')))).toBe('refused');
  expect([snapshot(root), snapshot(outside)]).toEqual(before);
});

test('nothing is written below a state directory that became a link', () => {
  const base = temporaryDirectory('root');
  const [root, outside] = [join(base, 'state'), join(base, 'outside')];
  mkdirSync(join(outside, 'run', 'deep'), { recursive: true });
  symlinkSync(outside, root);
  state.addRoot(root);
  const before = snapshot(outside);
  for (const write of [
    () => state.write(join(root, 'run', 'new'), 'x'),
    () => state.write(join(root, 'run', 'deep', 'new'), 'x'),
    () => state.append(join(root, 'log', 'a.log'), 'x'),
    () => state.makeDirectory(join(root, 'cache', 'a')),
    () => state.create(join(root, 'index.db')),
    () => state.addLink(join(root, 'run', 'link'), '/dev/null'),
    () => state.temporaryDirectory('x-', join(root, 'run')),
    () => state.remove(join(root, 'run', 'deep')),
  ])
    expect(outcome(write)).toBe('refused');
  expect(snapshot(outside)).toBe(before);
});

test('files of the state are private, and so are the directories they are in', () => {
  const root = temporaryDirectory('state');
  state.write(join(root, 'run', 'deep', 'token'), 'x');
  state.append(join(root, 'log', 'a.log'), 'one\n');
  state.append(join(root, 'log', 'a.log'), 'two\n');
  expect(state.readText(join(root, 'log', 'a.log'))).toBe('one\ntwo\n');
  for (const file of ['run/deep/token', 'log/a.log'])
    expect(statSync(join(root, file)).mode & 0o777).toBe(0o600);
  for (const directory of ['run', 'run/deep', 'log'])
    expect(statSync(join(root, directory)).mode & 0o777).toBe(0o700);
});

test("a person's link is followed to a file of their own, and to nothing else", async () => {
  const { root, outside } = await oddPlaces();
  expect(person.readText(join(root, 'link-to-file'))).toBe('precious');
  person.write(join(root, 'link-to-file'), 'changed');
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('changed');
  expect(lstatSync(join(root, 'link-to-file')).isSymbolicLink()).toBe(true);
  const before = [snapshot(root), snapshot(outside)];
  for (const name of notFiles.filter((one) => one !== 'link-to-file')) {
    const path = join(root, name);
    expect([name, outcome(() => person.readText(path))]).toEqual([name, 'refused']);
    expect([name, outcome(() => person.write(path, 'x'))]).toEqual([name, 'refused']);
  }
  expect(outcome(() => person.readText(join(root, 'oversize')))).toBe('refused');
  expect([snapshot(root), snapshot(outside)]).toEqual(before);
});

test('a link to a file that everybody may write, or of another owner, is not followed', async () => {
  const { root, outside } = await oddPlaces();
  execFileSync('chmod', ['o+w', join(outside, 'file')]);
  expect(() => person.readText(join(root, 'link-to-file'))).toThrow(/writable by everyone/);
  // Only root can give a file away; others meet files of root, which are the system's.
  if (process.getuid?.() === 0) {
    execFileSync('chmod', ['o-w', join(outside, 'file')]);
    execFileSync('chown', ['12345', join(outside, 'file')]);
    expect(() => person.write(join(root, 'link-to-file'), 'x')).toThrow(/belongs to another user/);
  }
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('precious');
});
