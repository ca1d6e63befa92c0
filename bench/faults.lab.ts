import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomNumbers } from './random.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * `npm run lab -- faults [boundaries|moments] [--from FILE] [--minutes N] [--cases KILLS] [--seed N]`: a run of twelve nodes whose process is
 * killed (kill -9) again and again and resumed each time: `boundaries` at the first event of each process, so that every process finishes one
 * command; `moments` at random times, until there were as many kills as `--cases` says. Afterwards: the tree of a run that nobody killed, one commit for
 * each node, no tree and no process left over, the checkout as it was. Prints tokens that were paid twice. `--from` keeps runs that ended, so that a
 * later take goes on.
 */
export default async function run(options: BenchOptions): Promise<void> {
  const { minutes, seed = '1', cases = '200', words, from } = options;
  const deadline = performance.now() + minutes * 60_000;
  const [journal = join(mkdtempSync(join(tmpdir(), 'sylk-faults-')), 'faults.jsonl')] = from;
  const played = (): Played[] =>
    existsSync(journal)
      ? readFileSync(journal, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  const record = async (how: How, number: number) => {
    const one = await play(how, randomNumbers(Number(seed) + number), deadline);
    if (!one) return;
    appendFileSync(journal, `${JSON.stringify(one)}\n`);
    console.log(`${how}: ${one.kills} kills, ${one.status}, ${one.seconds.toFixed(0)} s`);
  };
  const killsOf = (how: How) => played().reduce((sum, one) => sum + (one.how === how ? one.kills : 0), 0);
  if (!played().some(({ how }) => how === 'whole')) await record('whole', 0);
  if (words[0] !== 'moments' && killsOf('boundaries') === 0) await record('boundaries', 0);
  while (words[0] !== 'boundaries' && killsOf('moments') < Number(cases) && performance.now() < deadline)
    await record('moments', killsOf('moments'));
  report(played());
}

type How = 'whole' | 'boundaries' | 'moments';

interface Played {
  how: How;
  kills: number;
  status: string;
  tree: string;
  subjects: string[];
  worktrees: number;
  processes: number;
  checkout: string;
  tokens: number;
  seconds: number;
}

function report(all: Played[]): void {
  const whole = all.find(({ how }) => how === 'whole');
  if (!whole) return;
  console.log(
    `not killed: ${whole.subjects.length} nodes, ${whole.tokens} tokens, ${whole.seconds.toFixed(0)} s`,
  );
  for (const how of ['boundaries', 'moments'] as const) {
    const runs = all.filter((one) => one.how === how);
    const kills = runs.reduce((sum, one) => sum + one.kills, 0);
    const wrong = runs.map((one) => differences(whole, one)).filter((each) => each.length > 0);
    const repeated = runs.reduce((sum, one) => sum + one.tokens - whole.tokens, 0);
    console.log(
      `${how}: ${runs.length} runs, ${kills} kills: ${wrong.length} ended otherwise; ${repeated} tokens paid twice, ${kills === 0 ? '0' : ((100 * repeated) / (runs.length * whole.tokens)).toFixed(2)} % of those of the runs`,
    );
    for (const each of wrong) console.log(`  ${each.join('; ')}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
}

const differences = (whole: Played, killed: Played): string[] =>
  (['status', 'tree', 'worktrees', 'processes', 'checkout'] as const)
    .filter((name) => whole[name] !== killed[name])
    .map((name) => `${name} is ${killed[name]}, not ${whole[name]}`)
    .concat(
      killed.subjects.toSorted().join() === whole.subjects.toSorted().join()
        ? []
        : [`commits ${killed.subjects.join(', ')}`],
    );

const launcher = join(import.meta.dirname, '../bin/sylk');

/** Undefined where the time was over before the run was. */
async function play(how: How, random: () => number, deadline: number): Promise<Played | undefined> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-faults-'));
  try {
    const { path, flags, env } = setUp(place);
    const started = performance.now();
    const git = (...args: string[]) => spawnSync('git', args, { cwd: path, encoding: 'utf8' }).stdout.trim();
    let kills = 0;
    let said: string[] = [];
    for (let isOver = false; !isOver; ) {
      if (performance.now() > deadline && how !== 'whole') return undefined;
      // One that was killed before it began is begun again.
      const isBegun = git('for-each-ref', 'refs/sylk') !== '';
      const args = isBegun ? ['run', 'resume', '--json'] : ['run', ...flags, '--yes', '--json'];
      const child = spawn('sh', [launcher, ...args], { cwd: path, env });
      // Later and later, so that a slow machine gets on.
      const after = how === 'moments' ? 1000 + random() * (6000 + kills * 200) : undefined;
      const ending = await listen(child, { how, after });
      said = ending.said;
      isOver = !ending.isKilled || said.some(isResult);
      if (!isOver) kills += 1;
    }
    const { status = 'none', commit, tokens } = JSON.parse(said.findLast(isResult) ?? '{"output":{}}').output;
    return {
      how,
      kills,
      status,
      tree: commit ? git('rev-parse', `${commit}^{tree}`) : 'none',
      subjects: commit ? git('log', '--format=%s', `main..${commit}`).split('\n') : [],
      worktrees: git('worktree', 'list').split('\n').length,
      processes: processesOf(place),
      checkout: git('status', '--porcelain') + git('symbolic-ref', 'HEAD'),
      tokens: (tokens?.input ?? 0) + (tokens?.output ?? 0),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const isResult = (line: string) => line.includes('"type":"result"');
/** A line of an event, and not of a step of an agent. */
const isOfEvent = (line: string) =>
  line.includes('"type":"run"') && !/"what":"(?:calling|said|result|note|checkpoint)"/.test(line);

/** Processes that have the place of this run in their environment. */
const processesOf = (place: string): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(place);
    } catch {
      return false; // It has ended, or is somebody else's.
    }
  }).length;

/** What it said until it ended, or was killed: after a time, or at the first event. */
function listen(
  child: ChildProcess,
  { how, after }: { how: How; after: number | undefined },
): Promise<{ said: string[]; isKilled: boolean }> {
  return new Promise((resolve) => {
    let text = '';
    let isKilled = false;
    const kill = () => {
      isKilled = child.kill('SIGKILL');
    };
    const timer = after === undefined ? undefined : setTimeout(kill, after);
    child.stdout?.on('data', (piece) => {
      text += piece;
      if (how === 'boundaries' && !isKilled && text.split('\n').slice(0, -1).some(isOfEvent)) kill();
    });
    child.once('close', () => {
      clearTimeout(timer);
      resolve({ said: text.split('\n').filter(Boolean), isKilled });
    });
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
  // Four layers of three; the first of each layer is wrong at first and is sent back.
  const nodes = Array.from({ length: 12 }, (_, at) => {
    const id = `plus${String.fromCharCode(65 + at)}`;
    const body = `sum(value, ${at})`;
    const depends_on = at < 3 ? [] : [`plus${String.fromCharCode(62 + at)}`];
    return {
      id,
      body,
      wrong: at % 3 === 0 ? 'sum(value, 100)' : body,
      expected: `${id}(3), ${3 + at}`,
      depends_on,
    };
  });
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
