import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import { SylkError } from '../base/errors.ts';
import { tree } from '../base/files/index.ts';
import { pageOf, pagingInput, pagingOutput } from '../base/paging.ts';
import {
  checkPlan,
  completeTouches,
  estimatePlan,
  type PlanEstimate,
  parsePlanText,
  tellStory,
} from '../engines/orchestrator/index.ts';
import { openCode, openHistoryView } from './open-index.ts';
import { type OperationContext, operation } from './operation.ts';

const check = operation({
  name: 'check_plan',
  summary:
    'Check a plan of work (YAML, JSON, or Markdown with a table): agents, ids, dependencies, cycles, order. Reports each problem with its location, the order in which the nodes can run, the files they will probably change besides, and an estimate of time and cost.',
  effect: 'read',
  input: z.object({
    path: z.string().optional().describe('a file of this repository'),
    text: z.string().max(2_000_000).optional().describe('the plan text, instead of a file'),
  }),
  output: z.object({
    nodes: z.number(),
    layers: z.array(z.array(z.string())),
    waits: z.array(z.object({ nodes: z.array(z.string()), path: z.string() })),
    touches: z
      .array(z.object({ node: z.string(), path: z.string(), probability: z.number(), why: z.string() }))
      .describe('files that a node will probably change besides those it names'),
    estimate: z
      .object({
        one_milliseconds: z.number().describe('one node after another'),
        many_milliseconds: z.number().describe('side by side'),
        concurrency: z.number(),
        cost: z.number().describe('the same for both'),
        recorded: z.number().describe('finished nodes of earlier runs that it is made from'),
      })
      .optional()
      .describe('missing where no node of a run was finished here yet'),
    problems: z.array(z.object({ node: z.string(), message: z.string() })),
  }),
  examples: [{ text: 'prompt: Add a limit\nnodes: [{id: a, agent: engineer, prompt: Write the limiter}]' }],
  command: { positionals: ['path'] },
  isFailure: ({ problems }) => problems.length > 0,
  render: (checked) =>
    checked.problems.length > 0
      ? checked.problems.map(({ node, message }) => (node ? `${node}: ${message}` : message)).join('\n')
      : planText(checked),
  run: async ({ path, text }, context) => {
    const { app } = context;
    if (text === undefined && path === undefined)
      throw new SylkError('VALIDATION_ERROR', 'Missing plan.', {
        hint: 'Usage: sylk plan check FILE. Example: sylk plan check plan.yaml',
      });
    const { plan, problems } = parsePlanText(text ?? readPlanFile(app.repository.root, path ?? ''));
    const nothing = { nodes: plan?.nodes.length ?? 0, layers: [], waits: [], touches: [] };
    if (!plan) return { ...nothing, problems };
    const asWritten = checkPlan(plan);
    if (asWritten.problems.length > 0) return { ...nothing, ...asWritten };
    const completed = await completeTouches(plan, await touchSources(context));
    const estimate = estimatePlan(completed.plan, await (await app.runs()).recorded());
    // The plan itself has the words of its tasks.
    const touches = completed.added.filter((touch) => touch.path !== path);
    return { ...nothing, ...checkPlan(completed.plan), touches, estimate };
  },
});

/** How long to wait for files that are not searched yet. */
const patience = 10_000;

async function touchSources(context: OperationContext) {
  const { history, view } = await openHistoryView(context);
  const { code } = await openCode(context);
  const recall = await context.app.recall();
  await recall.ready({ waitMs: patience, domains: ['code', 'commits'] });
  return { history, view, code, recall };
}

interface CheckedText {
  nodes: number;
  layers: string[][];
  waits: Array<{ nodes: string[]; path: string }>;
  touches: Array<{ node: string; path: string; probability: number; why: string }>;
  estimate?: PlanEstimate | undefined;
}

const planText = ({ nodes, layers, waits, touches, estimate }: CheckedText): string =>
  [
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'}, no problems. Order:`,
    ...layers.map((ids, at) => `${at + 1}. ${ids.join(', ')}`),
    ...waits.map(
      ({ nodes, path }) => `${nodes.join(' and ')} both change ${path}: they run one after the other.`,
    ),
    ...(touches.length > 0 ? ['Probably changed too:'] : []),
    ...touches.map(
      ({ node, path, probability, why }) =>
        `  ${node}: ${path} (probability ${Math.round(probability * 100)} %, ${why})`,
    ),
    estimate ? estimateText(estimate) : 'Time and cost: unknown, no node of a run was finished here yet.',
  ].join('\n');

