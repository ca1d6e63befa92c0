import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openTranscripts, type RecordedStep } from '../../src/stores/transcripts/index.ts';
import { treeDigest } from './agent-leg.ts';
import { testRepository } from './repository.ts';
import { startOf } from './run-writer.ts';

export interface AgentKills {
  kills: number;
  /** Points at which a leg can be killed. */
  points: number;
  /** Calls made a second time, and calls that the model was told were interrupted. */
  repeated: number;
  interrupted: number;
  /** Questions to the model, and those that were asked again because the answer was lost. */
  asked: number;
  askedAgain: number;
  broken: string[];
}

interface Plan {
  directory: string;
  /** Which points, counted from 1; all of them when left out. */
  every?: number;
  /** Kills after so many milliseconds, besides. */
  random?: { kills: number; next: () => number };
  /** Begins no further leg after this time, in milliseconds since 1970. */
  until?: number;
}

/** Kills a leg at one point after another, lets another process go on, and compares what comes out with a leg that was let alone. */
export async function runAgentKills({
  directory,
  every = 1,
  random,
  until = Infinity,
}: Plan): Promise<AgentKills> {
  const whole = await runWorld(directory, {});
  const counts: AgentKills = {
    kills: 0,
    points: whole.passed,
    repeated: 0,
    interrupted: 0,
    asked: 0,
    askedAgain: 0,
    broken: [],
  };
  const judge = async (label: string, kill: Kill) => {
    const killed = await runWorld(directory, kill);
    counts.kills += killed.kills;
    counts.asked += killed.steps.filter(({ kind }) => kind === 'said').length;
    counts.askedAgain += killed.steps.filter(
      ({ kind }, at) => kind === 'asking' && killed.steps[at + 1]?.kind !== 'said',
    ).length;
    for (const step of killed.steps) {
      if (step.kind !== 'result' || !step.repeated) continue;
      if (step.isError) counts.interrupted += 1;
      else counts.repeated += 1;
    }
    if (killed.tree !== whole.tree) counts.broken.push(`${label}: the tree differs`);
    if (killed.commitTree !== whole.commitTree) counts.broken.push(`${label}: the commit differs`);
    if (killed.story !== whole.story)
      counts.broken.push(`${label}: the transcript differs:\n${killed.story}\n--\n${whole.story}`);
  };
  for (let point = 1; point <= whole.passed && Date.now() < until; point += every)
    await judge(`point ${point}`, { point });
  for (let at = 0; at < (random?.kills ?? 0) && Date.now() < until; at++)
    await judge(`random ${at}`, { afterMs: 300 + Math.floor((random?.next() ?? 0) * 2500) });
  return counts;
}

interface Kill {
  point?: number;
  afterMs?: number;
}

async function runWorld(directory: string, { point = 0, afterMs }: Kill) {
  const place = mkdtempSync(join(directory, 'world-'));
  try {
    const repository = testRepository([], join(place, 'repository'));
    const base = repository.commit('first', { 'a.txt': 'one\ntwo\nthree\n', 'docs/b.txt': 'b\n' });
    const home = join(place, 'home');
    let kills = 0;
    let passed = 0;
    for (let epoch = 1, isDone = false; !isDone && epoch < 20; epoch++) {
      const own = epoch === 1 ? point : 0;
      const { code, out } = await startWorker(
        [repository.path, home, base, String(epoch), String(own)],
        epoch === 1 ? afterMs : undefined,
      );
      isDone = code === 0;
      if (isDone) passed = JSON.parse(out.slice(out.indexOf('{'))).passed;
      else kills += 1;
    }
    const library = openLibrary({ url: join(home, 'library.db') });
    const steps = await openTranscripts({ library, clock: systemClock }).steps({
      run: 'run_1',
      node: 'work',
    });
    await library.close();
    const refs = repository
      .git('for-each-ref', '--sort=-committerdate', '--format=%(tree) %(refname)', 'refs/sylk')
      .split('\n');
    return {
      kills,
      passed,
      steps,
      story: storyOf(steps),
      tree: treeDigest(join(home, 'trees/run_1/work')),
      commitTree: refs.map((line) => line.split(' ')[0]).find(Boolean),
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What was done, in order, without what belongs to processes: each call that succeeded, once. */
function storyOf(steps: RecordedStep[]): string {
  return steps
    .flatMap((step) => {
      if (step.kind !== 'result' || (step.isError && step.repeated)) return [];
      return [`${step.name} ${step.isError ? 'failed' : 'done'}${step.repeated ? '' : ''}`];
    })
    .join('\n');
}

function startWorker(words: string[], afterMs?: number): Promise<{ code: number | null; out: string }> {
  const [command = '', ...args] = startOf('agent-leg-worker.ts', ...words);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), afterMs);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out });
    }),
  );
}
