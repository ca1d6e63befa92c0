import { z } from 'zod';
import type { App } from '../../app.ts';
import { type RunState, runHasEnded, waitingShare } from '../../engines/orchestrator/index.ts';
import { branchOf, costText, needsYou, readRun } from '../../engines/pipelines/index.ts';

const nodeView = z.object({
  number: z.number(),
  id: z.string(),
  agent: z.string(),
  prompt: z.string(),
  depends_on: z.array(z.string()),
  stage: z.string(),
  legs: z.number(),
  loops: z.object({ inspector: z.number(), tester: z.number(), merge: z.number() }),
  commit: z.string().optional(),
  files: z.array(z.string()),
  output: z.string(),
  error: z.string().optional(),
  cost: z.number(),
  tokens: z.object({ input: z.number(), cached: z.number(), output: z.number() }),
});

export const needView = z.object({
  id: z.string(),
  node: z.string().optional(),
  question: z.string(),
  options: z.array(z.string()),
});

/** A run as every command about runs answers it. */
export const runView = z.object({
  run: z.string(),
  prompt: z.string(),
  session: z.string(),
  status: z.string(),
  standing: z.string().describe('the status, or: waits for you, interrupted'),
  phase: z.string(),
  number: z.number().describe('how many events it has'),
  base: z.string().describe('the commit that it started from; empty where its refs were removed'),
  branch: z.string().optional(),
  commit: z.string().optional().describe('what is merged of it so far'),
  nodes: z.array(nodeView),
  files: z.array(z.string()),
  gates: z.array(z.string()).describe("what the project's own tools said of everything together"),
  review: z.array(z.string()).describe('changes to what judges changes: for you to look at'),
  lost_lines: z.array(z.string()).describe('lines that a merge left out'),
  touches: z.object({ expected: z.number(), met: z.number(), unexpected: z.array(z.string()) }),
  deferred: z.array(z.string()),
  overrides: z.array(z.string()).describe('ids of judges that are ignored: NODE/JUDGE'),
  needs_you: z.array(needView),
  cost: z.number().describe('US dollars, as far as prices are known'),
  unpriced: z.number().describe('answers of a model whose price is unknown'),
  unmeasured: z.number().describe('answers whose tokens are an estimate'),
  tokens: z.object({ input: z.number(), cached: z.number(), output: z.number() }),
  budget: z.number().optional(),
  over_budget: z
    .number()
    .optional()
    .describe('US dollars past the budget: a coding agent of yours is stopped at its first report beyond it'),
  waited: z
    .number()
    .optional()
    .describe('part of the time of all nodes in which nobody worked on them; once the run has ended'),
  landed: z.string().optional(),
  error: z.string().optional(),
});
export type RunView = z.output<typeof runView>;

export async function viewRun(app: App, state: RunState): Promise<z.input<typeof runView>> {
  // What workers of a team have committed is fetched before it is told.
  await (await app.runRefs()).read(state.run, branchOf(state));
  const result = await readRun({ git: app.git, transcripts: await app.transcripts() }, state);
  const { budget, cost } = result;
  return {
    ...result,
    standing: await standingOf(app, state),
    over_budget: budget === undefined || cost <= budget ? undefined : cost - budget,
    waited: runHasEnded(state) ? waitingShare(await (await app.runs()).events(state.run)) : undefined,
  };
}

/** The status of a run as a person means it: one that nobody carries out does not run. */
export async function standingOf(app: App, state: RunState): Promise<string> {
  const { run, status, open } = state;
  if (!['planning', 'running', 'halting'].includes(status)) return status;
  if (needsYou(state).length > 0) return 'waits for you';
  // A process that only waits for a time holds nothing.
  const isForProcess = open.some(({ kind }) => kind !== 'ask' && kind !== 'wake');
  return isForProcess && !(await (await app.runs()).isHeld(run)) ? interrupted : status;
}
const interrupted = 'interrupted';
const executing = new Set(['working', 'inspecting', 'testing', 'merging', 'reverting']);

/** 0 completed, 5 where a person has to do something, 1 where it failed, was ended, or a merged node could not be taken out. */
export function exitOf({ status, needs_you, nodes }: RunView): number {
  if (status === 'completed') return nodes.some(({ stage, error }) => stage === 'done' && error) ? 1 : 0;
  return status === 'failed' || status === 'cancelled' ? 1 : needs_you.length > 0 || isHalted(status) ? 5 : 0;
}
const isHalted = (status: string): boolean => status === 'stopped' || status === 'suspended';

