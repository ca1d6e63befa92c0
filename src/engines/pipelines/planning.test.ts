import { expect, test } from 'vitest';
import type { Model } from '../../base/model/index.ts';
import { planSchema } from '../../stores/runs/index.ts';
import { checkPlan, decide, type RunState } from '../orchestrator/index.ts';
import { createArchitect } from './architect.ts';
import { planByRule } from './planning.ts';

const limits = { concurrency: 1, loops: 1, handovers: 1, fix_rounds: 1, plan_attempts: 2 };

function stateOf(prompt: string): RunState {
  const plan = planSchema.parse({ prompt, nodes: [{ id: 'work', agent: 'engineer', prompt }] });
  const event = { type: 'created', run: 'run_1', session: 'ses_1', prompt, limits, plan, at: 1 } as const;
  const created = decide(undefined, event).state;
  return decide(created, { type: 'plan_approved', revision: 1, start: true, at: 2 }).state;
}

test('without an Architect there is one node for what is wanted, a fix is one more, and a change comes after all of it', () => {
  const state = stateOf('Add a limit');
  const plans = (['first', 'fix', 'change'] as const).map((purpose) =>
    planByRule(state, { id: 'c', kind: 'plan', purpose, message: `the ${purpose}` }),
  );
  const nodes = plans.map((outcome) => (outcome.result === 'planned' ? outcome.plan.nodes : []));
  expect(nodes.map((each) => each.map(({ id, depends_on }) => [id, depends_on]))).toEqual([
    [['work', []]],
    [['fix-1', []]],
    [
      ['work', []],
      ['change-1', ['work']],
    ],
  ]);
  expect(nodes[1]?.[0]?.prompt).toContain('the fix');
  for (const outcome of plans)
    if (outcome.result === 'planned') expect(checkPlan(outcome.plan).problems).toEqual([]);
});

function architectSaying(text: string) {
  const asked: string[] = [];
  const usage = {
    inputTokens: 1000,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 100,
    measured: true,
  };
  const model: Model = {
    id: 'test/model',
    window: 100_000,
    maxOutput: 1000,
    price: undefined,
    stream: async ({ messages }) => {
      asked.push(JSON.stringify(messages));
      return {
        text,
        toolCalls: [],
        finish: 'stop',
        usage,
        attempts: 1,
        message: { role: 'assistant', text, toolCalls: [] },
      };
    },
  };
  const architect = createArchitect({
    open: async () => model,
    recall: async () => 'decided before: no limits',
    complete: async (plan) => ({ ...plan, policy: { ...plan.policy, max_concurrency: 2 } }),
  });
  return { architect, asked };
}

const command = { id: 'c', kind: 'plan', purpose: 'first', message: 'Add a limit' } as const;
const { signal } = new AbortController();

test('what the Architect answers is a plan, completed from the memory, or goes back with the reasons', async () => {
  const good = '{"prompt":"Add a limit","nodes":[{"id":"limit","agent":"engineer","prompt":"Write it"}]}';
  const { architect, asked } = architectSaying(`Here it is:\n\`\`\`json\n${good}\n\`\`\``);
  const planned = await architect.plan(stateOf('Add a limit'), command, signal);
  expect(planned).toMatchObject({
    result: 'planned',
    plan: { nodes: [{ id: 'limit' }], policy: { max_concurrency: 2 } },
  });
  expect(asked[0]).toContain('decided before: no limits');
  const bad = await architectSaying('{"nodes":[{"id":"x","agent":"engineer"}]}').architect.plan(
    stateOf('x'),
    command,
    signal,
  );
  expect(bad).toMatchObject({ result: 'failed', message: expect.stringContaining('prompt') });
});

test('an engineer gets the advice of the Architect, and the person is asked where it is not sure', async () => {
  const question = { id: 'c', kind: 'advise', node: 'work', message: 'Which limit?' } as const;
  const { architect, asked } = architectSaying('Ten a second.');
  expect(await architect.advise(stateOf('Add a limit'), question, signal)).toMatchObject({
    result: 'advised',
    text: 'Ten a second.',
  });
  expect(asked[0]).toContain('Which limit?');
  const unsure = architectSaying('UNSURE');
  expect(await unsure.architect.advise(stateOf('x'), question, signal)).toMatchObject({ result: 'unsure' });
});
