import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSite } from '../support/local-site.ts';
import { done, edit, read, teamAt, write } from '../support/team.ts';

const testOf = (name: string, of: string, expected: string) =>
  `const all = require('./${of}.js');\nrequire('node:test')('${name}', () => require('assert').equal(all.${expected}));\n`;
const files = {
  'sum.js': 'exports.sum = (left, right) => left + right;\n',
  'sum.test.js': testOf('adds', 'sum', 'sum(1, 2), 3'),
  'list.js': 'exports.names = [\n  "one",\n];\n',
  'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
};

test('a merge that is clean as text and red as a program is caught before it counts, and the later node mends it', () => {
  const mend = [
    { expect: 'not as a program', ...read('user.js') },
    edit('user.js', '{ sum }', '{ add: sum }'),
    done('Uses the new name.'),
  ];
  const team = teamAt({
    files,
    nodes: [{ id: 'rename' }, { id: 'user' }],
    scripts: {
      'Do rename': [
        read('sum.js'),
        edit('sum.js', 'exports.sum', 'exports.add'),
        read('sum.test.js'),
        edit('sum.test.js', 'all.sum(', 'all.add('),
        done('Renamed.'),
        ...mend,
      ],
      'Do user': [
        write('user.js', "const { sum } = require('./sum.js');\nexports.total = () => sum(3, 4);\n"),
        write('user.test.js', testOf('totals', 'user', 'total(), 7')),
        done('Added a user.'),
        ...mend,
      ],
    },
  });
  const asked = team.start('--yes').result;
  // The rename changes a line of an existing test: a person approves that.
  expect(asked.needs_you).toMatchObject([{ node: 'rename', options: ['approve', 'send_back', 'fail'] }]);
  const { result } = team.run('answer', asked.run, 'approve');
  expect(result).toMatchObject({ status: 'completed', needs_you: [] });
  const loops = result.nodes.map(({ loops }: { loops: { merge: number } }) => loops.merge);
  expect(loops.toSorted()).toEqual([0, 1]);
  const { git } = team.repository;
  expect(git('show', `${result.branch}:user.js`)).toContain('{ add: sum }');
  expect(git('rev-list', '--count', '--merges', `main..${result.branch}`)).toBe('0');
}, 600_000);

test('a conflict goes back to the later node with both sides, and a line that it leaves out is named', () => {
  const add = (name: string) => [
    read('list.js'),
    edit('list.js', '  "one",\n', `  "one",\n  "${name} is here",\n`),
    done(`Added ${name}.`),
    { expect: '<<<<<<<', ...read('list.js') },
    write('list.js', `exports.names = [\n  "one",\n  "${name} is here",\n];\n`),
    done(`Kept ${name} only.`),
  ];
  const team = teamAt({
    files,
    nodes: [{ id: 'ada' }, { id: 'bob' }],
    scripts: { 'Do ada': add('ada'), 'Do bob': add('bob') },
  });
  const { result } = team.start('--yes');
  expect(result).toMatchObject({ status: 'completed' });
  const later = result.nodes.find(({ loops }: { loops: { merge: number } }) => loops.merge === 1);
  const earlier = later.id === 'ada' ? 'bob' : 'ada';
  expect(team.repository.git('show', `${result.branch}:list.js`)).toContain(`${later.id} is here`);
  expect(result.lost_lines).toEqual([`list.js: a line of others is not in the merge: "${earlier} is here",`]);
}, 600_000);

test('a merged node that is dropped is taken out again, and what was merged after it stays', () => {
  const team = teamAt({
    files,
    nodes: [{ id: 'ada' }, { id: 'bob', depends_on: ['ada'] }],
    scripts: {
      'Do ada': [write('ada.txt', 'Ada\n'), done()],
      'Do bob': [write('bob.txt', 'Bob\n'), done()],
    },
  });
  const { run } = team.start('--yes').result;
  team.run('drop', run, 'ada');
  const { result } = team.run('resume', run);
  expect(result).toMatchObject({ status: 'completed', files: ['bob.txt'] });
  expect(result.nodes).toMatchObject([{ stage: 'dropped' }, { stage: 'done' }]);
}, 600_000);

