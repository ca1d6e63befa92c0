import { SylkError } from '../../base/errors.ts';
import type { Git } from '../../base/git/index.ts';
import type { Command, Outcome } from '../../stores/runs/index.ts';
import type { RecordedStep, Transcripts } from '../../stores/transcripts/index.ts';
import { type Brief, type Permits, runLeg, type Worker, type WorkTool } from '../agents/index.ts';
import type { Execution, Executors } from '../execution/index.ts';
import type { InspectionEngine } from '../inspection/index.ts';
import { nodeOf, type RunState, upstreamOutputs } from '../orchestrator/index.ts';
import type { NodeTrees } from '../worktrees/index.ts';
import { gateOutcome } from './gate-outcome.ts';
import { baseRef, branchOf, readResult, summaryText } from './one-node.ts';

export interface PipelineContext {
  git: Git;
  trees: NodeTrees;
  transcripts: Transcripts;
  inspection: () => Promise<InspectionEngine>;
  /** Who does the work of a role. */
  worker(role: string): Promise<Worker>;
  permits: () => Promise<Permits>;
  tools: WorkTool[];
  /** What the memory has about a task, with where it comes from. */
  recall(task: string, files: string[]): Promise<string>;
  /** Command lines that the project is checked with. */
  checks: () => Promise<string[]>;
  gateMinutes: number;
  onStep(step: RecordedStep, node: string): void;
}

type Run = Execution<RunState>;

/** What carries out a run of one node: everything but planning and advice, which need an Architect. */
export function createExecutors(context: PipelineContext): Executors<RunState> {
  const judge = (gate: 'inspector' | 'tester') => (command: Command, run: Run) =>
    judgeCommit(context, command, run, gate);
  return {
    work: (command, run) => work(context, command, run),
    inspect: judge('inspector'),
    test: judge('tester'),
    merge: (command, run) => merge(context, command, run),
    advise: async () => ({ result: 'unsure', cost: 0 }),
    plan: async () => ({ result: 'failed', message: 'Nobody plans here: give the whole task.', cost: 0 }),
    plan_tests: async () => ({ result: 'none', cost: 0 }),
    // The merged commit is the one that both judges have passed.
    inspect_all: async (_, run) => requireJudged(await run.readState()),
    test_all: async (_, run) => requireJudged(await run.readState()),
    summarise: async (_, run) => {
      const text = summaryText(await readResult(context, await run.readState()));
      return { result: 'done', text, cost: 0 };
    },
  };
}

async function work(context: PipelineContext, command: Command, run: Run): Promise<Outcome<'work'>> {
  const { trees, transcripts, tools } = context;
  const state = await run.readState();
  const brief = await briefOf(context, command, state);
  const base = await context.git.text(['rev-parse', '--verify', `${baseRef(run.run)}^{commit}`]);
  const { budget } = state.limits;
  return runLeg({
    brief,
    worker: await context.worker(brief.role),
    tree: await trees.open({ run: run.run, node: brief.node, base }),
    transcripts,
    permits: await context.permits(),
    tools,
    budget: budget === undefined ? undefined : Math.max(0, budget - state.spent),
    epoch: run.epoch,
    signal: run.signal,
    readSignals: run.readSignals,
    onStep: (step) => context.onStep(step, brief.node),
  });
}

async function briefOf(context: PipelineContext, command: Command, state: RunState): Promise<Brief> {
  const node = nodeOf(state, command.node);
  if (!node) throw new SylkError('NOT_FOUND', `The run has no node ${JSON.stringify(command.node)}.`);
  const { spec } = node;
  const files = [...spec.context.relevant_files, ...spec.touches.map(({ path }) => path)];
  return {
    run: state.run,
    session: state.session,
    node: node.id,
    leg: command.leg ?? 1,
    role: spec.agent,
    task: spec.prompt,
    constraints: spec.context.constraints,
    criteria: spec.compliance_criteria,
    upstream: Object.entries(upstreamOutputs(state, node)).map(([id, output]) => ({ node: id, output })),
    context: await context.recall(spec.prompt, files),
    checks: await context.checks(),
    feedback: command.feedback ?? [],
    message: command.message,
  };
}

const categories = {
  inspector: ['formatter', 'linter', 'type_checker'],
  tester: ['test_framework'],
} as const;

async function judgeCommit(
  context: PipelineContext,
  { commit = '', node = '' }: Command,
  run: Run,
  gate: 'inspector' | 'tester',
): Promise<Outcome<'inspect'>> {
  const { transcripts, inspection, gateMinutes } = context;
  const report = await (await inspection()).check({
    subject: { commit },
    base: await context.git.text(['rev-parse', '--verify', `${baseRef(run.run)}^{commit}`]),
    judges: 'base',
    only: [...categories[gate]],
    timeoutMs: gateMinutes * 60_000,
    signal: run.signal,
    progress: () => undefined,
  });
  const { outcome, note } = gateOutcome(report);
  const name = { run: run.run, node };
  const last = (await transcripts.steps(name)).at(-1)?.number ?? 0;
  const [step] = await transcripts.append(name, last, [
    { kind: 'note', about: `${gate} ${commit}`, text: note },
  ]);
  if (step) context.onStep(step, node);
  return outcome;
}

/** Moves the branch of the run to a judged commit, and only from where that commit was made. */
async function merge(
  { git, trees }: PipelineContext,
  { commit = '', node = '' }: Command,
  run: Run,
): Promise<Outcome<'merge'>> {
  const state = await run.readState();
  const branch = `refs/heads/${branchOf(state)}`;
  const base = await git.text(['rev-parse', '--verify', `${baseRef(run.run)}^{commit}`]);
  const parent = await git.text(['rev-parse', '--verify', `${commit}^`]);
  const tip = await git.text(['rev-parse', '--verify', '--quiet', branch], { accept: [1] });
  if (tip === commit) return { result: 'merged', commit };
  if (tip !== '' || parent !== base)
    return { result: 'broken', message: `${branchOf(state)} was moved by somebody else.` };
  await git.run(['update-ref', branch, commit, '0'.repeat(commit.length)]);
  await trees.remove({ run: run.run, node });
  return { result: 'merged', commit };
}

function requireJudged({ nodes }: RunState): Outcome<'inspect_all'> {
  const merged = nodes.filter((node) => node.merged !== undefined);
  return merged.length === 1 && merged.every((node) => node.merged === node.commit)
    ? { result: 'passed' }
    : { result: 'broken', message: 'Several nodes were merged: nobody has judged them together.' };
}
