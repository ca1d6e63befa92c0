import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { testRepository } from '../../tests/support/repository.ts';
import { temporaryDirectory } from '../../tests/support/temporary.ts';
import { openApp } from '../app.ts';
import { embeddedOf } from '../base/library/index.ts';
import { runOperation } from './run.ts';

const person = { kind: 'person', name: 'ada' } as const;

function world() {
  const repository = testRepository();
  repository.commit('one', { 'a.md': 'hi\n', 'AGENTS.md': '# Rules\n\nBe kind.' });
  const home = temporaryDirectory('home');
  const app = openApp({ directory: repository.path, env: { HOME: home, PATH: process.env.PATH } });
  const run = async (name: string, input: object = {}) => {
    const outcome = await runOperation(app, { name, input, caller: person });
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    // biome-ignore lint/suspicious/noExplicitAny: each operation has its own output
    return outcome.output as any;
  };
  /** Every file of the working tree with its content, the git directory left out. */
  const tree = () =>
    Object.fromEntries(
      readdirSync(repository.path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git'))
        .map((entry) => [
          join(entry.parentPath, entry.name),
          readFileSync(join(entry.parentPath, entry.name), 'utf8'),
        ]),
    );
  return { repository, home, app, run, tree };
}

test('init writes one text file in .sylk, and no database into the working tree', async () => {
  const { repository, run, app, tree } = world();
  const before = tree();
  const made = await run('init_repository');
  expect(made.made).toEqual([join(repository.path, '.sylk', 'config.yaml')]);
  app.index();
  const changed = Object.keys(tree()).filter((path) => !(path in before));
  for (const path of changed) expect(path).toContain('/.sylk/');
  expect(repository.git('status', '--porcelain', '-uall', '--ignored')).toBe('?? .sylk/config.yaml');
  expect((await run('init_repository')).made).toEqual([]);
  await app.close();
});

test('every line of the first config.yaml is a comment, so that nothing is in force by it', async () => {
  const { repository, run } = world();
  await run('init_repository');
  const text = readFileSync(join(repository.path, '.sylk', 'config.yaml'), 'utf8');
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^#/);
});

test('init names the clients that are installed and not connected yet', async () => {
  const { home, run, app } = world();
  expect((await run('init_repository')).clients).toEqual([]);
  for (const directory of ['.codex', '.gemini']) mkdirSync(join(home, directory));
  expect((await run('init_repository')).clients).toEqual(['codex', 'gemini']);
  await (await app.clients()).install({ client: 'codex', scope: 'user', name: 'sylk' });
  expect((await run('init_repository')).clients).toEqual(['gemini']);
  await app.close();
});

test('init says what it found, and edits agent notes only when asked, once', async () => {
  const { repository, run } = world();
  mkdirSync(join(repository.path, '.claude', 'skills'), { recursive: true });
  const plain = await run('init_repository');
  expect(plain.found.map((found: { path: string }) => found.path)).toEqual(['AGENTS.md', '.claude/skills']);
  expect(plain.notes).toEqual([]);
  const asked = await run('init_repository', { agents_md: true });
  expect(asked.notes).toEqual([{ path: join(repository.path, 'AGENTS.md'), change: 'added' }]);
  const text = readFileSync(join(repository.path, 'AGENTS.md'), 'utf8');
  expect(text.startsWith('# Rules\n\nBe kind.')).toBe(true);
  expect(text).toMatch(/get_file_story/);
  expect((await run('init_repository', { agents_md: true })).notes[0].change).toBe('unchanged');
  expect(readFileSync(join(repository.path, 'AGENTS.md'), 'utf8')).toBe(text);
});

test('uninstall leaves the repository as it was, and keeps a copy of what was written', async () => {
  const { repository, run, app, tree, home } = world();
  const before = tree();
  await run('init_repository', { agents_md: true });
  await run('install_mcp_client', { client: 'claude-code', scope: 'project', verify: false });
  await run('install_mcp_client', { client: 'gemini', verify: false });
  const library = await app.library();
  mkdirSync(join(repository.path, '.git', 'hooks'), { recursive: true });
  const hook = join(repository.path, '.git', 'hooks', 'post-commit');
  writeFileSync(hook, '#!/bin/sh\necho mine\n', { mode: 0o755 });
  await run('install_git_hooks');
  expect(readFileSync(hook, 'utf8')).toContain('sylk');
  embeddedOf(library).exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('remember me')");
  app.index();
  const done = await run('uninstall_sylk');
  expect(done.problems).toEqual([]);
  expect(tree()).toEqual(before);
  expect(readFileSync(hook, 'utf8')).toBe('#!/bin/sh\necho mine\n');
  expect(repository.git('status', '--porcelain', '-uall')).toBe('');
  expect(existsSync(join(home, '.gemini'))).toBe(false);
  expect(existsSync(app.repository.state.directory)).toBe(false);
  expect(readdirSync(done.backup).sort()).toContain('library.db');
  const copy = new DatabaseSync(join(done.backup, 'library.db'));
  expect(copy.prepare('SELECT text FROM note').all()).toMatchObject([{ text: 'remember me' }]);
  copy.close();
});

test('uninstall with keep_library removes what can be derived and nothing else', async () => {
  const { run, app } = world();
  app.index();
  await (await app.history()).update({});
  await app.library();
  const there = () => readdirSync(app.repository.state.directory);
  expect(there()).toEqual(expect.arrayContaining(['index.db', 'history.db', 'library.db']));
  const done = await run('uninstall_sylk', { keep_library: true });
  expect(done.backup).toBeUndefined();
  expect(there().filter((name) => /^(?:index|history)\.db/.test(name))).toEqual([]);
  expect(existsSync(app.repository.state.library)).toBe(true);
});

test('a client entry that cannot be removed does not keep the rest from going', async () => {
  const { repository, run } = world();
  await run('install_mcp_client', { client: 'claude-code', scope: 'project', verify: false });
  writeFileSync(join(repository.path, '.mcp.json'), '{ broken');
  const done = await run('uninstall_sylk', { backup: false });
  expect(done.problems).toEqual([expect.stringMatching(/\.mcp\.json.*line 1/)]);
  expect(existsSync(join(repository.path, '.sylk'))).toBe(false);
});

test('setting up and deciding are for persons: agents and tokens are refused', async () => {
  const { app } = world();
  for (const kind of ['agent', 'network'] as const)
    for (const name of ['init_repository', 'install_mcp_client', 'uninstall_sylk', 'make_packaging']) {
      const outcome = await runOperation(app, { name, input: {}, caller: { kind, name: 'x' } });
      expect(outcome).toMatchObject({ ok: false, error: { code: 'DENIED' } });
    }
});

test('packaging manifests parse and name the version of this package', async () => {
  const { run, repository } = world();
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  for (const target of ['team', 'claude-plugin', 'codex-plugin', 'gemini-extension', 'registry']) {
    const { files } = await run('make_packaging', { target, namespace: 'org.example' });
    for (const { path, content } of files as Array<{ path: string; content: string }>) {
      if (!path.endsWith('.json')) continue;
      const manifest = JSON.parse(content);
      if ('version' in manifest) expect(manifest.version).toBe(version);
      if ('description' in manifest) expect(manifest.description.length).toBeLessThanOrEqual(100);
    }
  }
  await run('make_packaging', { target: 'claude-plugin', directory: 'plugin' });
  expect(existsSync(join(repository.path, 'plugin', '.claude-plugin', 'plugin.json'))).toBe(true);
  await expect(run('make_packaging', { target: 'team', directory: '../out' })).rejects.toThrow(/DENIED/);
  await expect(run('make_packaging', { target: 'registry' })).rejects.toThrow(/namespace/);
});
