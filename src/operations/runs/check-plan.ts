import { isAbsolute, join, normalize, resolve } from 'node:path';
import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { isWithin, person, tree } from '../../base/files/index.ts';
import {
  checkPlan,
  completeTouches,
  estimatePlan,
  type PlanEstimate,
  type PlanProblem,
  parsePlanText,
  problemText,
} from '../../engines/orchestrator/index.ts';
import type { Plan } from '../../stores/runs/index.ts';
import { openCode, openHistoryView } from '../open-index.ts';
import { type OperationContext, operation } from '../operation.ts';

export const checkPlanText = operation({
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
    problems: z.array(z.object({ node: z.string(), message: z.string(), line: z.number().optional() })),
  }),
  examples: [{ text: 'prompt: Add a limit\nnodes: [{id: a, agent: engineer, prompt: Write the limiter}]' }],
  command: { positionals: ['path'] },
  isFailure: ({ problems }) => problems.length > 0,
  render: (checked) => (checked.problems.length > 0 ? problemsText(checked.problems) : planText(checked)),
  run: async ({ path, text }, context) => {
    if (text === undefined && path === undefined)
      throw new SylkError('VALIDATION_ERROR', 'Missing plan.', {
        hint: 'Usage: sylk plan check FILE. Example: sylk plan check plan.yaml',
      });
    const { plan, nodes, problems } = parsePlanText(text ?? readPlanFile(context, path ?? ''));
    return plan
      ? (await preparePlan(context, plan, path)).checked
      : { nodes, layers: [], waits: [], touches: [], problems };
  },
});

/** A plan with what the memory adds to it, and what is shown of it before it is approved. */
export async function preparePlan(context: OperationContext, given: Plan, path?: string) {
  const completed = await completeTouches(given, await touchSources(context));
  const estimate = estimatePlan(completed.plan, await (await context.app.runs()).recorded());
  // The plan itself has the words of its tasks.
  const touches = completed.added.filter((touch) => touch.path !== path);
  const { plan } = completed;
  return { plan, checked: { nodes: plan.nodes.length, ...checkPlan(plan), touches, estimate } };
}

const problemsText = (problems: PlanProblem[]): string =>
  [
    `This plan can't run: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`,
    ...problems.map((problem) => `  ${problemText(problem)}`),
  ].join('\n');

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
    ...(touches.length > 0 ? ['Probably changed too:'] : []),
    ...touches.map(
      ({ node, path, probability, why }) =>
        `  ${node}: ${path} (probability ${Math.round(probability * 100)} %, ${why})`,
    ),
    ...estimateLines({ waits, estimate }),
  ].join('\n');

/** Who waits for whom, and what it will take. */
export const estimateLines = ({ waits, estimate }: Pick<CheckedText, 'waits' | 'estimate'>): string[] => [
  ...waits.map(
    ({ nodes, path }) => `${nodes.join(' and ')} both change ${path}: they run one after the other.`,
  ),
  estimate ? estimateText(estimate) : 'Time and cost: unknown, no node of a run was finished here yet.',
];

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

/** A relative path is one of the directory that the person stands in, or of the root. */
/** A person may name any file of theirs; an agent one of the repository. */
export function readPlanFile(
  { app, caller }: Pick<OperationContext, 'app' | 'caller'>,
  path: string,
): string {
  const limit = 2_000_000;
  const { root, prefix } = app.repository;
  const places = [join(prefix, path), normalize(path)].filter(
    (place) => !isAbsolute(path) && isWithin(root, join(root, place)),
  );
  if (places.length === 0 && caller.kind !== 'person')
    throw new SylkError('DENIED', `${JSON.stringify(path)} is outside of the repository.`, {
      hint: 'Give the text of the plan, or a path inside of the repository.',
    });
  if (places.length === 0) return person.readText(resolve(root, prefix, path), { limit }) ?? notFound(path);
  const found = places.find((place) => tree.entry(root, place)) ?? places[0] ?? path;
  return tree.readText(root, found, { limit }) ?? notFound(path);
}

function notFound(path: string): never {
  throw new SylkError('NOT_FOUND', `File not found: ${JSON.stringify(path)}`, {
    hint: 'Paths are relative to the current directory or the repository root, or absolute.',
  });
}
