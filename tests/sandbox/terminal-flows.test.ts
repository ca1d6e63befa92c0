import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launcher } from '../support/program.ts';
import { call, done, edit, read, teamAt, write } from '../support/team.ts';
import { openTmux } from '../support/tmux.ts';

// Every flow of the team, by keys in a real terminal: real git, tools and judges; only the model is a script.

const files = {
  'sum.js': 'exports.sum = (left, right) => left + right;\n',
  'sum.test.js':
    "const { sum } = require('./sum.js');\nrequire('node:test')('adds', () => require('assert').equal(sum(1, 2), 3));\n",
  'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
};
const add = (name: string) => [read('sum.js'), write(`${name}.txt`, `${name}\n`), done(`Added ${name}.`)];
type Team = ReturnType<typeof teamAt>;
const most = 900_000;

/** A terminal of the team's repository, driven as a person does. */
async function openTerminal({ repository, home, flags }: Team) {
  const terminal = openTmux({
    cwd: repository.path,
    command: ['sh', launcher()],
    env: { SYLK_HOME: join(home, 'sylk') },
    columns: 110,
    rows: 45,
  });
  onTestFinished(() => {
    terminal.close();
  });
  const until = (wanted: string | RegExp) => terminal.until(wanted, 150);
  const say = (text: string) => {
    terminal.type(text);
    terminal.press('Enter');
  };
  await until('? keys · / commands');
  say(`/worker ${flags.at(-1)}`);
  await until('works in your runs.');
  return {
    ...terminal,
    until,
    say,
    /** Answers what waits for the person by its number on the page. */
    answer: async (question: string, number: number) => {
      await until(/needs you: \d/);
      terminal.press('C-n');
      // What the page showed may have been answered just before.
      await expect
        .poll(
          () => {
            if (terminal.screen().includes('more since')) terminal.type('n');
            return terminal.screen();
          },
          { timeout: 150_000, interval: 500 },
        )
        .toContain(question);
      terminal.type(String(number));
      terminal.press('Escape');
      await expect.poll(() => terminal.screen()).not.toContain('Esc closes');
    },
    kill: () => process.kill(terminal.program(), 'SIGKILL'),
  };
}
const runOf = ({ repository }: Team): string =>
  /refs\/sylk\/(run_\w+)/.exec(repository.git('for-each-ref', 'refs/sylk'))?.[1] ?? '';

test(
  'a rate limiter: what is asked becomes a plan, the plan is changed by words and approved, three layers are built, judged and summed up',
  async () => {
    const node = (id: string, after: string[] = []) => ({
      id,
      agent: 'engineer',
      prompt: `Do ${id}`,
      depends_on: after,
      touches: [`${id}.txt`],
    });
    const research = { id: 'patterns', agent: 'librarian', prompt: 'Where is sum defined?', depends_on: [] };
    const first = [research, node('limiter', ['patterns'])];
    const changed = [...first, node('guide', ['limiter'])];
    const team = teamAt({
      files,
      nodes: [{ id: 'unused' }],
      scripts: { 'Do limiter': add('limiter'), 'Do guide': add('guide') },
    });
    const architect = join(team.home, 'architect.json');
    const plan = (nodes: object[]) => [{ text: JSON.stringify({ prompt: 'Add a rate limiter', nodes }) }];
    writeFileSync(
      architect,
      JSON.stringify({
        conversations: [
          { when: 'What was done:', steps: [{ text: 'NONE' }] },
          { when: 'also write a guide', steps: plan(changed) },
          { when: 'What is wanted: Add a rate limiter', steps: plan(first) },
        ],
      }),
    );
    const terminal = await openTerminal(team);
    terminal.say('where is sum defined?');
    await terminal.until('[1] sum.js');
    terminal.say(`/run --architect script:${architect} Add a rate limiter`);
    await terminal.until('? limiter planned');
    terminal.say('also write a guide');
    await terminal.until('? guide planned');
    terminal.say('looks good');
    await terminal.until(/completed · 3\/3/);
    await terminal.until('limiter.txt');
    expect(team.repository.git('ls-tree', '--name-only', `refs/sylk/${runOf(team)}/_tip`)).toContain(
      'guide.txt',
    );
  },
  most,
);

