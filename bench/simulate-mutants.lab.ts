import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Mutant, mutantsOf } from './mutants/operators.ts';
import { randomNumbers, shuffled } from './random.ts';
import type { Bench } from './run-named.ts';

const held = 'every rule held';
/** A mutant that plays longer has made something endless, or the machine is busy: it is not judged. */
const longestMilliseconds = 240_000;
const undecided = 'not judged: it took too long';

/**
 * `npm run lab -- simulate-mutants [RUNS]`: breaks one place of `decide` at a time, and plays simulated runs with it; no other test
 * looks. `--cases N` draws N mutants (all without it), `--cases PART:LINE` takes those of one line; `--seed N`, `--minutes N`.
 */
const simulateMutants: Bench = async ({ words, cases, seed = '20261117', minutes }) => {
  const root = join(import.meta.dirname, '..');
  const folder = 'src/engines/orchestrator/decide';
  const all = readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => mutantsOf(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')));
  const [part = '', line] = (cases ?? '').split(':');
  const drawn = line
    ? all.filter((mutant) => mutant.path.includes(part) && mutant.line === Number(line))
    : shuffled(all, randomNumbers(Number(seed))).slice(0, Number(cases ?? all.length));
  console.log(`${all.length} mutants of ${folder}, ${drawn.length} drawn`);
  const deadline = Date.now() + (minutes || 120) * 60_000;
  const survivors: string[] = [];
  let judged = 0;
  for (const mutant of drawn) {
    if (Date.now() > deadline) break;
    const verdict = await play(root, mutant, Number(words[0] ?? 600));
    if (verdict !== undecided) judged++;
    const place = `${mutant.path.split('/').at(-1)}:${mutant.line} ${mutant.operator}: ${mutant.before.replace(/\s+/g, ' ').slice(0, 90)} → ${mutant.after || 'nothing'}`;
    if (verdict === held) survivors.push(place);
    const word = verdict === held ? 'SURVIVED' : verdict === undecided ? 'passed over' : 'killed';
    console.log(`${word} ${place} | ${verdict.slice(0, 120)}`);
  }
  const killed = judged - survivors.length;
  console.log(`${judged} judged, ${killed} killed (${((100 * killed) / Math.max(1, judged)).toFixed(1)} %)`);
  for (const survivor of survivors) console.log(`  ${survivor}`);
  if (killed < 0.9 * judged) process.exitCode = 1;
};

/** What the runs said of a mutant: the rule that broke, that it took too long, or that every rule held. */
function play(root: string, mutant: Mutant, runs: number): Promise<string> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./mutants/simulate-worker.ts', import.meta.url), {
      workerData: { root, mutant, runs, seed: 1 },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 600 },
    });
    const timer = setTimeout(() => end(undecided), longestMilliseconds);
    const end = (verdict: string) => {
      clearTimeout(timer);
      resolve(verdict);
      void worker.terminate();
    };
    worker.on('message', (verdict) => end(String(verdict)));
    worker.on('error', (error) => end(`it threw: ${String(error)}`));
  });
}

export default simulateMutants;
