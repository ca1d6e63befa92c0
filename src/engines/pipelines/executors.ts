import { SylkError } from '../../base/errors.ts';
import type { Git } from '../../base/git/index.ts';
import type { ModelDelta } from '../../base/model/index.ts';
import type { Role } from '../../stores/roles/index.ts';
import type { Command, Outcome } from '../../stores/runs/index.ts';
import {
  type Brief,
  type LegRequest,
  type Permits,
  runLeg,
  type Worker,
  type WorkTool,
} from '../agents/index.ts';
import type { Execution, Executors } from '../execution/index.ts';
import { nodeOf, type RunState, upstreamOutputs } from '../orchestrator/index.ts';
import { type HeldRefs, mergeCommits, type NodeTree } from '../worktrees/index.ts';
import type { Architect } from './architect.ts';
import { inspectNode, type JudgeContext, judgeAll, sayOnce, testNode } from './judging.ts';
import { landRun, publishBranch } from './landing.ts';
import { type MergeContext, mergeNode, revertNode } from './merging.ts';
import { branchOf } from './one-node.ts';
import { planByRule } from './planning.ts';
import {
  baseRef,
  commitOf,
  findCommit,
  holdRefs,
  lastCheckpoint,
  leftRef,
  nodeBaseRef,
  readTip,
} from './run-refs.ts';
import { readRun, runText } from './run-result.ts';
import { type CheckoutWatch, watchCheckout } from './watched.ts';

export interface PipelineContext extends JudgeContext, MergeContext {
  /** Who does the work of a role. */
  worker(role: string): Promise<Worker>;
  permits: () => Promise<Permits>;
  tools: WorkTool[];
  /** What the memory has about a task, with where it comes from. */
  recall(task: string, files: string[]): Promise<string>;
  /** What the agent of a role that only answers says to a task. */
  consult(role: string, task: string, signal: AbortSignal): Promise<{ text: string; cost: number }>;
  /** A role as its files say it is. */
  roleOf?: ((name: string) => Promise<Role | undefined>) | undefined;
  /** Command lines that the project is checked with. */
  checks: () => Promise<string[]>;
  /** Where there is one; without it plans are made by rule and questions go to the person. */
  architect: Architect | undefined;
  /** Shows what a model says while it says it. */
  onDelta?: ((delta: ModelDelta, node: string) => void) | undefined;
  /** Whether others may go on with a node from another clone: what the transcript tells must then be in the hub. */
  isShared: boolean;
  /** Halts a run until a person resumes it. */
  stop(run: string, reason: string): Promise<void>;
}

type Run = Execution<RunState>;

/** What carries out the commands of a run. */
export function createExecutors(context: PipelineContext): Executors<RunState> {
  const checkout = watchCheckout({
    git: context.git,
    stop: context.stop,
    tell: sayOnce(context, 'checkout'),
  });
  const { during: watch } = checkout;
  const { architect } = context;
  /** For what writes no ref: commits of other machines are fetched first. */
  const reading =
    <Answer>(execute: (command: Command, run: Run) => Promise<Answer>) =>
    async (command: Command, run: Run): Promise<Answer> => {
      await context.refs.read(run.run);
      return execute(command, run);
    };
  return {
    work: watch((command, run) => work(context, command, run, checkout)),
    consult: watch((command, run) => consult(context, command, run)),
    inspect: watch(reading((command, run) => inspectNode(context, command, run))),
    test: watch(reading((command, run) => testNode(context, command, run))),
    merge: watch((command, run) => mergeNode(context, command, run)),
    revert: watch((command, run) => revertNode(context, command, run)),
    land: watch(reading((command, run) => landRun(context, command, run, checkout))),
    advise: async (command, run) =>
      architect
        ? architect.advise(await run.readState(), command, run.signal)
        : { result: 'unsure', cost: 0 },
    plan: async (command, run) => {
      const state = await run.readState();
      return architect ? architect.plan(state, command, run.signal) : planByRule(state, command);
    },
    plan_tests: async (command, run) => {
      if (!architect) return { result: 'none', cost: 0 };
      await context.refs.read(run.run);
      const change = await changeText(context.git, run.run);
      return architect.planTests(await run.readState(), command, change, run.signal);
    },
    inspect_all: watch(reading((_, run) => judgeAll(context, run, 'inspector'))),
    test_all: watch(reading((_, run) => judgeAll(context, run, 'tester'))),
    summarise: watch((command, run) => summarise(context, command, run, checkout)),
  };
}

