import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, done, edit, read, teamAt, write } from '../support/team.ts';

const files = {
  'sum.js': 'exports.sum = (left, right) => left + right;\n',
  'sum.test.js':
    "const { sum } = require('./sum.js');\nrequire('node:test')('adds', () => require('assert').equal(sum(1, 2), 3));\n",
  'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
};

test('at the limit the person lets a node pass, everything together is red, a fix is planned, approved and merged', () => {
  const team = teamAt({
    files,
    nodes: [{ id: 'minus' }],
    scripts: {
      'Do minus': [
        read('sum.js'),
        edit('sum.js', 'left + right', 'left - right'),
        write('minus.js', "exports.minus = (left, right) => require('./sum.js').sum(left, -right);\n"),
        done(),
      ],
      'Mend what': [
        { expect: 'adds', ...read('sum.js') },
        edit('sum.js', 'left - right', 'right + left'),
        done('Mended.'),
      ],
    },
  });
  const limit = team.start('--yes', '--loops', '0');
  expect(limit.code).toBe(5);
  expect(limit.result.needs_you).toMatchObject([
    { node: 'minus', options: ['ignore_tester', 'retry', 'fail'] },
  ]);
  const { run } = limit.result;
  const red = team.run('answer', run, 'ignore_tester').result;
  expect(red).toMatchObject({ phase: 'test', nodes: [{ stage: 'done' }] });
  expect(red.needs_you).toMatchObject([{ options: ['fix', 'ignore', 'give_up'] }]);
  const planned = team.run('answer', run, 'fix').result;
  expect(planned.needs_you).toMatchObject([{ id: 'revision 2', question: expect.stringContaining('fix-1') }]);
  const { code, result } = team.run('approve', run);
  expect(result).toMatchObject({ status: 'completed', files: ['minus.js', 'sum.js'], needs_you: [] });
  expect(code).toBe(0);
  expect(result.nodes).toMatchObject([{ id: 'minus' }, { id: 'fix-1', stage: 'done' }]);
  expect(result.deferred).toMatchObject([expect.stringContaining('minus: tester ignored')]);
}, 900_000);

test('a run leaves what became of it, its plan and what each worker did, and other sessions can read it', () => {
  const team = teamAt({
    files,
    nodes: [{ id: 'note' }],
    scripts: { 'Do note': [write('note.txt', 'zebra\n'), done('Wrote the zebra note.')] },
  });
  expect(team.start('--yes').result).toMatchObject({ status: 'completed' });
  const found = team.ask('search_history', { query: 'zebra note', cross_session: true });
  const byAuthor = new Map(found.entries.map((entry: { source: string }) => [entry.source, entry]));
  expect(byAuthor.get('orchestrator')).toMatchObject({
    title: 'Run completed: The whole of it',
    promoted: true,
  });
  expect(byAuthor.get('engineer')).toMatchObject({
    title: 'note: Do note',
    content: 'Wrote the zebra note.',
    promoted: true,
    refs: ['file:note.txt'],
  });
  expect(byAuthor.get('architect')).toMatchObject({ title: 'Plan: The whole of it', promoted: true });
}, 600_000);

test('tests that are missing are planned once everything is merged; approved ones are written and run before the end', () => {
  const twice = "exports.twice = (value) => require('./sum.js').sum(value, value);\n";
  const team = teamAt({
    files,
    nodes: [{ id: 'twice' }],
    scripts: {
      'Do twice': [write('twice.js', twice), done('Added twice.')],
      'Test twice': [
        write(
          'twice.test.js',
          "const { twice } = require('./twice.js');\nrequire('node:test')('doubles', () => require('assert').equal(twice(2), 4));\n",
        ),
        done('Tested twice.'),
      ],
    },
  });
  const architect = join(team.home, 'architect.json');
  const nodes = [{ id: 'tests', agent: 'tester', prompt: 'Test twice', touches: ['twice.test.js'] }];
  const steps = [{ text: JSON.stringify({ prompt: 'Tests', nodes }) }];
  writeFileSync(architect, JSON.stringify({ conversations: [{ when: '+exports.twice', steps }] }));
  const planned = team.start('--yes', '--architect', `script:${architect}`).result;
  expect(planned).toMatchObject({
    phase: 'test',
    nodes: [{ stage: 'done' }],
    needs_you: [{ id: 'revision 2', question: 'A plan of tests waits for you: tests' }],
  });
  const { result } = team.run('approve', planned.run);
  expect(result).toMatchObject({ status: 'completed', files: ['twice.js', 'twice.test.js'] });
  expect(result.nodes).toMatchObject([{ id: 'twice' }, { id: 'tests', agent: 'tester', stage: 'done' }]);
}, 600_000);

test('a run that waits and is ended for good leaves no tree, and keeps what lay in it', () => {
  const team = teamAt({
    files,
    nodes: [{ id: 'minus' }],
    scripts: {
      'Do minus': [
        write('minus.js', 'exports.minus = 1;\n'),
        call('request_help', { question: 'Which name?' }),
      ],
    },
  });
  const { git } = team.repository;
  const { run } = team.start('--yes').result;
  expect(git('worktree', 'list').split('\n')).toHaveLength(2);
  expect(team.run('stop', run, '--for-good').result).toMatchObject({ status: 'cancelled' });
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('show', `refs/sylk/${run}/minus/_left:minus.js`)).toContain('minus = 1');
}, 600_000);
