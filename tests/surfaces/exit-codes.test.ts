import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorTable } from '../../src/base/errors.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const documented = {
  VALIDATION_ERROR: 2,
  NOT_FOUND: 3,
  CONFLICT: 4,
  DENIED: 5,
  APPROVAL_REQUIRED: 5,
  UNAVAILABLE: 6,
  INTERNAL_ERROR: 1,
  CANCELLED: 130,
} as const;

test('the exit code of each kind of failure is the documented one', () => {
  for (const [code, exit] of Object.entries(documented))
    expect(errorTable[code as keyof typeof documented].exit, code).toBe(exit);
});

test('commands end with the code of what happened, say why on standard error, and keep standard output for data', () => {
  const repository = fixtureRepository();
  const nowhere = temporaryDirectory('nowhere');
  const home = temporaryDirectory('home');
  mkdirSync(join(home, '.sylk'), { recursive: true });
  writeFileSync(join(home, '.sylk', 'config.yaml'), 'log:\n  level: 7\n');
  const table: Array<[cwd: string, args: string[], code: number, said: RegExp]> = [
    [repository.path, ['--version'], 0, /^$/],
    [repository.path, ['status'], 0, /^$/],
    [repository.path, ['status', '--json'], 0, /^$/],
    [repository.path, ['help'], 0, /^$/],
    ...['up', 'mcp', 'config', 'hook', 'memory'].map((name): [string, string[], number, RegExp] => [
      repository.path,
      ['help', name],
      0,
      /^$/,
    ]),
    [repository.path, ['context', 'src/missing.ts'], 3, /src\/missing\.ts is not indexed/],
    [repository.path, [], 2, /^$/],
    [repository.path, ['stauts'], 2, /Did you mean `sylk status`/],
    [repository.path, ['status', '--colour'], 2, /Unknown flag --colour/],
    [repository.path, ['status', 'extra'], 2, /Unexpected word/],
    [repository.path, ['call', 'get_status', '{broken'], 2, /not valid JSON/],
    [repository.path, ['call', 'get_statsu'], 3, /Did you mean get_status/],
    [repository.path, ['call'], 2, /Missing operation/],
    [repository.path, ['status', '--set', 'log.levle=debug'], 2, /Did you mean log.level/],
    [repository.path, ['completions', 'tcsh'], 2, /Missing shell/],
    [repository.path, ['up', '--port', 'many'], 2, /Invalid port/],
    [nowhere, ['status'], 3, /not in a git repository/],
    [repository.path, ['status', '--repo', '/does/not/exist'], 3, /Directory not found/],
  ];
  const badConfig = sylk(repository.path, ['status'], { env: { SYLK_HOME: join(home, '.sylk') } });
  expect([badConfig.code, badConfig.err]).toEqual([2, expect.stringMatching(/config\.yaml:2: log\.level/)]);
  for (const [cwd, args, code, said] of table) {
    const result = sylk(cwd, args);
    const label = `sylk ${args.join(' ')} → ${result.code}\n${result.err}`;
    expect(result.code, label).toBe(code);
    expect(result.err, label).toMatch(said);
    if (code !== 0 && args.length > 0) expect(result.out, label).toBe('');
    expect(result.out + result.err, label).not.toContain('\x1b');
  }
});

test('with --json a failure is JSON on standard error, with its code and its hint', () => {
  const result = sylk(temporaryDirectory('nowhere'), ['status', '--json']);
  const { error } = JSON.parse(result.err) as { error: { code: string; hint: string } };
  expect(error.code).toBe('NOT_FOUND');
  expect(error.hint).toContain('--repo');
});

test('a look writes nothing into the working tree', () => {
  const repository = fixtureRepository();
  sylk(repository.path, ['status']);
  expect(repository.git('status', '--porcelain', '--ignored')).toBe('');
});

test('doctor prints what it found and ends with 1 when there is a problem, with 0 when all is well', () => {
  const repository = fixtureRepository();
  sylk(repository.path, ['index', '--quiet']);
  const well = sylk(repository.path, ['doctor']);
  expect([well.code, well.out]).toEqual([0, expect.stringContaining('No problems found.')]);
  const home = temporaryDirectory('home');
  writeFileSync(join(home, 'config.yaml'), 'history: [');
  const ill = sylk(repository.path, ['doctor'], { env: { SYLK_HOME: home } });
  expect([ill.code, ill.out]).toEqual([1, expect.stringContaining('✗')]);
});

test('an export that could not write a file says so and fails', () => {
  const { path } = fixtureRepository();
  const project = { operation: 'create', containerType: 'project', name: 'Shop', summary: 'The shop.' };
  expect(sylk(path, ['call', 'manage_container', JSON.stringify(project)]).code).toBe(0);
  const outside = sylk(path, ['work', 'export', '--dir', '../outside']);
  expect(outside.out + outside.err).toContain('outside');
  expect(outside.code).not.toBe(0);
});

test('a missing argument is answered with a usage line and an example, a group with its commands', () => {
  const repository = fixtureRepository();
  const why = sylk(repository.path, ['why']);
  expect([why.code, why.err]).toEqual([
    2,
    'error: Missing FILE.\nhint:  Usage: sylk why FILE. Example: sylk why README.md\n',
  ]);
  const group = sylk(repository.path, ['memory']);
  expect([group.code, group.out]).toEqual([
    2,
    expect.stringMatching(/^ {2}sylk memory add CONTENT… +Remember /m),
  ]);
  expect(sylk(repository.path, ['memory', '--help']).code).toBe(0);
});
