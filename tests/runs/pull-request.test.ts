import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sylk } from '../support/sylk.ts';
import { done, teamAt, write } from '../support/team.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a completed run becomes a pull request by the person’s own gh, with title and text as arguments of their own', () => {
  const team = teamAt({
    files: {
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'all.test.js': "import test from 'node:test';\ntest('all', () => {});\n",
    },
    nodes: [{ id: 'limit', prompt: 'Write "it"; $(touch planted)' }],
    scripts: { 'Write "it"; $(touch planted)': [write('limit.js', 'export const limit = 1;\n'), done()] },
  });
  const { result, err } = team.start('--yes');
  expect(result, err).toMatchObject({ status: 'completed' });
  const directory = temporaryDirectory('forge');
  const remote = join(directory, 'origin.git');
  spawnSync('git', ['init', '--quiet', '--bare', remote]);
  team.repository.git('remote', 'add', 'origin', remote);
  // The place of tests may be one where nothing can be run.
  const programs = mkdtempSync('/var/tmp/sylk-gh-');
  onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
  const told = join(directory, 'told.json');
  const gh = join(programs, 'gh');
  writeFileSync(
    gh,
    `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify({ args: process.argv.slice(2), token: process.env.GH_TOKEN, other: process.env.OTHER_SECRET }));\nconsole.log('https://forge.test/pull/7');\n`,
  );
  chmodSync(gh, 0o755);
  const run = (path: string) =>
    sylk(team.repository.path, ['run', 'pull-request', result.run, 'main'], {
      env: {
        SYLK_HOME: join(team.home, 'sylk'),
        PATH: path,
        PWD: team.repository.path,
        GH_TOKEN: 'of-the-person',
        OTHER_SECRET: 'no',
      },
    });
  const systemPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((each) => !spawnSync('ls', [join(each, 'gh')]).stdout.length)
    .join(delimiter);

  expect(run(systemPath)).toMatchObject({
    code: 4,
    err: expect.stringContaining(`git push origin ${result.branch}`),
  });
  team.repository.git('push', '--quiet', 'origin', result.branch);
  team.repository.git('fetch', '--quiet', 'origin');
  expect(run(systemPath)).toMatchObject({
    code: 6,
    err: expect.stringContaining('gh was not found on PATH'),
  });
  const opened = run(`${programs}${delimiter}${systemPath}`);
  expect(opened, opened.err).toMatchObject({
    code: 0,
    out: expect.stringContaining('https://forge.test/pull/7'),
  });
  const { args, token, other } = JSON.parse(readFileSync(told, 'utf8'));
  expect(args.slice(0, 8)).toEqual([
    'pr',
    'create',
    '--head',
    result.branch,
    '--base',
    'main',
    '--title',
    'The whole of it',
  ]);
  expect(args.at(-1)).toContain('- limit: ');
  expect({ token, other }).toEqual({ token: 'of-the-person', other: undefined });
});