/** Stages of a node, as a person reads them. */
export const stageWords: Record<string, string> = {
  pending: 'not begun',
  queued: 'in line',
  working: 'at work',
  inspecting: 'being inspected',
  testing: 'being tested',
  merging: 'being merged',
  reverting: 'being taken out',
  asking: 'needs you',
  parked: 'waits',
  done: 'done',
};

export function renderRun(view: RunView): string {
  const { run, prompt, standing, nodes, budget, over_budget, waited, error, needs_you } = view;
  const wide = Math.max(...nodes.map(({ id }) => id.length), 0);
  const stands = standing === interrupted ? `interrupted: sylk run resume ${run}` : standing;
  const shown = (stage: string) => (standing === interrupted && executing.has(stage) ? interrupted : stage);
  return [
    `${run}: ${stands} · ${prompt.split('\n', 1)[0]?.slice(0, 100)}`,
    ...(error ? [error] : []),
    ...nodes.map(
      (node) =>
        `  ${node.number}. ${node.id.padEnd(wide)}  ${nodeText({ ...node, stage: shown(node.stage) })}${node.error ? `: ${node.error.split('\n', 1)[0]}` : ''}`,
    ),
    ...section('Judged by', view.gates),
    ...section('Changes to the judges, for you to look at', view.review),
    ...section('Lines that a merge left out', view.lost_lines),
    ...section('Left for later', view.deferred),
    ...(view.overrides.length > 0
      ? [`Overrides: ${view.overrides.join(', ')}. Take one back: sylk run override ${run} ID --take-back`]
      : []),
    ...needsText(run, needs_you),
    `Cost ${costText(view)}${budget === undefined ? '' : `; budget $${budget.toFixed(2)}`}${over_budget === undefined ? '' : `, passed by $${over_budget.toFixed(4)}: an agent is stopped at its first report beyond it`}`,
    ...(waited === undefined || nodes.length < 2
      ? []
      : [`Nodes waited for ${Math.round(waited * 100)} % of their time.`]),
    ...nextStep(view),
  ].join('\n');
}

function nodeText({ stage, files, commit, legs, loops }: RunView['nodes'][number]): string {
  const sent = Object.entries(loops).flatMap(([judge, count]) => (count > 0 ? [`${judge} ${count} ×`] : []));
  return [
    stageWords[stage] ?? stage,
    ...(commit && stage === 'done' ? [commit.slice(0, 10)] : []),
    ...(files.length > 0
      ? [files.slice(0, 6).join(', ') + (files.length > 6 ? ` and ${files.length - 6} more` : '')]
      : []),
    ...(sent.length > 0 ? [`sent back by ${sent.join(', ')}`] : legs > 1 ? [`${legs} legs`] : []),
  ].join(' · ');
}

const section = (title: string, lines: string[]): string[] =>
  lines.length === 0
    ? []
    : [
        `${title}:`,
        ...lines.slice(0, 20).map((line) => `  ${line.split(/\\n|\n/, 1)[0]}`),
        ...(lines.length > 20 ? [`  and ${lines.length - 20} more`] : []),
      ];

export const isOfBudget = (question: string): boolean => question.startsWith('The budget ');

export const needsText = (run: string, needs: RunView['needs_you']): string[] =>
  needs.flatMap(({ id, node, question, options }) => [
    `Needs you${node ? ` (${node})` : ''}: ${question.split('\n').slice(0, 12).join('\n  ')}`,
    id.startsWith('revision ')
      ? `  sylk run approve ${run} | sylk run show ${run} --plan`
      : id.startsWith('apr_')
        ? `  sylk approve ${id} | sylk approve ${id} --answer denied`
        : `  sylk run answer ${run} ${options.join(' | ') || (isOfBudget(question) ? 'raise DOLLARS' : '"your words"')}`,
  ]);

function nextStep({ run, status, branch, base, landed, commit }: RunView): string[] {
  if (landed) return [`Judged together with the branch that it lands on, as ${landed.slice(0, 12)}.`];
  if (status === 'completed' && branch)
    return [`Branch ${branch}: git diff ${base.slice(0, 12)}..${branch}`, `Take it: sylk run land ${run}`];
  if (status === 'stopped' || status === 'suspended') return [`Go on: sylk run resume ${run}`];
  if (status === 'failed' && commit)
    return [`What was merged is at ${commit.slice(0, 12)}. Try again: sylk run retry ${run} NODE`];
  return [];
}
