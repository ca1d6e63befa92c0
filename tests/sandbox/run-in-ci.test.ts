import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launcher } from '../support/program.ts';
import { call, done, type Scripts, teamAt, write } from '../support/team.ts';

/** The example of the page about runs, as somebody would copy it. */
const page = readFileSync(join(import.meta.dirname, '../../docs/runs.md'), 'utf8');
const example =
  [...page.matchAll(/```sh\n(.*?)```/gs)]
    .map(([, text = '']) => text)
    .find((text) => text.includes('events.jsonl')) ?? '';

function runExample(scripts: Scripts) {
  const files = {
    'sum.js': 'exports.sum = (left, right) => left + right;\n',
    'sum.test.js':
      "require('node:test')('adds', () => require('assert').equal(require('./sum.js').sum(1, 2), 3));\n",
    'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
  };
  const team = teamAt({ files, nodes: [{ id: 'ada' }], scripts });
  const [origin, programs] = [join(team.home, 'origin.git'), join(team.home, 'bin')];
  spawnSync('git', ['init', '-q', '--bare', origin]);
  team.repository.git('remote', 'add', 'origin', origin);
  mkdirSync(programs);
  symlinkSync(launcher(), join(programs, 'sylk'));
  const { status, stdout, stderr } = spawnSync('sh', ['-c', example], {
    cwd: team.repository.path,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${programs}:${process.env.PATH}`,
      SYLK_HOME: join(team.home, 'sylk'),
      PLAN: team.flags[1],
      MODEL: team.flags[3],
    },
  });
  const branches = spawnSync('git', ['-C', origin, 'branch', '--list'], { encoding: 'utf8' }).stdout.trim();
  const events = readFileSync(join(team.repository.path, 'events.jsonl'), 'utf8').trim().split('\n');
  return { status, stdout, stderr, branches, events: events.map((line) => JSON.parse(line)), team };
}

test('the example for CI pushes the branch of a run that is green, with every event as a line of JSON', () => {
  const { status, stdout, stderr, branches, events, team } = runExample({
    'Do ada': [write('ada.txt', 'ada\n'), done()],
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`done: ${branches}\n`);
  expect(events.at(-1)).toMatchObject({ type: 'result', output: { status: 'completed', budget: 2 } });
  expect(events.filter(({ type }) => type === 'run').length).toBeGreaterThan(3);
  // What a person reviews of it.
  expect(team.ask('review_run', {}).nodes).toMatchObject([
    {
      id: 'ada',
      reasons: ['no test changed with it'],
      files: [{ path: 'ada.txt', added: 1, deleted: 0 }],
      evidence: expect.arrayContaining([expect.stringContaining('tester: ')]),
    },
  ]);
});

test('the example for CI ends with 5 and the question where a run needs a person, and nothing is pushed', () => {
  const { status, stdout, branches } = runExample({
    'Do ada': [call('request_help', { question: 'Which name?' }), done()],
  });
  expect([status, stdout, branches]).toEqual([5, 'needs a person: Which name?\n', '']);
});

test('--plan-only shows the plan, spends nothing, and leaves a run that waits for its approval', () => {
  const team = teamAt({ files: { 'a.txt': 'a\n' }, nodes: [{ id: 'ada' }], scripts: {} });
  const { code, result } = team.start('--plan-only');
  expect(code).toBe(5);
  expect(result).toMatchObject({
    status: 'proposed',
    cost: 0,
    needs_you: [{ options: ['approve', 'reject'] }],
  });
  const plan = JSON.stringify({
    prompt: 'Other',
    nodes: [{ id: 'bob', agent: 'engineer', prompt: 'Do bob' }],
  });
  expect(team.ask('edit_plan', { run: result.run, plan, revision: 1 }).needs_you).toMatchObject([
    { id: 'revision 2', question: expect.stringContaining('bob') },
  ]);
});
