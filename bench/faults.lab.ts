import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { launcher } from '../tests/support/program.ts';
import { setUp } from './faults/set-up.ts';
import { openJournal } from './journal.ts';
import { randomNumbers } from './random.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * `npm run lab -- faults [boundaries|moments] [--journal DIRECTORY] [--minutes N] [--cases KILLS] [--commands NODES] [--seed N]`: a run of twelve nodes whose process
 * is killed (kill -9) again and again and resumed each time: `boundaries` at the first event of each process, so that every process finishes one
 * command; `moments` at random times, until there were as many kills as `--cases` says. Afterwards: the tree of a run that nobody killed, one commit
 * and one closed task for each node, every call of an agent answered once, one entry in the memory, no tree and no process left over, the checkout as it was.
 * Prints what was paid for twice. The journal keeps runs that ended, so that a later take goes on.
 */
export default async function run(options: BenchOptions): Promise<void> {
  const { minutes, seed = '1', cases = '200', commands = '12', words } = options;
  const deadline = performance.now() + minutes * 60_000;
  const directory = options.journal ?? mkdtempSync(join(tmpdir(), 'sylk-faults-'));
  const journal = openJournal<Played>(join(directory, 'faults.jsonl'));
  const record = async (how: How, number: number) => {
    const one = await play(how, {
      random: randomNumbers(Number(seed) + number),
      nodes: Number(commands),
      deadline,
    });
    if (!one) return;
    journal.add(one);
    console.log(`${how}: ${one.kills} kills, ${one.status}, ${one.seconds.toFixed(0)} s`);
  };
  const killsOf = (how: How) =>
    journal.lines.reduce((sum, one) => sum + (one.how === how ? one.kills : 0), 0);
  if (!journal.lines.some(({ how }) => how === 'whole')) await record('whole', 0);
  if (words[0] !== 'moments' && killsOf('boundaries') === 0) await record('boundaries', 0);
  while (words[0] !== 'boundaries' && killsOf('moments') < Number(cases) && performance.now() < deadline)
    await record('moments', killsOf('moments'));
  report(journal.lines);
}

type How = 'whole' | 'boundaries' | 'moments';

interface Played {
  how: How;
  kills: number;
  status: string;
  tree: string;
  subjects: string[];
  /** What agents were told and did, in order, by node: a step that was done twice, or not at all, is seen here. */
  steps: Record<string, string>;
  /** Calls whose result came from a second try. */
  repeated: number;
  entries: number;
  tasks: number;
  worktrees: number;
  processes: string;
  checkout: string;
  events: number;
  /** Tokens and calls that the ledger has counted, those without an answer too. */
  tokens: number;
  calls: number;
  seconds: number;
}

