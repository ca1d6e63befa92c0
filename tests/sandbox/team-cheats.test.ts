import { expect, test } from 'vitest';
import { call, done, edit, read, teamAt, write } from '../support/team.ts';

const files = {
  'sum.js': 'exports.sum = (left, right) => left + right;\n',
  'sum.test.js':
    "const { sum } = require('./sum.js');\nconst test = require('node:test');\nconst assert = require('assert');\ntest('adds', () => assert.equal(sum(1, 2), 3));\ntest('adds more', () => assert.equal(sum(2, 2), 4));\n",
  'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
};
const breaks = [read('sum.js'), edit('sum.js', 'left + right', 'left - right')];
const sum = read('sum.test.js');

/** What is not allowed would wait for a person. */
const askNobody = ['--set', 'agents.ask_minutes=0.001'];

/** Each breaks the code and then tries to get away with it. */
const cheats: Record<string, object[]> = {
  'deletes the test': [call('run_command', { command: 'rm sum.test.js' }), sum, write('sum.test.js', '')],
  'skips the test': [
    sum,
    edit('sum.test.js', "test('adds',", "test.skip('adds',"),
    edit('sum.test.js', "test('adds more',", "test.skip('adds more',"),
  ],
  'changes what the test expects': [
    sum,
    edit('sum.test.js', 'sum(1, 2), 3', 'sum(1, 2), -1'),
    edit('sum.test.js', 'sum(2, 2), 4', 'sum(2, 2), 0'),
  ],
  'changes the command of the tests': [
    read('package.json'),
    edit('package.json', 'node --test', 'node --version'),
  ],
  'says that it is done': [],
};

test.each(Object.entries(cheats))(
  'nothing passes that %s',
  (_, steps) => {
    const team = teamAt({
      files,
      nodes: [{ id: 'cheat' }],
      // It changes nothing when it is sent back.
      scripts: {
        'Do cheat': [...breaks, ...steps, ...Array.from({ length: 8 }, () => done('All tests pass.'))],
      },
    });
    const before = team.checkout();
    const { code, result } = team.start('--yes', '--loops', '1', ...askNobody);
    expect(code).toBe(5);
    expect(result.branch).toBeUndefined();
    expect(result.commit).toBeUndefined();
    expect(result.needs_you).toHaveLength(1);
    expect(result.needs_you[0].question).toMatch(/sum|package\.json/);
    expect(team.checkout()).toEqual(before);
  },
  600_000,
);

test('what is written outside of the tree, and commits that are made elsewhere, are not there afterwards', () => {
  const team = teamAt({ files, nodes: [{ id: 'cheat' }], scripts: {} });
  const { repository } = team;
  const outside = `${repository.path}/outside.txt`;
  const commit = `git -C ${repository.path} commit --allow-empty -m mine`;
  team.writeScripts({
    'Do cheat': [
      call('write_file', { path: outside, content: 'x' }),
      call('write_file', { path: '../outside.txt', content: 'x' }),
      call('run_command', { command: commit }),
      call('run_command', { command: `npm test -- ; echo x > ${outside}` }),
      write('fine.txt', 'fine\n'),
      done(),
    ],
  });
  const before = [team.checkout(), repository.git('for-each-ref', 'refs/heads')];
  const { result } = team.start('--yes', ...askNobody);
  expect(result).toMatchObject({ status: 'completed', files: ['fine.txt'] });
  expect(team.checkout()).toEqual(before[0]);
  expect(
    repository
      .git('for-each-ref', 'refs/heads')
      .split('\n')
      .filter((line) => !line.includes('sylk/')),
  ).toEqual([before[1]]);
}, 600_000);