async function work(
  context: PipelineContext,
  command: Command,
  run: Run,
  checkout: CheckoutWatch,
): Promise<Outcome<'work'>> {
  const { git, trees, transcripts, tools } = context;
  const state = await run.readState();
  const brief = await briefOf(context, command, state);
  const refs = await holdRefs(context.refs, command, run);
  const base = await openBase(git, refs, run.run, brief.node);
  const { budget } = state.limits;
  const name = { run: run.run, node: brief.node };
  const left = leftRef(run.run, brief.node);
  // Another machine went on with the node since: what lies here is older than its last checkpoint.
  if (!refs.wasHere) await trees.remove(name);
  const earlier = async () =>
    (await lastCheckpoint(git, { ...name, leg: brief.leg })) ||
    (await findCommit(git, left)) ||
    command.commit;
  const tree = await trees.open({
    ...name,
    base,
    content: async () => earlierWork(git, base, await earlier()),
  });
  await refs.write(left, '');
  const worker = await context.worker(brief.role);
  const leg: LegRequest = {
    brief,
    worker,
    tree: sharing(tree, refs),
    savesEachStep: context.isShared,
    transcripts,
    permits: await context.permits(),
    tools,
    role: await context.roleOf?.(brief.role),
    budget: budget === undefined ? undefined : Math.max(0, budget - state.spent),
    epoch: run.epoch,
    signal: run.signal,
    readSignals: run.readSignals,
    onStep: (step) => context.onStep(step, brief.node),
    onDelta: context.onDelta && ((delta) => context.onDelta?.(delta, brief.node)),
  };
  if (await worker.isConfined(brief.role)) return runLeg(leg);
  return checkout.around(run.run, `${brief.node} worked without a sandbox`, () => runLeg(leg));
}

/** A commit of the tree is one of the run once whoever takes over can find it. */
const sharing = (tree: NodeTree, refs: HeldRefs): NodeTree => ({
  ...tree,
  commit: async (message, ref) => {
    const made = await tree.commit(message, ref);
    await refs.write(ref, made.commit);
    return made;
  },
});

/** What is merged when a node begins, with everything that it depends on; a merge that did not go moves it on. */
async function openBase(git: Git, refs: HeldRefs, run: string, node: string): Promise<string> {
  const ref = nodeBaseRef(run, node);
  const recorded = await findCommit(git, ref);
  if (recorded !== '') return recorded;
  const tip = await readTip(git, run);
  return (await refs.move(ref, tip, '')) ? tip : commitOf(git, ref);
}

/** What the node has done so far, on top of its base. */
async function earlierWork(git: Git, base: string, commit: string | undefined): Promise<string> {
  if (commit === undefined) return base;
  if ((await git.text(['merge-base', base, commit])) === base) return commit;
  return (await mergeCommits(git, base, commit)).tree;
}

async function consult(
  context: PipelineContext,
  { node: id }: Command,
  run: Run,
): Promise<Outcome<'consult'>> {
  const node = nodeOf(await run.readState(), id);
  if (!node) throw new SylkError('NOT_FOUND', `The run has no node ${JSON.stringify(id)}.`);
  const { text, cost } = await context.consult(node.spec.agent, node.spec.prompt, run.signal);
  return { result: 'done', output: text, cost };
}

const mostOfChange = 40_000;

/** What the run has changed so far: every file by name, and as much of the lines as is worth reading. */
async function changeText(git: Git, run: string): Promise<string> {
  const ends = [baseRef(run), await readTip(git, run)];
  const files = await git.text(['diff', '--no-color', '--no-ext-diff', '--stat=200', ...ends]);
  const lines = await git.text(['diff', '--no-color', '--no-ext-diff', ...ends]);
  return `${files}\n\n${lines}`.slice(0, mostOfChange);
}

async function summarise(
  context: PipelineContext,
  command: Command,
  run: Run,
  checkout: CheckoutWatch,
): Promise<Outcome<'summarise'>> {
  const { git } = context;
  const state = await run.readState();
  const branch = branchOf(state);
  const tip = await readTip(git, run.run);
  const isChanged = tip !== (await commitOf(git, baseRef(run.run)));
  const refs = await holdRefs(context.refs, command, run);
  const publish = () => publishBranch(git, refs, branch, tip);
  const isPublished = !isChanged || (await checkout.around(run.run, `${branch} was written`, publish));
  const text = runText(await readRun(context, state));
  return {
    result: 'done',
    text: isPublished
      ? text
      : `${text}\nThe branch ${branch} was moved by somebody else: it was left as it is.`,
    cost: 0,
  };
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
    tools: spec.context.tools,
    feedback: command.feedback ?? [],
    message: command.message,
  };
}
