import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openLedger } from '../../src/stores/ledger/index.ts';
import { openTranscripts, type RecordedStep } from '../../src/stores/transcripts/index.ts';
import { arrivals, type Charge, killFiles, startKillServer } from './agent-kill-server.ts';
import { treeDigest } from './agent-leg.ts';
import type { KilledLeg, KilledProcess } from './agent-leg-worker.ts';
import { testRepository } from './repository.ts';
import { startOf } from './run-writer.ts';

const noCounts = {
  legs: 0,
  /** Legs that were killed in the middle, and the processes that took them along, by where these killed themselves. */
  kills: 0,
  atSteps: 0,
  atStatements: 0,
  /** Calls made a second time, and calls that the model was told were interrupted. */
  repeated: 0,
  interrupted: 0,
  /** Questions to the model; answers that were under way at a kill, and those that had come and were not written down yet. */
  questions: 0,
  lostUnderWay: 0,
  lostArrived: 0,
  /** Tokens that the server counted, and those of lost answers. */
  tokens: 0,
  lostTokens: 0,
  /** US dollars by the server and by the ledger; reservations that nobody settled; legs that their budget stopped. */
  serverUsd: 0,
  ledgerUsd: 0,
  orphans: 0,
  stopped: 0,
};
export type AgentKills = typeof noCounts & { broken: string[]; failures: string[] };

interface Plan {
  directory: string;
  kills: number;
  next: () => number;
  /** Legs of one process; answers of one leg, and about how many of them pass between two kills. */
  together: number;
  steps: number;
  between: number;
  /** Begins nothing after this time, in milliseconds since 1970. */
  until?: number;
  report?: (counts: AgentKills) => void;
}

type Kill = NonNullable<KilledProcess['kill']>;
type Server = Awaited<ReturnType<typeof startKillServer>>;

/**
 * Kills legs again and again, with another process that goes on each time, and compares what comes out with a leg that was let
 * alone: files, commit, transcript. The provider counts for itself what it would charge.
 */
export async function runAgentKills(plan: Plan): Promise<AgentKills> {
  const { directory, steps, between, together, next, until = Infinity } = plan;
  const server = await startKillServer(steps);
  const counts: AgentKills = { ...noCounts, broken: [], failures: [] };
  try {
    const { ended, passed, statements } = await runWorlds(directory, server, { budgets: [1000] });
    const whole = ended[0];
    if (whole?.result !== 'done') throw new Error(`A leg that nobody kills ends as ${whole?.result}.`);
    const choose = (): Kill => {
      const at = next() < 0.5 ? 'step' : 'statement';
      const points = ((at === 'step' ? passed : statements) * between * together) / steps;
      return { at, point: 1 + Math.floor(next() * 2 * points) };
    };
    while (counts.kills < plan.kills && Date.now() < until) {
      // The last of them has less than it needs: it has to stop, and not over its budget.
      const short = whole.charge.usd * 0.6 + 0.2;
      const budgets = Array.from({ length: together }, (_, at) => (together > 1 && at === 0 ? short : 1000));
      const killed = await runWorlds(directory, server, { budgets, choose });
      counts.failures.push(...killed.failures);
      for (const kill of killed.kills) counts[kill.at === 'step' ? 'atSteps' : 'atStatements'] += 1;
      for (const leg of killed.ended) {
        addCounts(counts, leg);
        const label = `leg ${counts.legs} (${leg.kills} kills)`;
        const isShort = leg.budget === short;
        if (isShort && leg.result !== 'done') counts.stopped += 1;
        for (const problem of [...moneyProblems(leg), ...(isShort ? [] : workProblems(leg, whole))])
          counts.broken.push(`${label}: ${problem}`);
      }
      plan.report?.(counts);
    }
  } finally {
    await server.stop();
  }
  return counts;
}

type Ended = Awaited<ReturnType<typeof readLeg>>;

function addCounts(counts: AgentKills, { kills, said, arrived, steps, spent, open, charge }: Ended): void {
  const recorded = said.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  const again = steps.flatMap((step) => (step.kind === 'result' && step.repeated ? [step.isError] : []));
  counts.legs += 1;
  counts.kills += kills;
  counts.interrupted += again.filter(Boolean).length;
  counts.repeated += again.filter((isError) => !isError).length;
  counts.questions += charge.requests;
  counts.lostUnderWay += charge.requests - arrived;
  counts.lostArrived += arrived - said.length;
  counts.tokens += charge.tokens;
  counts.lostTokens += charge.tokens - recorded;
  counts.serverUsd += charge.usd;
  counts.ledgerUsd += spent;
  counts.orphans += open;
}

function moneyProblems({ spent, charge, budget, open, said }: Ended): string[] {
  const problems = [];
  if (spent > budget) problems.push(`$${spent} were spent of $${budget}`);
  if (spent + 1e-6 < charge.usd) problems.push(`the ledger has $${spent}, the server $${charge.usd}`);
  // A micro-dollar is the least that the ledger knows.
  if (open === 0 && Math.abs(spent - charge.usd) > (said.length + 1) * 1e-6)
    problems.push(`nothing is open, but $${spent} is not $${charge.usd}`);
  return problems;
}