function report(all: Played[]): void {
  const whole = all.find(({ how }) => how === 'whole');
  if (!whole) return;
  console.log(
    `not killed: ${whole.subjects.length} nodes, ${whole.events} events, ${whole.calls} calls, ${whole.tokens} tokens, ${whole.seconds.toFixed(0)} s`,
  );
  for (const how of ['boundaries', 'moments'] as const) {
    const runs = all.filter((one) => one.how === how);
    const sum = (of: (one: Played) => number) => runs.reduce((total, one) => total + of(one), 0);
    const wrong = runs.map((one) => differences(whole, one)).filter((each) => each.length > 0);
    const twice = sum(({ tokens }) => tokens - whole.tokens);
    const share = runs.length === 0 ? 0 : (100 * twice) / (runs.length * whole.tokens);
    console.log(
      `${how}: ${runs.length} runs, ${sum(({ kills }) => kills)} kills: ${wrong.length} ended otherwise; ${sum(({ calls }) => calls - whole.calls)} calls with ${twice} tokens paid twice (${share.toFixed(2)} %); ${sum(({ repeated }) => repeated)} tools tried again`,
    );
    for (const each of wrong) console.log(`  ${each.join('; ')}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
}

const differences = (whole: Played, killed: Played): string[] => [
  ...(['status', 'tree', 'entries', 'tasks', 'worktrees', 'processes', 'checkout'] as const)
    .filter((name) => whole[name] !== killed[name])
    .map((name) => `${name} is ${killed[name]}, not ${whole[name]}`),
  ...(killed.subjects.toSorted().join() === whole.subjects.toSorted().join()
    ? []
    : [`commits ${killed.subjects.join(', ')}`]),
  ...Object.keys(whole.steps)
    .filter((node) => whole.steps[node] !== killed.steps[node])
    .map((node) => `${node} did ${killed.steps[node]}, not ${whole.steps[node]}`),
];

/** Undefined where the time was over before the run was. */
async function play(
  how: How,
  { random, nodes, deadline }: { random: () => number; nodes: number; deadline: number },
): Promise<Played | undefined> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-faults-'));
  try {
    const { path, flags, env } = setUp(place, nodes);
    const started = performance.now();
    const git = (...args: string[]) => spawnSync('git', args, { cwd: path, encoding: 'utf8' }).stdout.trim();
    let kills = 0;
    let said: string[] = [];
    let complaint = '';
    for (let isOver = false; !isOver; ) {
      if (performance.now() > deadline && how !== 'whole') return undefined;
      // One that was killed before it began is begun again.
      const isBegun = git('for-each-ref', 'refs/sylk') !== '';
      const goOn = isProposed(said) ? 'approve' : 'resume';
      const args = isBegun ? ['run', goOn, '--json'] : ['run', ...flags, '--yes', '--json'];
      const child = spawn('sh', [launcher(), ...args], { cwd: path, env });
      // Every fourth from its start, the others from the first thing that it says, so that a slow machine gets on.
      const isAtStart = kills % 4 === 0;
      const after = how === 'moments' ? random() * (isAtStart ? 5000 : 4000 + kills * 100) : undefined;
      const ending = await listen(child, { how, after, isAtStart });
      said = ending.said;
      complaint = ending.complaint;
      // One that was killed before the plan was approved waits for that.
      isOver = (!ending.isKilled || said.some(isResult)) && !isProposed(said);
      if (ending.isKilled) kills += 1;
    }
    const {
      status = 'none',
      commit,
      needs_you,
    } = JSON.parse(said.findLast(isResult) ?? '{"output":{}}').output;
    if (status !== 'completed') console.log(`ended as ${status}: ${JSON.stringify(needs_you)} ${complaint}`);
    // Without a result there is nothing to look at: it is tried again by a person who reads the complaint.
    if (status === 'none') return undefined;
    return {
      how,
      kills,
      status,
      tree: commit ? git('rev-parse', `${commit}^{tree}`) : 'none',
      subjects: commit ? git('log', '--format=%s', `main..${commit}`).split('\n') : [],
      ...effectsOf(path, env.SYLK_HOME),
      worktrees: git('worktree', 'list').split('\n').length + treesIn(env.SYLK_HOME),
      processes: processesOf(place),
      checkout: git('status', '--porcelain') + git('symbolic-ref', 'HEAD'),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What a run has left in the databases, beside its commits. */
function effectsOf(repository: string, home: string) {
  const open = (path: string) => new DatabaseSync(path, { readOnly: true });
  const [library, user] = [open(join(repository, '.git/sylk/library.db')), open(join(home, 'sylk.db'))];
  const number = (of: DatabaseSync, query: string) => Number(of.prepare(query).get()?.['n'] ?? 0);
  const rows = library.prepare('SELECT node, kind, body FROM transcript_steps ORDER BY node, number').all();
  const steps: Record<string, string> = {};
  let repeated = 0;
  for (const { node, kind, body } of rows) {
    const step = JSON.parse(String(body));
    const said =
      kind === 'told'
        ? step.from
        : kind === 'result'
          ? `${step.name}${step.isError ? '!' : ''}`
          : kind === 'ended'
            ? step.result
            : undefined;
    if (said) steps[String(node)] = `${steps[String(node)] ?? ''}${said} `;
    if (step.repeated) repeated += 1;
  }
  const effects = {
    steps,
    repeated,
    entries: number(library, 'SELECT COUNT(*) AS n FROM entries'),
    tasks: number(
      library,
      "SELECT COUNT(*) AS n FROM work_containers WHERE kind = 'task' AND status = 'CLOSED'",
    ),
    events: number(library, 'SELECT COUNT(*) AS n FROM run_events'),
    calls: number(user, 'SELECT COUNT(*) AS n FROM ledger_calls'),
    tokens: number(user, 'SELECT SUM(input_tokens + output_tokens) AS n FROM ledger_calls'),
  };
  library.close();
  user.close();
  return effects;
}

const isProposed = (said: string[]) => said.findLast(isResult)?.includes('"status":"proposed"') ?? false;
const isResult = (line: string) => line.includes('"type":"result"');

/** Directories of trees, whether or not git knows of them. */
const treesIn = (home: string): number =>
  readdirSync(home, { recursive: true, withFileTypes: true }).filter(
    ({ name, parentPath }) => /\bworktrees\b/.test(parentPath) && /^plus[A-L]$/.test(name),
  ).length;

/** Processes that have the place of this run in their environment, their words or their working directory. */
const processesOf = (place: string): string =>
  readdirSync('/proc')
    .filter((name) => {
      try {
        const of = (what: string) => readFileSync(`/proc/${name}/${what}`, 'latin1');
        return (
          /^\d+$/.test(name) &&
          [of('environ'), of('cmdline'), readlinkSync(`/proc/${name}/cwd`)].some((text) =>
            text.includes(place),
          )
        );
      } catch {
        return false; // It has ended, or is somebody else's.
      }
    })
    .map((name) => readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' '))
    .join(', ');

/** What it said until it ended, or was killed: after a time, or at the first event that it has brought about itself. */
function listen(
  child: ChildProcess,
  { how, after, isAtStart }: { how: How; after: number | undefined; isAtStart: boolean },
): Promise<{ said: string[]; complaint: string; isKilled: boolean }> {
  const begun = Date.now();
  const isOfEvent = (line: string): boolean => {
    if (!line.includes('"type":"run"') || /"what":"(?:calling|said|result|note|checkpoint)"/.test(line))
      return false;
    return Date.parse(JSON.parse(line).at) >= begun;
  };
  return new Promise((resolve) => {
    let text = '';
    let complaint = '';
    let isKilled = false;
    const kill = () => {
      isKilled = child.kill('SIGKILL');
    };
    let timer = after === undefined || !isAtStart ? undefined : setTimeout(kill, after);
    child.stdout?.on('data', (piece) => {
      if (after !== undefined) timer ??= setTimeout(kill, after);
      text += piece;
      if (how === 'boundaries' && !isKilled && text.split('\n').slice(0, -1).some(isOfEvent)) kill();
    });
    child.stderr?.on('data', (piece) => {
      complaint += piece;
    });
    child.once('close', () => {
      clearTimeout(timer);
      resolve({ said: text.split('\n').filter(Boolean), complaint, isKilled });
    });
  });
}