function estimateText({
  one_milliseconds,
  many_milliseconds,
  concurrency,
  cost,
  recorded,
}: PlanEstimate): string {
  const minutes = (milliseconds: number) => `${(milliseconds / 60_000).toFixed(1)} minutes`;
  const pays = many_milliseconds < 0.9 * one_milliseconds;
  return [
    `One after another: about ${minutes(one_milliseconds)}. Up to ${concurrency} side by side: about ${minutes(many_milliseconds)}${pays ? '' : ', which does not pay'}.`,
    `Cost: about ${cost.toFixed(2)} either way. From ${recorded} ${recorded === 1 ? 'node' : 'nodes'} of earlier runs.`,
  ].join('\n');
}

function readPlanFile(root: string, path: string): string {
  const text = tree.readText(root, path, { limit: 2_000_000 });
  if (text !== undefined) return text;
  throw new SylkError('NOT_FOUND', `File not found in this repository: ${JSON.stringify(path)}`, {
    hint: 'Paths are relative to the repository root.',
  });
}

const runSchema = z.object({
  id: z.string(),
  session: z.string(),
  prompt: z.string(),
  status: z.string(),
  phase: z.string(),
  updated_at: z.string(),
});

const list = operation({
  name: 'list_runs',
  summary: 'Runs of plans in this repository, newest first: the request, progress, and what each waits for.',
  effect: 'read',
  input: z.object({
    session: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(20),
    max_tokens: pagingInput.max_tokens,
  }),
  output: z.object({ runs: z.array(runSchema), total: pagingOutput.total }),
  examples: [{}],
  render: ({ runs }) =>
    runs
      .map(
        ({ id, status, updated_at, prompt }) =>
          `${id}  ${status}  ${updated_at}  ${prompt.split('\n', 1)[0]}`,
      )
      .join('\n') || 'No runs.',
  run: async ({ session, limit, max_tokens }, { app }) => {
    const rows = await (await app.runs()).list({ session, limit });
    const runs = rows.map(({ id, session_id, prompt, status, phase, updated_at }) => ({
      id,
      session: session_id,
      prompt,
      status,
      phase,
      updated_at: isoTime(Number(updated_at)),
    }));
    const { items, total } = await pageOf(runs, { max_tokens });
    return { runs: items, total };
  },
});

const show = operation({
  name: 'get_run',
  summary: 'One run: its nodes with their progress, what it waits for, and its events as sentences.',
  effect: 'read',
  input: z.object({ run: z.string().min(1) }),
  output: z.object({
    run: z.string(),
    status: z.string(),
    phase: z.string(),
    nodes: z.array(z.object({ id: z.string(), agent: z.string(), stage: z.string(), legs: z.number() })),
    waits_for: z.array(z.object({ command: z.string(), question: z.string(), options: z.array(z.string()) })),
    story: z.array(z.string()),
  }),
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run'] },
  render: ({ run, status, phase, nodes, waits_for, story }) =>
    [
      `${run}: ${status} (${phase})`,
      ...nodes.map(
        ({ id, agent, stage, legs }) => `  ${id}  ${agent}  ${stage}${legs > 1 ? `, ${legs} legs` : ''}`,
      ),
      ...waits_for.map(
        ({ question, options }) =>
          `Waiting for your answer: ${question} (${options.join(' | ') || 'answer in words'})`,
      ),
      '',
      ...story,
    ].join('\n'),
  run: async ({ run }, { app }) => {
    const runs = await app.runs();
    const { status, phase, nodes, open } = await runs.state(run);
    return {
      run,
      status,
      phase,
      nodes: nodes.map(({ id, spec, stage, legs }) => ({ id, agent: spec.agent, stage, legs })),
      waits_for: open
        .filter(({ kind }) => kind === 'ask')
        .map(({ id, message = '', options = [] }) => ({ command: id, question: message, options })),
      story: tellStory(await runs.events(run)),
    };
  },
});

export const operations = [check, list, show];
