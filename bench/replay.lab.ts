import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import { runOperation } from '../src/operations/run.ts';
import type { RunView } from '../src/operations/runs/view.ts';
import { type Clone, consecutive, openClone, type Step } from './gates/clone.ts';
import { type Mutation, mutationsOf } from './gates/mutate.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * `npm run lab -- replay --from CLONE… [--cases N]`: consecutive commits of public repositories become tasks of a team with the
 * clone at the parent commit. The engineer makes the true change; or a blind mutation of it first, answered only by the feedback that
 * arrives; or, as controls, one that is deaf to feedback or answers it with another mutation. The project's own tools judge. Checkouts of the clones
 * are written.
 */
export default async function run({ from, minutes, cases = '4', seed = '1' }: BenchOptions): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const totals = newTotals();
  for (const path of from) {
    const clone = openClone(path);
    const head = clone.git(['rev-parse', 'HEAD']);
    let used = 0;
    for (const step of consecutive(clone, 400)) {
      if (used >= Number(cases) || performance.now() > deadline) break;
      const skip = step.skip ?? reasonToSkip(clone, step);
      if (skip) {
        totals.skipped.set(skip, (totals.skipped.get(skip) ?? 0) + 1);
        continue;
      }
      used += 1;
      await replayCommit(clone, step, { seed, totals });
    }
    clone.git(['checkout', '-q', '--force', head]);
  }
  report(totals);
}

const newTotals = () => ({
  skipped: new Map<string, number>(),
  commits: 0,
  passed: 0,
  refused: 0,
  unsure: 0,
  asked: 0,
  different: 0,
  mutants: 0,
  unseen: 0,
  caught: { inspector: 0, tester: 0 },
  mended: 0,
  controls: 0,
  gaveUp: 0,
  seconds: [] as number[],
});
type Totals = ReturnType<typeof newTotals>;

