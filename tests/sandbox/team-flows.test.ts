import { expect, test } from 'vitest';
import { call, done, edit, read, teamAt, write } from '../support/team.ts';

const files = {
  'sum.js': 'exports.sum = (left, right) => left + right;\n',
  'sum.test.js':
    "const { sum } = require('./sum.js');\nrequire('node:test')('adds', () => require('assert').equal(sum(1, 2), 3));\n",
  'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
};
const add = (name: string) => [read('sum.js'), write(`${name}.txt`, `${name}\n`), done(`Added ${name}.`)];
type Team = ReturnType<typeof teamAt>;

/** The real program, as far as a line that says what is wanted, and then what `act` does. */
async function until(team: Team, wanted: RegExp, act: (run: string) => unknown): Promise<string> {
  const child = team.begin();
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      said += piece;
      if (wanted.test(said)) resolve();
    });
    child.once('exit', () => reject(new Error(`ended before ${wanted}: ${said}`)));
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const run = /run_\w+/.exec(said)?.[0] ?? '';
  act(run);
  expect(await ended).toBe(5);
  return run;
}

test('an inspector that finds the same three times asks the person, whose word lets it pass and is listed', () => {
  const ugly = 'package numbers\n\nfunc  Ugly( ) int {\nreturn 1\n}\n';
  const team = teamAt({
    files: { 'go.mod': 'module numbers\n\ngo 1.19\n', 'sum.go': 'package numbers\n' },
    nodes: [{ id: 'ugly' }],
    scripts: {
      'Do ugly': [
        write('ugly.go', ugly),
        write(
          'ugly_test.go',
          'package numbers\n\nimport "testing"\n\nfunc TestUgly(t *testing.T) {\n\tif Ugly() != 1 {\n\t\tt.Fatal()\n\t}\n}\n',
        ),
        done(),
        ...Array.from({ length: 3 }, () => [
          { expect: 'gofmt', ...read('ugly.go') },
          done('It is fine.'),
        ]).flat(),
      ],
    },
  });
  const asked = team.start('--yes', '--loops', '3').result;
  expect(asked.nodes).toMatchObject([{ loops: { inspector: 3 } }]);
  expect(asked.needs_you).toMatchObject([{ node: 'ugly', options: ['ignore_inspector', 'retry', 'fail'] }]);
  const { result } = team.run('answer', asked.run, 'ignore_inspector');
  expect(result.deferred).toEqual(expect.arrayContaining([expect.stringContaining('inspector ignored')]));
  expect(result.nodes).toMatchObject([{ stage: 'done' }]);
}, 900_000);

test('two runs of one line: the later one that lands shows the conflict, and nothing of either is lost', () => {
  const to = (name: string) => [
    read('sum.js'),
    edit('sum.js', 'left + right;', `left + right; // ${name}`),
    done(),
  ];
  const team = teamAt({ files, nodes: [{ id: 'edit' }], scripts: { 'Do edit': to('ada') } });
  const ada = team.start('--yes').result;
  team.writeScripts({ 'Do edit': to('bob') });
  const bob = team.start('--yes').result;
  const { git } = team.repository;
  const landed = team.run('land', ada.run).result;
  git('merge', '-q', '--ff-only', landed.landed);
  const head = git('rev-parse', 'main');
  const { code, result } = team.run('land', bob.run);
  expect(code).toBe(1);
  expect(result.problem).toContain('in the same lines of sum.js');
  expect(git('rev-parse', 'main')).toBe(head);
  expect(git('show', `${bob.branch}:sum.js`)).toContain('// bob');
  expect(git('show', 'main:sum.js')).toContain('// ada');
}, 900_000);

test('stop, add something, go on: what was done stays, and what was added waits for an approval', async () => {
  // Nobody sits at a terminal here, so that the words are not taken for a person's.
  const said = 'Said by "command line", not by the person: Also add zoe';
  const scripts = { 'Do ada': add('ada'), [said]: add('zoe') };
  const team = teamAt({ files, nodes: [{ id: 'ada' }], scripts });
  const run = await until(team, /"what":"calling","text":"ada +read_file/, (id) => team.run('stop', id));
  expect(team.run('message', run, 'Also', 'add', 'zoe').code).toBe(0);
  const changed = team.run('resume', run).result;
  expect(changed.needs_you).toMatchObject([
    { id: 'revision 2', question: expect.stringContaining('change-1') },
  ]);
  const { result } = team.run('approve', run);
  expect(result).toMatchObject({ status: 'completed', files: ['ada.txt', 'zoe.txt'] });
}, 900_000);

test('a run that is paused in its second layer goes on after another one, in another process, to the same tree', async () => {
  const nodes = [{ id: 'ada' }, { id: 'bob', depends_on: ['ada'] }];
  const scripts = { 'Do ada': add('ada'), 'Do bob': add('bob') };
  const team = teamAt({ files, nodes, scripts });
  const run = await until(team, /"what":"calling","text":"bob +read_file/, (id) => team.run('pause', id));
  expect(team.run('show', run).result).toMatchObject({ status: 'suspended', nodes: [{ stage: 'done' }, {}] });
  const other = team.start('--yes').result;
  const { result } = team.run('resume', run);
  const { git } = team.repository;
  expect([result.status, git('rev-parse', `${result.commit}^{tree}`)]).toEqual([
    'completed',
    git('rev-parse', `${other.commit}^{tree}`),
  ]);
  expect(result.nodes).toMatchObject([{ legs: 1 }, { stage: 'done' }]);
}, 900_000);

test('a question of an engineer reaches the person and its answer the engineer; a budget that ends in the middle stops the run, which goes on once it is raised', () => {
  const [look, ...rest] = add('bob');
  const team = teamAt({
    files,
    nodes: [{ id: 'ada' }, { id: 'bob', depends_on: ['ada'] }],
    scripts: {
      'Do ada': [
        call('request_help', { question: 'Which name?' }),
        { expect: 'Call it eve', ...write('eve.txt', 'eve\n') },
        done(),
      ],
      // $0.18 of the $0.20: the next call, with 55,000 tokens that were said before it, can not be paid.
      'Do bob': [{ ...look, usage: { input: 55_000, output: 1_000 } }, ...rest],
    },
  });
  const asked = team.start('--yes', '--budget', '0.2');
  expect(asked).toMatchObject({ code: 5, result: { needs_you: [{ node: 'ada', question: 'Which name?' }] } });
  const { run } = asked.result;
  const spent = team.run('answer', run, 'Call', 'it', 'eve');
  const needs_you = [{ node: 'bob', question: expect.stringContaining('The budget of the run') }];
  expect(spent).toMatchObject({ code: 5, result: { needs_you, nodes: [{ stage: 'done' }, {}] } });
  expect(spent.result.cost).toBeGreaterThan(0.18);
  expect(spent.result.cost).toBeLessThanOrEqual(0.2);
  // Nothing is spent before somebody has answered.
  expect(team.run('resume', run)).toMatchObject({ code: 5, result: { needs_you, cost: spent.result.cost } });
  const { result } = team.run('answer', run, 'raise', '5');
  expect(result).toMatchObject({ status: 'completed', budget: 5, files: ['bob.txt', 'eve.txt'] });
  expect(result.nodes).toMatchObject([{ legs: 2 }, { legs: 2 }]);
}, 900_000);
