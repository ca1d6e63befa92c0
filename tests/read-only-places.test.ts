import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { person } from '../src/base/files/index.ts';
import { launcher } from './support/program.ts';
import { testRepository } from './support/repository.ts';
import { temporaryDirectory } from './support/temporary.ts';

/** Modes hold nobody up who is root, so the program runs as another user then. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

function set(up: { home?: string; files?: Record<string, string> } = {}) {
  const repository = testRepository();
  repository.commit('feat: add total', {
    'a.ts': 'export const total = (): number => 1;\n',
    ...up.files,
  });
  const home = up.home ?? join(temporaryDirectory('home'), 'home');
  const temporary = temporaryDirectory('tmp');
  const places = [repository.path, temporary];
  if (!up.home) {
    mkdirSync(home);
    places.push(join(home, '..'));
  }
  if (user.uid) for (const place of places) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, place]);
  onTestFinished(() => void spawnSync('chmod', ['-R', 'u+w', ...places]));
  const run = (...args: string[]) => {
    const { HOME: _home, SYLK_HOME: _own, ...env } = process.env;
    const ended = spawnSync('sh', [launcher(), ...args], {
      cwd: repository.path,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...env, HOME: home, TMPDIR: temporary },
      ...user,
    });
    return { code: ended.status, said: ended.stdout + ended.stderr };
  };
  const lock = (place: string) => void spawnSync('chmod', ['-R', 'a-w', place]);
  return { repository, home, temporary, run, lock };
}

type Place = ReturnType<typeof set>;

function expectReads({ run, temporary }: Place): void {
  for (const args of [['status'], ['brief'], ['skills', 'list']])
    expect([args, run(...args)]).toMatchObject([args, { code: 0 }]);
  expect(run('search', 'total').said).toContain('a.ts');
  expect(run('why', 'a.ts').said).toContain('add total');
  expect(
    readdirSync(temporary).filter((name) => name.startsWith('sylk-') && name !== 'sylk-compile-cache'),
  ).toEqual([]);
}

/** One sentence with the place and the reason, and a next step. */
function expectRefusals({ run }: Place, reason: RegExp): void {
  for (const args of [
    ['memory', 'add', 'kept?', '--category', 'decision'],
    ['index'],
    ['init'],
    ['session', 'new', 'x'],
  ]) {
    const { code, said } = run(...args);
    expect([args, code, said]).toEqual([args, 6, expect.stringMatching(reason)]);
    expect(said).toMatch(/hint: {2}\w/);
    expect(said).not.toMatch(/E[A-Z]{4,}:|Unexpected failure|SQLite/);
  }
}

test('a first use where neither the clone nor the home can be written reads, and refuses writes with the reason', () => {
  const place = set();
  for (const path of [place.repository.path, place.home]) place.lock(path);
  expectReads(place);
  expectRefusals(place, /permission denied/i);
  expect(readdirSync(place.home)).toEqual([]);
});

test('a home that is no place for files ends no command and keeps none from ending', () => {
  const place = set({ home: '/proc/1' });
  expectReads(place);
  expectRefusals(place, /(?:no directory can be created there|permission denied).*\/proc\/1/i);
  expect(existsSync(join(place.repository.path, '.git', 'sylk'))).toBe(false);
});

test('state that can no longer be written is read, refuses writes, and is the same again afterwards', () => {
  const place = set();
  const remember = (text: string) => place.run('memory', 'add', text, '--category', 'decision');
  expect(remember('totals are integers').code).toBe(0);
  place.lock(place.repository.path);
  expectReads(place);
  expect(place.run('memory', 'search', 'totals').said).toContain('totals are integers');
  expectRefusals(place, /(?:cannot be written: permission denied|Permission denied: ).*\.(?:git\/)?sylk/);
  spawnSync('chmod', ['-R', 'u+w', place.repository.path]);
  expect(remember('totals are never negative').code).toBe(0);
  const { said } = place.run('memory', 'search', 'totals');
  expect(said).toContain('totals are integers');
  expect(said).toContain('totals are never negative');
  expect(existsSync(join(place.home, '.local/state/sylk/repositories'))).toBe(false);
});

test('a clone that was read-only at first keeps its one place when it can be written later', () => {
  const place = set();
  place.lock(place.repository.path);
  expect(place.run('memory', 'add', 'first words', '--category', 'decision').code).toBe(0);
  spawnSync('chmod', ['-R', 'u+w', place.repository.path]);
  expect(place.run('memory', 'search', 'words').said).toContain('first words');
  expect(existsSync(join(place.repository.path, '.git', 'sylk'))).toBe(false);
});

test('a directory that cannot be made is a failure, never a loop', () => {
  expect(() => person.makeDirectory('/proc/1/a/b/c')).toThrow(/ENOENT|EACCES|EPERM/);
});

test('files that may not be read are counted and named, fail the index, and are read once they may be', () => {
  const { repository, run } = set({
    files: {
      'closed.ts': 'export const closedFile = 1;\n',
      'folder/b.ts': 'export const closedFolder = 1;\n',
    },
  });
  const closed = ['closed.ts', 'folder'].map((name) => join(repository.path, name));
  spawnSync('chmod', ['000', ...closed]);
  onTestFinished(() => void spawnSync('chmod', ['-R', 'u+rwx', repository.path]));
  const { code, said } = run('index');
  expect([code, said]).toEqual([
    6,
    expect.stringContaining('2 files could not be read: closed.ts, folder/b.ts.'),
  ]);
  expect(run('status').said).toContain('2 files could not be read');
  expect(run('search', 'total').said).toMatch(/^.*a\.ts.*2 files could not be read/s);
  spawnSync('chmod', ['700', ...closed]);
  expect(run('index').code).toBe(0);
  for (const name of ['closedFile', 'closedFolder'])
    expect(run('search', name).said).toMatch(/(?:closed|b)\.ts:1/);
});