test(
  'an inspector that finds the same three times asks; the person lets it pass by a key',
  async () => {
    const ugly = 'package numbers\n\nfunc  Ugly( ) int {\nreturn 1\n}\n';
    const tested =
      'package numbers\n\nimport "testing"\n\nfunc TestUgly(t *testing.T) {\n\tif Ugly() != 1 {\n\t\tt.Fatal()\n\t}\n}\n';
    const again = Array.from({ length: 3 }, () => [{ expect: 'gofmt', ...read('ugly.go') }, done('Fine.')]);
    const team = teamAt({
      files: { 'go.mod': 'module numbers\n\ngo 1.19\n', 'sum.go': 'package numbers\n' },
      nodes: [{ id: 'ugly' }],
      scripts: {
        'Do ugly': [write('ugly.go', ugly), write('ugly_test.go', tested), done(), ...again.flat()],
      },
    });
    const terminal = await openTerminal(team);
    terminal.say(`/run --from ${team.flags[1]} --loops 3 --yes`);
    await terminal.until('sent back 3 ×');
    await terminal.answer('1 ignore inspector', 1);
    // The same stands in everything together.
    await terminal.answer('2 ignore', 2);
    await terminal.until(/completed · 1\/1/);
    await terminal.until('inspector ignored');
  },
  most,
);

test(
  'everything together is red: a fix is planned, approved by keys, and passes',
  async () => {
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
    const terminal = await openTerminal(team);
    terminal.say(`/run --from ${team.flags[1]} --loops 0 --yes`);
    await terminal.answer('1 ignore tester', 1);
    await terminal.answer('1 fix', 1);
    await terminal.until('? fix-1 planned');
    terminal.say('looks good');
    await terminal.until('✓ fix-1 done');
    await terminal.until(/completed · 2\/2/);
  },
  most,
);

test(
  'an engineer whose context is full twice hands over, with a kill between; the next terminal goes on to the same files',
  async () => {
    const full = { usage: { input: 195_000, output: 10 } };
    const team = teamAt({ files, nodes: [{ id: 'big' }], scripts: { unused: [done()] } });
    const conversations = [
      { when: 'leg 2. Its files', steps: [write('three.txt', '3\n'), done('All three.')] },
      { when: 'leg 1. Its files', steps: [write('two.txt', '2\n'), { ...read('two.txt'), ...full }] },
      { when: 'Do big', steps: [write('one.txt', '1\n'), { ...read('one.txt'), ...full }] },
    ];
    writeFileSync(join(team.home, 'script.json'), JSON.stringify({ think_ms: 1500, conversations }));
    const terminal = await openTerminal(team);
    terminal.say(`/run --from ${team.flags[1]} --yes`);
    await terminal.until('leg 2');
    terminal.kill();
    await terminal.until('left with 137');
    const again = await openTerminal(team);
    again.say('/run resume');
    await again.until(/completed · 1\/1/);
    await again.until('one.txt, three.txt, two.txt');
  },
  most,
);

test(
  'two tabs change one line: the later one that lands shows the conflict, and nothing of either is lost',
  async () => {
    const to = (name: string) => [
      read('sum.js'),
      edit('sum.js', 'left + right;', `left + right; // ${name}`),
      done(),
    ];
    const nodes = [{ id: 'edit', touches: ['sum.js'] }];
    const team = teamAt({ files, nodes, scripts: { 'Do edit': to('ada') } });
    const { git } = team.repository;
    const terminal = await openTerminal(team);
    terminal.say(`/run --from ${team.flags[1]} --yes`);
    await terminal.until(/completed · 1\/1/);
    const ada = runOf(team);
    terminal.say('/new second');
    await terminal.until('2 second');
    team.writeScripts({ 'Do edit': to('bob') });
    terminal.say(`/run --from ${team.flags[1]} --yes`);
    await terminal.until(/(completed · 1\/1[\s\S]*){2}/);
    const tips = git('for-each-ref', '--format=%(refname)', 'refs/sylk').split('\n');
    const bob = tips
      .map((ref) => ref.split('/')[2] ?? '')
      .find((run) => run !== ada && run.startsWith('run_'));
    terminal.say(`/run land ${ada}`);
    const said = await terminal.until(/git merge --ff-only [0-9a-f]{7,}/);
    git('merge', '-q', '--ff-only', /--ff-only ([0-9a-f]+)/.exec(said)?.[1] ?? '');
    terminal.say(`/run land ${bob}`);
    await terminal.until('in the same lines of sum.js');
    expect(git('show', `refs/sylk/${bob}/_tip:sum.js`)).toContain('// bob');
    expect(git('show', 'main:sum.js')).toContain('// ada');
  },
  most,
);

test(
  'stop, add something, go on, all in plain words: what was done stays, what was added is approved first',
  async () => {
    const team = teamAt({
      files,
      nodes: [{ id: 'ada' }],
      scripts: { 'Do ada': add('ada'), 'also add zoe': add('zoe') },
    });
    slow(team);
    const terminal = await openTerminal(team);
    terminal.say(`/run --from ${team.flags[1]} --yes`);
    await terminal.until('● ada at work');
    terminal.say('stop');
    await terminal.until('· stopped ·');
    terminal.say('also add zoe');
    await terminal.until('change-1 planned');
    terminal.say('looks good');
    await terminal.until(/completed · 2\/2/);
    const tip = `refs/sylk/${runOf(team)}/_tip`;
    expect(team.repository.git('ls-tree', '--name-only', tip)).toMatch(/ada\.txt[\s\S]*zoe\.txt/);
  },
  most,
);