function reasonToSkip({ git }: Clone, { commit, parent, files }: Step): string | undefined {
  const changes = git(['diff', '--numstat', '--no-renames', '--summary', parent, commit]);
  if (/^ delete mode|^ mode change|^ create mode (?!100644)/m.test(changes))
    return 'deletes or changes modes';
  if (files.some((file) => /(^|\/)\.[^/]+\//.test(file))) return 'changes what a person is asked about';
  if (/^-\t-\t/m.test(changes)) return 'has files that are no text';
  return files.length > 12 ? 'changes more than 12 files' : undefined;
}

async function replayCommit(clone: Clone, step: Step, { seed, totals }: { seed: string; totals: Totals }) {
  const { git, name } = clone;
  const { commit, parent, files } = step;
  git(['checkout', '-q', '--force', '--detach', parent]);
  const subject = git(['show', '-s', '--format=%s', commit]);
  const wanted = git(['rev-parse', `${commit}^{tree}`]);
  const contents = new Map(files.map((file) => [file, textOf(clone, commit, file)]));
  const play = async (legs: Array<Map<string, string>>) => {
    const started = performance.now();
    const view = await playRun(clone, step, { subject, legs, loops: legs.length > 2 ? 1 : 2 });
    totals.seconds.push((performance.now() - started) / 1000);
    return {
      ...view,
      isEqual: view.commit !== undefined && git(['rev-parse', `${view.commit}^{tree}`]) === wanted,
    };
  };
  totals.commits += 1;
  const truth = await play([contents]);
  const verdict = truth.status === 'completed' ? 'passed' : truth.isBroken ? 'unsure' : 'refused';
  totals[verdict] += 1;
  totals.asked += truth.asked;
  if (verdict === 'passed' && !truth.isEqual) totals.different += 1;
  console.log(
    `${name} ${commit.slice(0, 10)} ${subject.slice(0, 60)}: true change ${verdict}${truth.asked ? ', asked about judges' : ''}${verdict === 'passed' ? '' : `: ${truth.needs_you[0]?.question.slice(0, 200)}`}`,
  );
  if (verdict !== 'passed') return;
  const [mutation, other] = mutationsOf(clone, step, 2, seed);
  if (!mutation) return;
  const broken = withMutation(contents, mutation);
  totals.mutants += 1;
  const answer = await play([broken, contents]);
  const { inspector = 0, tester = 0 } = answer.nodes[0]?.loops ?? {};
  const by = inspector > 0 ? 'inspector' : tester > 0 ? 'tester' : undefined;
  console.log(
    `  ${mutation.file}:${mutation.line} ${mutation.before} → ${mutation.after}: ${by ? `caught by the ${by}, ${answer.isEqual ? 'mended to the tree of history' : `ends ${answer.status}`}` : 'seen by no tool'}`,
  );
  if (!by) {
    totals.unseen += 1;
    return;
  }
  totals.caught[by] += 1;
  if (answer.isEqual) totals.mended += 1;
  const controls = { deaf: broken, stubborn: other ? withMutation(contents, other) : broken };
  for (const [kind, again] of Object.entries(controls)) {
    const view = await play([broken, again, again, again]);
    totals.controls += 1;
    const isEnded = view.status !== 'completed' && view.needs_you.length > 0;
    if (isEnded) totals.gaveUp += 1;
    console.log(`  ${kind}: ${isEnded ? 'stopped at the limit, a person is asked' : `ends ${view.status}`}`);
  }
}

const textOf = ({ git }: Clone, commit: string, file: string): string =>
  `${git(['show', `${commit}:${file}`])}\n`;

const withMutation = (contents: Map<string, string>, { file, text }: Mutation): Map<string, string> =>
  new Map([...contents, [file, text]]);

async function playRun(
  { path, git }: Clone,
  { parent }: Step,
  { subject, legs, loops }: { subject: string; legs: Array<Map<string, string>>; loops: number },
) {
  const scratch = mkdtempSync(join(tmpdir(), 'replay-'));
  const script = join(scratch, 'script.json');
  const call = (name: string, input: object) => ({ calls: [{ name, input }] });
  const known = new Set(git(['ls-tree', '-r', '--name-only', parent]).split('\n'));
  const steps = legs.flatMap((files, leg) => [
    ...[...files].flatMap(([file, content]) => [
      ...(known.has(file) || leg > 0 ? [call('read_file', { path: file })] : []),
      call('write_file', { path: file, content }),
    ]),
    call('signal_complete', { result: subject }),
  ]);
  writeFileSync(script, JSON.stringify({ conversations: [{ when: `# Task\n${subject}`, steps }] }));
  const app = openApp({ directory: path, flags: ['agents.ask_minutes=0.001'] });
  const ask = async (name: string, input: object): Promise<RunView> => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'lab' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as RunView;
  };
  try {
    const model = `script:${script}`;
    let view = await ask('start_run', { task: subject, base: parent, model, loops, yes: true });
    let asked = 0;
    while (view.needs_you[0]?.options.includes('approve') && asked < 5) {
      asked += 1;
      view = await ask('answer_run', { run: view.run, answer: 'approve' });
    }
    return { ...view, asked, isBroken: view.needs_you[0]?.options[0] === 'retry' };
  } finally {
    await app.close();
    rmSync(scratch, { recursive: true });
  }
}

function report({
  skipped,
  commits,
  passed,
  refused,
  unsure,
  asked,
  different,
  mutants,
  unseen,
  caught,
  mended,
  controls,
  gaveUp,
  seconds,
}: Totals): void {
  const sorted = seconds.toSorted((left, right) => left - right);
  console.log(
    [
      `skipped: ${[...skipped].map(([why, count]) => `${count} ${why}`).join(', ') || 'none'}`,
      `${commits} commits: true change passed ${passed}, refused ${refused}, a tool could not judge ${unsure}; another tree than history ${different}; questions about judges ${asked}`,
      `${mutants} mutants: caught by the inspector ${caught.inspector}, by the tester ${caught.tester}, seen by no tool ${unseen}; mended to the tree of history ${mended}`,
      `${controls} controls that do not mend: stopped at the limit ${gaveUp}`,
      `${seconds.length} runs, median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)} s, slowest ${sorted.at(-1)?.toFixed(1)} s`,
    ].join('\n'),
  );
}
