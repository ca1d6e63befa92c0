import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launcher } from './support/program.ts';
import { testRepository } from './support/repository.ts';
import { temporaryDirectory } from './support/temporary.ts';

function clone(files: Record<string, string>) {
  const repository = testRepository([]);
  repository.commit('feat: start', { 'a.ts': 'export const a = 1;\n', ...files });
  const home = temporaryDirectory('settings-home');
  const run = (command: string, more: { env?: NodeJS.ProcessEnv; stdout?: number } = {}) => {
    const { SYLK_HOME: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync('sh', [launcher(), ...command.split(' ')], {
      cwd: repository.path,
      encoding: 'utf8',
      env: { ...env, HOME: home, ...more.env },
      stdio: ['ignore', more.stdout ?? 'pipe', 'pipe'],
      timeout: 120_000,
    });
    return { status, stdout, stderr };
  };
  return { repository, run };
}

const aliases = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`)}]`).join('\n')}\n`;

test.each([
  ['a value out of range', 'code:\n  max_file_bytes: 999999999999\n', 'config.yaml:2: code.max_file_bytes'],
  ['aliases that multiply', aliases, 'config.yaml:1: not valid YAML: Excessive alias count'],
  ['brackets within brackets', `a: ${'['.repeat(60_000)}`, 'config.yaml:1: not valid YAML: nested deeper'],
  ['a file too large to be settings', `a: ${'['.repeat(990_000)}`, 'config.yaml has 990003 bytes'],
])('a clone whose settings are bad is named in a warning and disables nothing: %s', (_title, text, words) => {
  const { run } = clone({ '.sylk/config.yaml': text });
  for (const command of ['status', 'config show']) {
    const { status, stderr } = run(command);
    expect(stderr).toContain(words);
    expect(status).toBe(0);
  }
});

test('patterns of a clone that make regular expressions go back for ever are answered', () => {
  const costly = `${'**/*a'.repeat(14)}z`;
  const { run } = clone({
    '.sylk/config.yaml': `code:\n  exclude: ["${costly}", "${'*a'.repeat(40)}z", "{"]\nhistory:\n  exclude: ["${'*a'.repeat(40)}z"]\n`,
    '.sylkignore': `${'*a'.repeat(40)}z\n`,
    [`${'a'.repeat(200)}/${'a'.repeat(200)}/${'a'.repeat(200)}.ts`]: 'export const deep = 1;\n',
  });
  const env = { SYLK_CODE_EXCLUDE: `["${costly}"]` };
  expect(run('index', { env }).status).toBe(0);
  expect(run('config show', { env }).stderr).toContain('a bracket or brace is not closed');
});

test('a clone hides no file by its settings before they are trusted, and answers say what is withheld', () => {
  const { run } = clone({
    'evil.ts': `export const evilTwo = 2;\n${'//\n'.repeat(500)}`,
    '.sylk/config.yaml':
      'code:\n  exclude: [evil.ts]\n  max_file_bytes: 1000\nsessions:\n  auto_suspend_after: 1\nchronicle:\n  promote_after_uses: 1\n',
    '.kiste.yaml': 'exclude: [evil.ts]\nsnapshot_frequency: 1\n',
  });
  const found = run('search evilTwo');
  expect(found.stdout).toContain('evil.ts:1');
  expect(found.stderr).toMatch(
    /is inactive until you trust it.* \(and 5 more warnings: `sylk config show` lists all\)/,
  );
  const { stderr: all } = run('config show');
  for (const key of [
    'code.exclude',
    'code.max_file_bytes',
    'history.exclude',
    'history.snapshot_frequency',
    'sessions.auto_suspend_after',
    'chronicle.promote_after_uses',
  ])
    expect(all).toMatch(new RegExp(`yaml:\\d+: ${key} is inactive until you trust it`));
  expect(run('why evil.ts').stdout).toContain('feat: start');
  expect(run('config show --origin').stdout).toMatch(/auto_suspend_after = 7200 +# default/);
});

test('index, status and doctor say how many files an exclusion file of the tree leaves out', () => {
  const { run } = clone({ 'evil.ts': 'export const evilTwo = 2;\n', '.sylkignore': 'evil.ts\n' });
  expect(run('index').stdout).toContain('(1 skipped)');
  for (const command of ['status', 'doctor'])
    expect(run(command).stdout).toContain('1 excluded by .sylkignore');
});

test('skills that could not be loaded, and sources that could not be reached, fail the command', () => {
  const { repository, run } = clone({ '.sylk/skills/bad/SKILL.md': 'no front matter\n' });
  const checked = run('skills check');
  expect(checked.stdout).toContain('error');
  expect(checked.status).toBe(1);
  const config = temporaryDirectory('settings-config');
  mkdirSync(join(config, 'sylk'));
  const gone = `[[repositories]]\nname = "gone"\ntype = "git"\nurl = "file://${repository.path}-gone"\n`;
  writeFileSync(join(config, 'sylk/skills.toml'), gone);
  const sources = run('skills sources --refresh', { env: { XDG_CONFIG_HOME: config } });
  expect(sources.stdout).toContain('unavailable');
  expect(sources.status).toBe(1);
});

test('an answer that can not be written is told in plain words, and a reader that went away is not', () => {
  const { repository, run } = clone({});
  for (const command of ['status', '--version']) {
    const full = run(command, { stdout: openSync('/dev/full', 'w') });
    expect(full.stderr).toContain('error: The answer could not be written to standard output (ENOSPC).');
    expect(full.stderr).not.toContain('    at ');
    expect(full.status).toBe(6);
  }
  const closed = spawnSync('sh', ['-c', `sh "${launcher()}" config schema | true`], {
    cwd: repository.path,
    encoding: 'utf8',
  });
  expect(closed.stderr).toBe('');
});