test(
  'paused in its second layer, another tab works meanwhile, and it goes on in another terminal',
  async () => {
    const nodes = [{ id: 'ada' }, { id: 'bob', depends_on: ['ada'] }];
    const team = teamAt({ files, nodes, scripts: { 'Do ada': add('ada'), 'Do bob': add('bob') } });
    slow(team);
    const terminal = await openTerminal(team);
    terminal.say(`/run --from ${team.flags[1]} --yes`);
    await terminal.until('● bob at work');
    terminal.press('C-r');
    await terminal.until('p pause');
    terminal.type('p');
    terminal.press('Escape');
    await terminal.until('· suspended ·');
    terminal.say('/new second');
    await terminal.until('2 second');
    terminal.say('where is sum defined?');
    await terminal.until('[1] sum.js');
    terminal.say('/quit');
    await terminal.until('left with 0');
    const elsewhere = await openTerminal(team);
    elsewhere.say(`/run resume ${runOf(team)}`);
    await elsewhere.until(/completed · 2\/2/);
  },
  most,
);

test(
  'a question of an engineer is answered in words; a budget that ends in the middle stops, and goes on once it is raised',
  async () => {
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
        'Do bob': [{ ...look, usage: { input: 55_000, output: 1_000 } }, ...rest],
      },
    });
    const terminal = await openTerminal(team);
    terminal.say(`/run --from ${team.flags[1]} --budget 0.2 --yes`);
    await terminal.until(/needs you: 1/);
    terminal.press('C-n');
    await terminal.until('Which name?');
    terminal.type('1');
    await expect.poll(() => terminal.screen()).not.toContain('Esc closes');
    terminal.say('Call it eve');
    await terminal.until(/needs you: 1[\s\S]*! bob needs you/);
    terminal.press('C-n');
    await terminal.until('The budget of the run');
    terminal.press('Escape');
    // The line below is there with the page, too; and letters right behind an Escape are another key.
    await expect.poll(() => terminal.screen()).not.toContain('Esc closes');
    terminal.say('raise 5');
    await terminal.until(/completed · 2\/2 · \$0\.\d+ of \$5\.00/);
  },
  most,
);

test(
  'a project without a linter: the choice is the person’s, and the next session knows it',
  async () => {
    const team = teamAt({
      files: { 'a.ts': 'export const a = 1;\n' },
      nodes: [{ id: 'x' }],
      scripts: { x: [done()] },
    });
    const terminal = await openTerminal(team);
    terminal.say('/tools --category linter');
    await terminal.until('oxlint');
    terminal.say('/tools choose linter biome --language typescript');
    await terminal.until('typescript linter: using biome from now on.');
    terminal.say('/quit');
    await terminal.until('left with 0');
    const next = await openTerminal(team);
    next.say('/new another');
    await next.until('2 another');
    next.say('/tools --category linter');
    await next.until('npx biome lint .');
  },
  most,
);

test(
  'what failed in one session warns the engineer of another',
  async () => {
    const team = teamAt({
      files,
      nodes: [{ id: 'dates', prompt: 'Parse dates; look up each mistake that was made' }],
      scripts: {
        'Parse dates': [
          call('check_mistakes', { approach: 'parse dates with a regular expression' }),
          { expect: 'Use Date.parse', ...write('dates.txt', 'Date.parse\n') },
          done('Warned in time.'),
        ],
      },
    });
    const terminal = await openTerminal(team);
    const mistake = {
      pattern: 'parse dates with a regular expression',
      error: 'leap days were refused',
      fix: 'Use Date.parse',
    };
    terminal.say(`/call report_mistake '${JSON.stringify(mistake)}'`);
    await terminal.until('"recorded": true');
    terminal.say('/new second');
    await terminal.until('2 second');
    terminal.say(`/run --from ${team.flags[1]} --yes`);
    await terminal.until(/completed · 1\/1/);
    terminal.press('C-r');
    await terminal.until('Enter into a node');
    terminal.press('Down', 'Enter');
    await terminal.until('1 steps');
    await expect
      .poll(
        () => {
          terminal.press('NPage');
          return terminal.screen();
        },
        { timeout: 60_000, interval: 300 },
      )
      .toContain('Use Date.parse');
  },
  most,
);

/** An engineer that thinks, so that a person can act meanwhile. */
function slow({ home }: Team): void {
  const file = join(home, 'script.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), think_ms: 2000 }));
}
