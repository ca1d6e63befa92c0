import { z } from 'zod';
import { SylkError } from '../base/errors.ts';
import { tree } from '../base/files/index.ts';
import { checkPlan, readPlan } from '../engines/orchestrator/index.ts';
import { operation } from './operation.ts';

const check = operation({
  name: 'check_plan',
  summary:
    'Checks a plan of work (YAML, JSON, or Markdown with a table): agents, ids, dependencies, cycles, order. Names what is wrong and where, and in which order its nodes can run.',
  effect: 'read',
  toolset: 'runs',
  input: z.object({
    path: z.string().optional().describe('a file of this repository'),
    text: z.string().max(2_000_000).optional().describe('the plan itself, instead of a file'),
  }),
  output: z.object({
    nodes: z.number(),
    layers: z.array(z.array(z.string())),
    problems: z.array(z.object({ node: z.string(), message: z.string() })),
  }),
  examples: [{ text: 'prompt: Add a limit\nnodes: [{id: a, agent: engineer, prompt: Write the limiter}]' }],
  command: { positionals: ['path'] },
  isBadNews: ({ problems }) => problems.length > 0,
  render: ({ nodes, layers, problems }) =>
    problems.length > 0
      ? problems.map(({ node, message }) => (node ? `${node}: ${message}` : message)).join('\n')
      : [`${nodes} nodes, no problems.`, ...layers.map((ids, at) => `${at + 1}. ${ids.join(', ')}`)].join(
          '\n',
        ),
  run: async ({ path, text }, { app }) => {
    if (text === undefined && path === undefined)
      throw new SylkError('VALIDATION_ERROR', 'No plan given.', { hint: 'sylk plan check plan.yaml' });
    const plan = readPlan(text ?? readPlanFile(app.repository.root, path ?? ''));
    return { nodes: plan.nodes.length, ...checkPlan(plan) };
  },
});

function readPlanFile(root: string, path: string): string {
  const text = tree.readText(root, path, { limit: 2_000_000 });
  if (text !== undefined) return text;
  throw new SylkError('NOT_FOUND', `This repository has no file ${JSON.stringify(path)}.`, {
    hint: 'Paths are relative to the root of the repository.',
  });
}

export const operations = [check];
