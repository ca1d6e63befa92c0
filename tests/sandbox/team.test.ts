import { expect, test } from 'vitest';
import { testRepository } from '../support/repository.ts';
import { done, edit, read, teamAt, write } from '../support/team.ts';

const files = {
  'sum.js': 'exports.sum = (left, right) => left + right;\n',
  'sum.test.js':
    "const { sum } = require('./sum.js');\nrequire('node:test')('adds', () => require('assert').equal(sum(1, 2), 3));\n",
  'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
};
const double = "const { sum } = require('./sum.js');\nexports.double = (value) => sum(value, value);\n";
const quadruple =
  "const { double } = require('./double.js');\nexports.quadruple = (value) => double(double(value));\n";
const testOf = (name: string, body: string) =>
  `const { ${name} } = require('./${name}.js');\nrequire('node:test')('${name}', () => require('assert').equal(${body}));\n`;

const nodes = [{ id: 'double' }, { id: 'quadruple', depends_on: ['double'] }];
const scripts = {
  'Do double': [
    write('double.js', double.replace('sum(value, value)', 'sum(value, 2)')),
    write('double.test.js', testOf('double', 'double(3), 6')),
    done('Added double.'),
    { expect: 'double', ...read('double.js') },
    edit('double.js', 'sum(value, 2)', 'sum(value, value)'),
    done('Added double.'),
  ],
  'Do quadruple': [
    read('double.js'),
    {
      expect: 'sum(value, value)',
      ...write('quadruple.js', quadruple),
    },
    write('quadruple.test.js', testOf('quadruple', 'quadruple(3), 12')),
    done('Added quadruple.'),
  ],
};

/** The tree that both nodes together make. */
function wanted(): string {
  const { git, commit } = testRepository();
  commit('all', {
    ...files,
    'double.js': double,
    'double.test.js': testOf('double', 'double(3), 6'),
    'quadruple.js': quadruple,
    'quadruple.test.js': testOf('quadruple', 'quadruple(3), 12'),
  });
  return git('rev-parse', 'HEAD^{tree}');
}

test('a plan of two nodes becomes one branch, each node on top of what it depends on, sent back while its tests are red', () => {
  const team = teamAt({ files, nodes, scripts });
  const before = team.checkout();
  const { code, err, lines, result } = team.start('--yes');
  expect(err).toBe('');
  expect(result).toMatchObject({ status: 'completed', needs_you: [], lost_lines: [] });
  expect(code).toBe(0);
  expect(result.files).toEqual(['double.js', 'double.test.js', 'quadruple.js', 'quadruple.test.js']);
  expect(result.nodes).toMatchObject([
    { id: 'double', stage: 'done', loops: { tester: 1 } },
    { id: 'quadruple', stage: 'done', loops: { inspector: 0, tester: 0, merge: 0 } },
  ]);
  const { git } = team.repository;
  expect(git('log', '--format=%s', `main..${result.branch}`).split('\n')).toEqual([
    'Do quadruple',
    'Do double',
  ]);
  expect(lines.filter(({ what }) => what === 'done').map(({ node }) => node)).toEqual([
    'double',
    'quadruple',
  ]);
  expect(team.checkout()).toEqual(before);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
}, 600_000);

test('what was red before a run began is said once, and counts against nobody', () => {
  const broken = { 'old.test.js': "require('node:test')('old', () => require('assert').equal(1, 2));\n" };
  const team = teamAt({ files: { ...files, ...broken }, nodes, scripts });
  const { code, lines } = team.start('--yes');
  expect(code).toBe(0);
  const said = lines.filter(({ text = '' }) =>
    text.startsWith('before this run, by the tester: red already'),
  );
  expect(said).toHaveLength(1);
}, 600_000);

test('a plan that nobody approved is not begun, and an approval of it begins it', () => {
  const team = teamAt({ files, nodes, scripts });
  const { code, result } = team.start();
  expect(result).toMatchObject({ status: 'proposed', needs_you: [{ id: 'revision 1' }] });
  expect(code).toBe(5);
  expect(team.run('approve', result.run, '--revision', '7').code).toBe(4);
  expect(team.run('approve', result.run).result).toMatchObject({ status: 'completed' });
}, 600_000);

const untilSaid = (child: ReturnType<ReturnType<typeof teamAt>['begin']>, wanted: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (piece) => {
      said += piece;
      if (wanted.test(said)) resolve(said);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before ${wanted}: ${said}`)));
  });

test.each([
  ['while the first node is at work', /"what":"calling","text":"double +write_file/],
  ['while the first node is tested', /"node":"double"[^}]*"what":"testing"/],
  ['while the second node is at work', /"node":"quadruple"[^}]*"what":"calling"/],
  ['while everything is judged', /inspecting it as a whole/],
])(
  'a run that is killed %s goes on to the same tree, and nothing that was finished is done again',
  async (_, moment) => {
    const team = teamAt({ files, nodes, scripts });
    const before = team.checkout();
    const child = team.begin();
    const said = await untilSaid(child, moment);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    process.kill(child.pid ?? 0, 'SIGKILL');
    await ended;
    const run = /run_\w+/.exec(said)?.[0] ?? '';
    const { code, result } = team.run('resume', run);
    expect(result).toMatchObject({ status: 'completed', run });
    expect(code).toBe(0);
    const { git } = team.repository;
    expect(git('rev-parse', `${result.branch}^{tree}`)).toBe(wanted());
    expect(git('log', '--format=%s', `main..${result.branch}`).split('\n')).toEqual([
      'Do quadruple',
      'Do double',
    ]);
    expect(team.checkout()).toEqual(before);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  },
  600_000,
);

test('an interrupt ends the command with 130, and the run goes on later', async () => {
  const team = teamAt({ files, nodes, scripts });
  const child = team.begin();
  const said = await untilSaid(child, /"node":"quadruple"[^}]*"what":"calling"/);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(child.pid ?? 0, 'SIGINT');
  expect(await ended).toBe(130);
  const { code, result } = team.run('resume', /run_\w+/.exec(said)?.[0] ?? '');
  expect(result).toMatchObject({ status: 'completed' });
  expect(code).toBe(0);
}, 600_000);
