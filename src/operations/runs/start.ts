import { z } from 'zod';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { requireRevision } from '../../base/git/index.ts';
import { newId } from '../../base/ids.ts';
import { checkPlan, estimatePlan, type RunState, readPlan } from '../../engines/orchestrator/index.ts';
import * as pipelines from '../../engines/pipelines/index.ts';
import type { Plan } from '../../stores/runs/index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { estimateLines, preparePlan, readPlanFile } from './check-plan.ts';
import { carryOut, isOfTeam } from './execute.ts';
import { exitOf, renderRun, runView, viewRun } from './view.ts';
import { openArchitect, openWorkerFor, workerInput } from './workers.ts';

const planInput = {
  task: z.string().min(1).max(100_000).optional().describe('what you want'),
  from: z.string().optional().describe('a file with a plan (YAML, JSON, or Markdown with a table)'),
  base: z.string().optional().describe('branch or commit to start from; default: HEAD'),
  budget: z.coerce.number().positive().optional().describe('US dollars that it may cost'),
  concurrency: z.coerce.number().int().min(1).max(64).optional().describe('nodes at work side by side'),
  loops: z.coerce
    .number()
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('how often each judge may send a node back'),
  ...workerInput,
};

export const startRun = operation({
  name: 'start_run',
  summary:
    "Lets a team work on a plan: each node in a copy of the repository, judged by the project's own tools, merged into one branch. You approve the plan first.",
  effect: 'setup',
  live: 'lines',
  input: z.object({
    ...planInput,
    yes: z.boolean().default(false).describe('approve the plan as it is'),
    plan_only: z.boolean().default(false).describe('show the plan and stop there'),
  }),
  output: runView,
  examples: [{ from: 'plan.yaml' }],
  command: { positionals: ['task'], rest: true },
  isFailure: exitOf,
  render: renderRun,
  run: async (input, context) => {
    const { app, signal } = context;
    const plan = await planOf(context, input, openArchitect(context, input) !== undefined);
    // Before anything is begun: without a worker there is nothing to begin.
    if (!input.plan_only && !isOfTeam(app)) await openWorkerFor(app, 'engineer', input);
    const begun = await propose(context, input, plan);
    const { run } = begun;
    context.emit({ type: 'text', text: run });
    const choice = { model: input.model, agent: input.agent, architect: input.architect };
    const view = begun.proposal ? undefined : await carryOut(context, run, choice);
    const state = await (await app.runs()).state(run);
    const { proposal, revision } = state;
    if (view && !proposal) return view;
    if (proposal) context.emit({ type: 'text', text: await proposalText(context, proposal.plan) });
    if (input.plan_only || !isApproved(context, input.yes)) return viewRun(app, state);
    await (await app.runs()).move(run, { type: 'plan_approved', revision, start: true }, newId('move'));
    // Which tests a change reaches is read from the index.
    await (await app.code()).update({ signal });
    return carryOut(context, run, choice);
  },
});

export const proposeRun = operation({
  name: 'propose_run',
  summary:
    'Proposes a plan of work for a team, as a run that waits for a person to approve and start it. Starts and spends nothing.',
  effect: 'write',
  input: z.object({
    ...planInput,
    plan: z.string().max(2_000_000).optional().describe('the text of the plan, instead of a file'),
  }),
  output: runView,
  examples: [{ from: 'plan.yaml' }],
  command: { positionals: ['task'], rest: true },
  render: renderRun,
  run: async (input, context) =>
    viewRun(context.app, await propose(context, input, await planOf(context, input, false))),
});

type Proposed = { plan?: string | undefined } & Partial<
  Pick<
    z.output<typeof startRun.input>,
    'task' | 'from' | 'base' | 'budget' | 'concurrency' | 'loops' | 'model' | 'agent' | 'architect'
  >
>;

/** With an Architect, a task without a plan is created without one: planning is the first command of the run. */
async function propose(
  { app, caller }: OperationContext,
  input: Proposed,
  plan: Plan | undefined,
): Promise<RunState> {
  const prompt = plan?.prompt ?? input.task ?? '';
  const base = await startingCommit(app, input.base);
  const { sessions } = await app.memory();
  const { budget, concurrency, loops, model, agent, architect } = input;
  const session = await sessions.create({
    name: prompt.split('\n', 1)[0]?.slice(0, 80) ?? '',
    metadata: { started_by: caller.name, model, agent, architect },
  });
  const limits = Object.fromEntries(
    Object.entries({ budget, concurrency, loops }).filter(([, value]) => value !== undefined),
  );
  return pipelines.proposeRun(
    { runs: await app.runs(), refs: await app.runRefs() },
    { prompt, plan, session: session.id, base, limits },
  );
}

/** A plan that was written by hand, or one pipeline for what is wanted; undefined where the Architect writes it. */
async function planOf(
  context: OperationContext,
  { task, from, plan: text }: Proposed,
  hasArchitect: boolean,
): Promise<Plan | undefined> {
  const written = text ?? (from === undefined ? undefined : readPlanFile(context, from));
  if (written !== undefined) return (await preparePlan(context, readPlan(written), from)).plan;
  if (task === undefined)
    throw new SylkError('VALIDATION_ERROR', 'No task given.', {
      hint: 'sylk run "what you want", or sylk run --from plan.yaml',
    });
  if (hasArchitect) return undefined;
  const one = { prompt: task, nodes: [{ id: 'work', agent: 'engineer', prompt: task }] };
  return (await preparePlan(context, readPlan(JSON.stringify(one)))).plan;
}

/** The plan as a person reads it before they approve it. */
async function proposalText({ app }: OperationContext, plan: Plan): Promise<string> {
  const estimate = estimatePlan(plan, await (await app.runs()).recorded());
  const { waits } = checkPlan(plan);
  const wide = Math.max(...plan.nodes.map(({ id }) => id.length));
  const nodes = plan.nodes.map(({ id, agent, prompt, depends_on, touches }, at) => {
    const certain = touches.filter(({ probability }) => probability >= 0.5).map(({ path }) => path);
    return [
      `${at + 1}. ${id.padEnd(wide)}  ${prompt.split('\n', 1)[0]?.slice(0, 120)}`,
      ...(agent === 'engineer' ? [] : [`by the ${agent}`]),
      ...(depends_on.length > 0 ? [`after ${depends_on.join(', ')}`] : []),
      ...(certain.length > 0 ? [`probably in ${certain.slice(0, 5).join(', ')}`] : []),
    ].join(' · ');
  });
  return [plan.prompt.split('\n', 1)[0]?.slice(0, 200), ...nodes, ...estimateLines({ waits, estimate })].join(
    '\n',
  );
}

async function startingCommit({ git }: App, base: string | undefined): Promise<string> {
  const name = base === undefined ? 'HEAD' : requireRevision(base);
  return git.text(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
}

function isApproved({ caller }: OperationContext, yes: boolean): boolean {
  if (yes) return true;
  if (caller.unattended) return false;
  return system.askOnTerminal('Start? Type yes: ')?.toLowerCase() === 'yes';
}
