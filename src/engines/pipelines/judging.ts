import type { Git } from '../../base/git/index.ts';
import type { Command, Outcome } from '../../stores/runs/index.ts';
import type { RecordedStep, Transcripts } from '../../stores/transcripts/index.ts';
import type { Execution } from '../execution/index.ts';
import type { CheckRequest, InspectionEngine } from '../inspection/index.ts';
import type { RunState } from '../orchestrator/index.ts';
import { gateOutcome } from './gate-outcome.ts';
import { baseRef, commitOf, readTip } from './run-refs.ts';

export interface JudgeContext {
  git: Git;
  transcripts: Transcripts;
  inspection: () => Promise<InspectionEngine>;
  gateMinutes: number;
  onStep(step: RecordedStep, node: string): void;
}

type Run = Pick<Execution<RunState>, 'run' | 'signal'>;

/** Where judges of the whole run write down what they found: no node has this name. */
export const wholeRun = '_run';

const categories: Record<'inspector' | 'tester' | 'merge', NonNullable<CheckRequest['only']>> = {
  inspector: ['formatter', 'linter', 'type_checker'],
  tester: ['test_framework'],
  merge: ['type_checker', 'test_framework'],
};

interface JudgeRequest {
  gate: keyof typeof categories;
  node: string;
  commit: string;
  base: string;
  /** The whole suite, also where few tests are reached. */
  whole?: boolean;
}

/** Lets the project's own tools judge a commit against another one, by the settings of that one. */
export async function judge(
  context: JudgeContext,
  run: Run,
  request: JudgeRequest,
): Promise<Outcome<'test'>> {
  return (await judgeClosely(context, run, request)).outcome;
}

async function judgeClosely(context: JudgeContext, run: Run, request: JudgeRequest) {
  const { gate, node, commit, base, whole } = request;
  const report = await (await context.inspection()).check({
    subject: { commit },
    base,
    judges: 'base',
    only: categories[gate],
    whole,
    timeoutMs: context.gateMinutes * 60_000,
    signal: run.signal,
    progress: () => undefined,
  });
  const { outcome, note, guarded } = gateOutcome(report);
  await noteDown(context, { run: run.run, node }, `${gate} ${commit}`, note);
  const red = report.gates.flatMap(({ tool, before }) => (before > 0 ? [`${tool} ${before}`] : []));
  if (red.length > 0 && base === (await commitOf(context.git, baseRef(run.run))))
    await tellerOf(context, `before this run, by the ${gate}`)(
      run.run,
      `red already: ${red.join(', ')}. It does not count against anybody.`,
    );
  return { outcome, guarded };
}

/** Writes to the transcript of a node, behind what stands there. */
export async function noteDown(
  { transcripts, onStep }: Pick<JudgeContext, 'transcripts' | 'onStep'>,
  name: { run: string; node: string },
  about: string,
  text: string,
): Promise<void> {
  const last = (await transcripts.steps(name)).at(-1)?.number ?? 0;
  const [step] = await transcripts.append(name, last, [{ kind: 'note', about, text }]);
  if (step) onStep(step, name.node);
}

/** Says something of a whole run, and nothing where that was said in this run before, by any process. */
export function sayOnce(context: Pick<JudgeContext, 'transcripts' | 'onStep'>, about: string) {
  let saying = Promise.resolve();
  const say = async (run: string, text: string): Promise<void> => {
    const name = { run, node: wholeRun };
    const steps = await context.transcripts.steps(name);
    if (!steps.some((step) => step.kind === 'note' && step.about === about))
      await noteDown(context, name, about, text);
  };
  return (run: string, text: string): Promise<void> => {
    saying = saying.then(() => say(run, text));
    return saying;
  };
}

const tellers = new WeakMap<object, Map<string, ReturnType<typeof sayOnce>>>();

/** One for all judges of a process, because they judge at once. */
function tellerOf(context: JudgeContext, about: string): ReturnType<typeof sayOnce> {
  const known = tellers.get(context.transcripts) ?? new Map<string, ReturnType<typeof sayOnce>>();
  tellers.set(context.transcripts, known);
  const teller = known.get(about) ?? sayOnce(context, about);
  known.set(about, teller);
  return teller;
}

/** A node is judged against what it was made from: work of others that came in since does not count. */
async function nodeRequest({ git }: JudgeContext, { commit = '', node = '' }: Command, { run }: Run) {
  const tip = await readTip(git, run);
  return { node, commit, base: await git.text(['merge-base', tip, commit]) };
}

export const testNode = async (context: JudgeContext, command: Command, run: Run): Promise<Outcome<'test'>> =>
  judge(context, run, { gate: 'tester', ...(await nodeRequest(context, command, run)) });

/** Changes to what judges changes, and changes that nothing judges, are asked about, once everything else is in order. */
export async function inspectNode(
  context: JudgeContext,
  command: Command,
  run: Run,
): Promise<Outcome<'inspect'>> {
  const request = await nodeRequest(context, command, run);
  const { outcome, guarded } = await judgeClosely(context, run, { gate: 'inspector', ...request });
  if (outcome.result !== 'passed' || guarded.length === 0) return outcome;
  const text = [
    'The tools of the project can not decide this. Approve it, or send it back:',
    ...guarded,
  ].join('\n');
  return { result: 'guarded', text };
}

/** Everything that was merged, against what the run started from. */
export async function judgeAll(
  context: JudgeContext,
  run: Run,
  gate: 'inspector' | 'tester',
): Promise<Outcome<'inspect_all'>> {
  return judge(context, run, {
    gate,
    node: wholeRun,
    commit: await readTip(context.git, run.run),
    base: await commitOf(context.git, baseRef(run.run)),
    whole: gate === 'tester',
  });
}
