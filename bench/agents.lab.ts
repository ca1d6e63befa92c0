import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../src/base/clock.ts';
import { messageOf } from '../src/base/errors.ts';
import { findRepository } from '../src/base/git/index.ts';
import { openLibrary } from '../src/base/library/index.ts';
import type { Model } from '../src/base/model/index.ts';
import { createOwnWorker, joinHooks, runLeg, type Worker } from '../src/engines/agents/index.ts';
import { type Executors, openPool } from '../src/engines/execution/index.ts';
import { decide, type RunState, runHasEnded } from '../src/engines/orchestrator/index.ts';
import { createNodeTrees } from '../src/engines/worktrees/index.ts';
import { openRuns, planSchema } from '../src/stores/runs/index.ts';
import { openTranscripts } from '../src/stores/transcripts/index.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * `npm run lab -- agents [--cases AGENTS] [--commands STEPS]`: agents that all work at once in one process, with the real loop, a tree and a
 * transcript on disk for each, on a model that answers after a moment (20 ms for each agent). They are runs of fifty sessions, executed by the pool. Prints processor time, memory, and how evenly
 * the sessions got on while all were at work. Judges and merges are not part of it.
 */
export default async function run({ cases = '1000', commands = '20' }: BenchOptions): Promise<void> {
  const [agents, steps] = [Number(cases), Number(commands)];
  const place = mkdtempSync(join(tmpdir(), 'sylk-agents-'));
  try {
    await measure(place, agents, steps);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Long enough that the last one has begun before the first one is done. */
const thinkMilliseconds = (agents: number) => Math.max(1000, agents * 20);

async function measure(place: string, agents: number, steps: number): Promise<void> {
  const { path, base } = makeRepository(place);
  const repository = findRepository(path, { ...process.env, SYLK_HOME: join(place, 'home') });
  const library = openLibrary({ url: join(place, 'library.db') });
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  const transcripts = openTranscripts({ library, clock: systemClock });
  const trees = createNodeTrees({ repository, directory: join(place, 'trees') });
  const worker = scriptedWorker(steps, thinkMilliseconds(agents));
  const sessions = Math.min(50, agents);
  const plan = planSchema.parse({
    prompt: 'Work',
    nodes: [{ id: 'work', agent: 'engineer', prompt: 'Work' }],
  });
  const begun = await Promise.all(
    Array.from({ length: agents }, async (_, at) => {
      const { run, revision } = await runs.create({
        session: `s${at % sessions}`,
        prompt: 'Work',
        plan,
        limits: {},
      });
      await runs.move(run, { type: 'plan_approved', revision, start: true }, `start ${run}`);
      return run;
    }),
  );
  const served = new Map<string, number>();
  let atWork = 0;
  let most = 0;
  let even = 1;
  let failures = 0;
  type Work = NonNullable<Executors<RunState>['work']>;
  const failing =
    (work: Work): Work =>
    (...given) =>
      work(...given).catch((error) => {
        failures += 1;
        console.log(`failed: ${messageOf(error)}`);
        throw error;
      });
  const executors: Executors<RunState> = {
    work: failing(async ({ leg = 1 }, { run: id, session, epoch, signal, readSignals }) => {
      const tree = await trees.open({ run: id, node: 'work', base });
      most = Math.max(most, ++atWork);
      const outcome = await runLeg({
        brief: briefOf(id, session, leg),
        worker,
        tree,
        transcripts,
        permits: { require: async () => {} },
        tools: [],
        budget: undefined,
        epoch,
        signal,
        readSignals,
        onStep: ({ kind }) => {
          if (kind === 'result') served.set(session, (served.get(session) ?? 0) + 1);
        },
      });
      // The first one that is done: so far all had the same to do.
      if (atWork === most && most > 1) even = jainOf([...served.values()], sessions);
      atWork -= 1;
      return outcome;
    }),
    inspect: async () => ({ result: 'passed' }),
    test: async () => ({ result: 'passed' }),
    merge: async ({ commit = '' }) => ({ result: 'merged', commit }),
    inspect_all: async () => ({ result: 'passed' }),
    test_all: async () => ({ result: 'passed' }),
    plan_tests: async () => ({ result: 'none', cost: 0 }),
    summarise: async () => ({ result: 'done', text: '', cost: 0 }),
  };
  const [before, started] = [process.cpuUsage(), performance.now()];
  const pool = openPool({ runs, clock: systemClock, executors, concurrency: agents, perSession: agents });
  const isOver = async () => {
    for (const id of begun) if (!runHasEnded(await runs.state(id))) return false;
    return true;
  };
  const total = () => [...served.values()].reduce((sum, count) => sum + count, 0);
  while (total() < agents * (steps + 1) || !(await isOver())) await sleep(5000);
  const seconds = (performance.now() - started) / 1000;
  await pool.stop();
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const [completed, written] = [
    await countOf(runs, begun),
    statSync(join(place, 'library.db')).size / 2 ** 20,
  ];
  await library.close();
  console.log(
    `${agents} agents, ${most} at once, ${total()} tool steps: ${completed} runs completed, ${failures} legs failed, in ${seconds.toFixed(0)} s; ${((user + system) / 1e6).toFixed(0)} s of processor time beside git's (${((user + system) / 1000 / total()).toFixed(1)} ms a step), at most ${megabytes.toFixed(0)} MB (goal 600), ${written.toFixed(0)} MB of transcript; Jain index over ${sessions} sessions when the first was done ${even.toFixed(3)} (goal .95)`,
  );
  if (completed < agents || failures > 0 || megabytes > 600 || even < 0.95) process.exitCode = 1;
}

async function countOf(runs: { state(run: string): Promise<RunState> }, all: string[]): Promise<number> {
  let completed = 0;
  for (const id of all) if ((await runs.state(id)).status === 'completed') completed += 1;
  return completed;
}

const jainOf = (counts: number[], all: number): number => {
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum ** 2 / (all * counts.reduce((total, count) => total + count ** 2, 0));
};

const briefOf = (run: string, session: string, leg: number) => ({
  run,
  session,
  node: 'work',
  leg,
  role: 'engineer',
  task: 'Work',
  constraints: [],
  criteria: [],
  upstream: [],
  context: '',
  checks: [],
  feedback: [],
  message: undefined,
});

/** Writes a file, reads it and changes it, again and again, until it has made its steps. */
function scriptedWorker(steps: number, think: number): Worker {
  const stepOf = (number: number): { name: string; input: Record<string, unknown> } => {
    if (number >= steps) return { name: 'signal_complete', input: { result: 'Done.' } };
    const path = `file-${Math.floor(number / 3)}.txt`;
    if (number % 3 === 0)
      return { name: 'write_file', input: { path, content: `${'line of text\n'.repeat(20)}last\n` } };
    if (number % 3 === 1) return { name: 'read_file', input: { path } };
    return { name: 'edit_file', input: { path, old_content: 'last', new_content: `last ${number}` } };
  };
  const model: Model = {
    id: 'lab/model',
    window: 200_000,
    maxOutput: 4096,
    price: undefined,
    stream: async ({ messages, signal }) => {
      await sleep(think, undefined, { signal });
      const number = messages.filter(({ role }) => role === 'assistant').length;
      const toolCalls = [{ id: `call_${number}`, ...stepOf(number) }];
      const usage = {
        inputTokens: 1000,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 50,
        measured: true,
      };
      const message = { role: 'assistant' as const, text: '', toolCalls };
      return { text: '', toolCalls, finish: 'tool_calls', usage, message, attempts: 1 };
    },
  };
  const runLine = () => Promise.reject(new Error('No agent of this lab runs a command.'));
  return createOwnWorker({
    model,
    hooks: joinHooks(),
    runLine,
    sandbox: 'none',
    isConfined: true,
    mostCalls: 1000,
  });
}

function makeRepository(place: string): { path: string; base: string } {
  const path = join(place, 'repository');
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim();
  git('init', '-q', '-b', 'main', path);
  git(
    '-C',
    path,
    '-c',
    'user.name=lab',
    '-c',
    'user.email=lab@example.org',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'first',
  );
  return { path, base: git('-C', path, 'rev-parse', 'HEAD') };
}