test('landing judges the run together with the branch as it is then, and moves no branch that is checked out', () => {
  const team = teamAt({
    files,
    nodes: [{ id: 'rename' }],
    scripts: {
      'Do rename': [
        read('sum.js'),
        edit('sum.js', 'exports.sum =', 'exports.add = exports.plus ='),
        read('sum.test.js'),
        edit('sum.test.js', 'all.sum(', 'all.add('),
        done(),
      ],
    },
  });
  const asked = team.start('--yes').result;
  const { run, branch } = team.run('answer', asked.run, 'approve').result;
  const { repository } = team;
  const head = repository.git('rev-parse', 'main');
  const { git } = repository;
  const own = git('rev-parse', branch);
  // Another branch with a commit of its own, which is not to come along to main.
  const foreign = git('commit-tree', `${head}^{tree}`, '-p', head, '-m', 'foreign');
  git('branch', 'other', foreign);
  const landed = team.run('land', run, 'other');
  expect(landed.code).toBe(0);
  expect(landed.result.command).toBeUndefined();
  expect(git('log', '--format=%P', '-1', 'other')).toBe(`${foreign} ${own}`);
  expect(git('rev-parse', branch)).toBe(own);
  const ready = team.run('land', run);
  expect(ready.result).toMatchObject({ landed: own, command: `git merge --ff-only ${own}` });
  expect(team.run('show', run, '--story').result.story.at(-1)).toContain('is yours to move');
  expect(repository.git('rev-parse', 'main')).toBe(head);
  // Meanwhile the person uses what the run renames.
  repository.commit('mine', {
    'mine.js': "const { sum } = require('./sum.js');\nexports.four = () => sum(2, 2);\n",
    'mine.test.js': testOf('four', 'mine', 'four(), 4'),
  });
  const before = team.checkout();
  const red = team.run('land', run);
  expect(red.code).toBe(1);
  expect(red.result.problem).toContain('four');
  expect(team.checkout()).toEqual(before);
}, 600_000);

test('the person goes on working in the own checkout: it is said once, and the run goes on from where it began', async () => {
  const add = (name: string) => [read('sum.js'), write(`${name}.txt`, `${name}\n`), done()];
  const team = teamAt({
    files,
    nodes: [{ id: 'ada' }, { id: 'bob', depends_on: ['ada'] }],
    scripts: { 'Do ada': add('ada'), 'Do bob': add('bob') },
  });
  const { repository } = team;
  const notices: string[] = [];
  const site = await startSite((request, response) => {
    request.on('data', (piece) => notices.push(String(piece)));
    request.on('end', () => response.end());
  });
  onTestFinished(site.close);
  mkdirSync(join(team.home, 'sylk'), { recursive: true });
  writeFileSync(join(team.home, 'sylk', 'config.yaml'), JSON.stringify({ agents: { notify: site.url } }));
  const child = team.begin();
  let said = '';
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (piece) => {
      said += piece;
      if (/read_file/.test(said)) resolve();
    }),
  );
  repository.write('sum.js', 'exports.sum = 1;\n');
  repository.git('checkout', '-q', '-b', 'elsewhere');
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  // Who is away from the terminal is told of the end.
  expect(notices.map((text) => JSON.parse(text))).toMatchObject([
    { title: 'Sylk has ended: The whole of it', text: 'The run is completed.', status: 'completed' },
  ]);
  expect(said.split('Your own checkout changed')).toHaveLength(2);
  expect(said).toContain('Your own checkout changed: the branch, sum.js');
  const run = /run_\w+/.exec(said)?.[0] ?? '';
  expect(team.run('show', run).result).toMatchObject({ status: 'completed', files: ['ada.txt', 'bob.txt'] });
  expect(repository.git('status', '--porcelain')).toBe(' M sum.js');
}, 600_000);

test('an agent without a sandbox that writes to the checkout of the person stops the run, which says what it was', () => {
  const team = teamAt({ files, nodes: [{ id: 'ada' }], scripts: {} });
  const { path } = team.repository;
  const script = { prompts: [[{ run: `echo mine > ${path}/ada.txt` }, { say: 'Done.' }]] };
  const program = join(import.meta.dirname, '../support/scripted-agent.ts');
  const command = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    program,
    JSON.stringify(script),
  ];
  mkdirSync(join(team.home, 'sylk'), { recursive: true });
  writeFileSync(
    join(team.home, 'sylk', 'config.yaml'),
    JSON.stringify({ agents: { unconfined: true, external: { mine: { command } } } }),
  );
  const { code, result } = team.start('--yes', '--agent', 'mine');
  expect(result).toMatchObject({
    status: 'stopped',
    error: expect.stringContaining(
      'Your own checkout changed while ada worked without a sandbox: ada.txt. If that was you, resume',
    ),
  });
  expect(code).toBe(5);
}, 600_000);