function workProblems(leg: Ended, whole: Ended): string[] {
  const problems = [];
  if (leg.result !== 'done') problems.push(`ended as ${leg.result}`);
  if (leg.tree !== whole.tree) problems.push('the tree differs');
  if (leg.commitTree !== whole.commitTree) problems.push('the commit differs');
  const at = Math.max(leg.story.length, whole.story.length);
  for (let line = 0; line < at; line++)
    if (leg.story[line] !== whole.story[line])
      return [...problems, `line ${line}: ${leg.story[line]}, not ${whole.story[line]}`];
  return problems;
}

/** Some legs of one process, each in a repository of its own, killed and gone on with until each has ended. */
async function runWorlds(
  directory: string,
  server: Server,
  { budgets, choose }: { budgets: number[]; choose?: () => Kill },
) {
  const place = mkdtempSync(join(directory, 'world-'));
  server.forget();
  try {
    const ledger = join(place, 'ledger.db');
    const legs = budgets.map((budget, at): KilledLeg => {
      const repository = testRepository([], join(place, `${at}/repository`));
      const files = Array.from({ length: killFiles }, (_, file) => [
        `src/${file}.txt`,
        `one\nvalue 0;\n${file}\n`,
      ]);
      const base = repository.commit('first', Object.fromEntries(files));
      const id = `run_${at}`;
      return {
        id,
        repository: repository.path,
        home: join(place, `${at}/home`),
        base,
        url: server.urlOf(id),
        budget,
      };
    });
    const results = new Map<string, string>();
    const killsOf = new Map<string, number>();
    const kills: Kill[] = [];
    const failures: string[] = [];
    let points = { passed: 0, statements: 0 };
    for (let epoch = 1; results.size < legs.length; epoch++) {
      const open = legs.filter(({ id }) => !results.has(id));
      const kill = choose?.();
      const { code, lines, text } = await startWorker({ legs: open, ledger, epoch, kill });
      for (const line of lines) {
        if (line.leg !== undefined) results.set(line.leg, String(line.result));
        else points = { passed: line.passed ?? 0, statements: line.statements ?? 0 };
      }
      if (code === 0) break;
      if (!kill || epoch > 500) throw new Error(`The worker ended with ${code}: ${text}`);
      // A failure of its own, such as of git, is no kill; the run would start the leg again, and so does this.
      if (code !== null) {
        failures.push(text.slice(0, 600));
        continue;
      }
      kills.push(kill);
      for (const { id } of open) if (!results.has(id)) killsOf.set(id, (killsOf.get(id) ?? 0) + 1);
    }
    const ended = [];
    for (const leg of legs)
      ended.push(
        await readLeg(leg, {
          ledger,
          result: results.get(leg.id),
          kills: killsOf.get(leg.id) ?? 0,
          charge: { ...server.chargeOf(leg.id) },
        }),
      );
    return { ended, kills, failures, ...points };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function readLeg(
  { id, repository, home, budget }: KilledLeg,
  facts: { ledger: string; result: string | undefined; kills: number; charge: Charge },
) {
  const library = openLibrary({ url: join(home, 'library.db') });
  const steps = await openTranscripts({ library, clock: systemClock }).steps({ run: 'run_1', node: 'work' });
  await library.close();
  const accounts = openLibrary({ url: facts.ledger });
  const [line] = await openLedger({ library: accounts, clock: systemClock }).costs({
    by: 'run',
    since: '',
    names: [id],
  });
  await accounts.close();
  const list = ['for-each-ref', '--sort=-committerdate', '--format=%(tree)', 'refs/sylk'];
  const refs = execFileSync('git', ['-C', repository, ...list], { encoding: 'utf8' });
  return {
    ...facts,
    budget,
    steps,
    arrived: readFileSync(arrivals(home), 'utf8').length,
    said: steps.flatMap((step) => (step.kind === 'said' && step.usage ? [step.usage] : [])),
    story: storyOf(steps),
    tree: treeDigest(join(home, 'trees/run_1/work')),
    commitTree: refs.split('\n').find(Boolean),
    spent: (line?.usd ?? 0) + (line?.open_usd ?? 0),
    open: line?.open ?? 0,
  };
}

/** What was said and done, in order and with its inputs; an interrupted call, which is marked, and what was said to it are left out. */
function storyOf(steps: RecordedStep[]): string[] {
  const calls = new Map<string, string>();
  const isAgain = (id: string) => !id.endsWith('_0') && id.startsWith('g');
  return steps.flatMap((step) => {
    if (step.kind === 'said') {
      for (const { id, name, input } of step.calls) calls.set(id, `${name} ${JSON.stringify(input)}`);
      return step.calls.some(({ id }) => isAgain(id)) ? [] : [`said ${step.text}`];
    }
    if (step.kind !== 'result' || (step.isError && step.repeated)) return [];
    return [`${calls.get(step.call)} ${step.isError ? `failed: ${step.text}` : 'done'}`];
  });
}

interface Line {
  leg?: string;
  result?: string;
  passed?: number;
  statements?: number;
}

function startWorker(work: KilledProcess): Promise<{ code: number | null; lines: Line[]; text: string }> {
  const [command = '', ...args] = startOf('agent-leg-worker.ts', JSON.stringify(work));
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sylk-compile-cache') };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) =>
    child.on('close', (code) => {
      const lines = out.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
      resolve({ code, lines: lines.map((line) => JSON.parse(line)), text: out + err });
    }),
  );
}
