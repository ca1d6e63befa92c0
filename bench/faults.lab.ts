import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomNumbers } from './random.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * `npm run lab -- faults [--minutes N] [--seed N]`: a run of four nodes is killed (kill -9) after each of its lines in turn, and between
 * them at random moments, then resumed. Afterwards: the tree of a run that nobody killed, no node merged twice, no tree left over, the
 * checkout as it was. Prints tokens that were paid twice.
 */
export default async function run({ minutes, seed = '1' }: BenchOptions): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const random = randomNumbers(Number(seed));
  const whole = await play(undefined);
  const lines = whole.said.length;
  console.log(`not killed: ${lines} lines, ${whole.tokens} tokens, ${whole.seconds.toFixed(1)} s`);
  const broken: string[] = [];
  let [kills, repeated] = [0, 0];
  for (let at = 1; at < lines && performance.now() < deadline; at++) {
    const late = at % 2 === 0 ? Math.floor(random() * 1500) : 0;
    const killed = await play({ after: at, late });
    kills += 1;
    repeated += Math.max(0, killed.tokens - whole.tokens);
    const wrong = differences(whole, killed);
    if (wrong.length > 0)
      broken.push(`after line ${at} and ${late} ms (${killed.said[at - 1]}): ${wrong.join('; ')}`);
    if (wrong.length > 0) console.log(broken.at(-1));
  }
  const share = kills === 0 ? 0 : (100 * repeated) / (kills * whole.tokens);
  console.log(
    `${kills} kills of ${lines - 1} lines: ${broken.length} ended otherwise; ${repeated} tokens paid twice, ${share.toFixed(2)} % of ${kills} runs`,
  );
  if (broken.length > 0) process.exitCode = 1;
}

interface Played {
  said: string[];
  status: string;
  tree: string;
  subjects: string[];
  worktrees: number;
  checkout: string;
  tokens: number;
  seconds: number;
}

const differences = (whole: Played, killed: Played): string[] =>
  (['status', 'tree', 'worktrees', 'checkout'] as const)
    .filter((name) => whole[name] !== killed[name])
    .map((name) => `${name} is ${killed[name]}, not ${whole[name]}`)
    .concat(
      new Set(killed.subjects).size === whole.subjects.length &&
        killed.subjects.length === whole.subjects.length
        ? []
        : [`commits ${killed.subjects.join(', ')}`],
    );

const launcher = join(import.meta.dirname, '../bin/sylk');

async function play(kill: { after: number; late: number } | undefined): Promise<Played> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-faults-'));
  try {
    const { path, flags, env } = setUp(place);
    const started = performance.now();
    const child = spawn('sh', [launcher, 'run', ...flags, '--yes', '--json'], { cwd: path, env });
    const said = await listen(child, kill);
    const last = kill
      ? spawnSync('sh', [launcher, 'run', 'resume', '--json'], {
          cwd: path,
          env,
          encoding: 'utf8',
          timeout: 300_000,
        }).stdout
      : said.join('\n');
    const line = last.split('\n').findLast((each) => each.includes('"type":"result"')) ?? '{"output":{}}';
    const { status = 'none', commit, tokens } = JSON.parse(line).output;
    const git = (...args: string[]) => spawnSync('git', args, { cwd: path, encoding: 'utf8' }).stdout.trim();
    return {
      said,
      status,
      tree: commit ? git('rev-parse', `${commit}^{tree}`) : 'none',
      subjects: commit ? git('log', '--format=%s', `main..${commit}`).split('\n') : [],
      worktrees: git('worktree', 'list').split('\n').length,
      checkout: git('status', '--porcelain') + git('symbolic-ref', 'HEAD'),
      tokens: (tokens?.input ?? 0) + (tokens?.output ?? 0),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What it said until it ended, or was killed. */
function listen(child: ChildProcess, kill: { after: number; late: number } | undefined): Promise<string[]> {
  return new Promise((resolve) => {
    let text = '';
    let isTold = false;
    child.stdout?.on('data', (piece) => {
      text += piece;
      if (!kill || isTold || text.split('\n').length <= kill.after) return;
      isTold = true;
      setTimeout(() => child.kill('SIGKILL'), kill.late);
    });
    child.once('exit', () => resolve(text.split('\n').filter(Boolean)));
  });
}

function setUp(place: string) {
  const [path, plan, script] = ['repository', 'plan.json', 'script.json'].map((name) =>
    join(place, name),
  ) as [string, string, string];
  mkdirSync(path);
  const files = {
    'sum.js': 'exports.sum = (left, right) => left + right;\n',
    'sum.test.js': testOf('sum', 'sum(1, 2), 3'),
    'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=lab', '-c', 'user.email=lab@example.org', ...args], { cwd: path });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const call = (name: string, input: object) => ({ calls: [{ name, input }] });
  const write = (file: string, content: string) => call('write_file', { path: file, content });
  const function_ = (name: string, body: string) =>
    `const { sum } = require('./sum.js');\nexports.${name} = (value) => ${body};\n`;
  const nodes = [
    {
      id: 'double',
      body: 'sum(value, value)',
      wrong: 'sum(value, 2)',
      expected: 'double(3), 6',
      depends_on: [],
    },
    { id: 'next', body: 'sum(value, 1)', wrong: 'sum(value, 1)', expected: 'next(3), 4', depends_on: [] },
    {
      id: 'same',
      body: 'sum(value, 0)',
      wrong: 'sum(value, 0)',
      expected: 'same(3), 3',
      depends_on: ['double'],
    },
    {
      id: 'last',
      body: 'sum(value, -1)',
      wrong: 'sum(value, -1)',
      expected: 'last(3), 2',
      depends_on: ['same', 'next'],
    },
  ];
  const spec = nodes.map(({ id, depends_on }) => ({
    id,
    agent: 'engineer',
    prompt: `Write ${id}`,
    depends_on,
  }));
  writeFileSync(plan, JSON.stringify({ prompt: 'Numbers', nodes: spec }));
  const conversations = nodes.map(({ id, body, wrong, expected }) => ({
    when: `# Task\nWrite ${id}`,
    steps: [
      write(`${id}.js`, function_(id, wrong)),
      write(`${id}.test.js`, testOf(id, expected)),
      call('signal_complete', { result: `Wrote ${id}.` }),
      call('read_file', { path: `${id}.js` }),
      write(`${id}.js`, function_(id, body)),
      call('signal_complete', { result: `Wrote ${id}.` }),
    ],
  }));
  writeFileSync(script, JSON.stringify({ price: { input: 3, output: 15 }, conversations }));
  const env = { ...process.env, SYLK_HOME: join(place, 'home') };
  return { path, env, flags: ['--from', plan, '--model', `script:${script}`] };
}

function testOf(name: string, expected: string): string {
  return `const { ${name} } = require('./${name}.js');\nrequire('node:test')('${name}', () => require('assert').equal(${expected}));\n`;
}
