import { expect, test } from 'vitest';
import { type Model, modelError } from '../../base/model/index.ts';
import { planSchema } from '../../stores/runs/index.ts';
import { checkPlan, decide, type RunState, readSpoken } from '../orchestrator/index.ts';
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

function architectSaying(text: string, stream?: Model['stream']) {
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
    stream:
      stream ??
      (async ({ messages }) => {
        asked.push(JSON.stringify(messages));
        return {
          text,
          toolCalls: [],
          finish: 'stop',
          usage,
          attempts: 1,
          message: { role: 'assistant', text, toolCalls: [] },
        };
      }),
  };
  const architect = createArchitect({
    ask: async ({ instructions, text: task, material }, ending) => {
      const messages = [{ role: 'user' as const, text: `${task}\n${material}` }];
      const reply = await model.stream({ instructions, messages, signal: ending });
      return { ended: 'answered', text: reply.text, cost: 0 };
    },
    research: async () => 'decided before: no limits',
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

test('what only the person can know is their question; a provider that is busy is waited for', async () => {
  const saying = (ended: 'asks' | 'parked') =>
    createArchitect({
      ask: async ({ material }) => ({ ended, text: `About ${material}?`, cost: 1, wakeAt: 7 }),
      research: async () => 'limits',
      complete: async (plan) => plan,
    }).plan(stateOf('Add a limit'), command, signal);
  expect(await saying('asks')).toEqual({ result: 'asks', question: 'About limits?', cost: 1 });
  expect(await saying('parked')).toEqual({ result: 'parked', reason: 'About limits?', wake_at: 7, cost: 1 });
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

const tests = '{"prompt":"Test it","nodes":[{"id":"together","agent":"engineer","prompt":"Test both"}]}';
const testCommand = { id: 'c', kind: 'plan_tests', message: 'Only the limit' } as const;

test('tests are planned from what was changed, as nodes of a tester, or none are', async () => {
  const { architect, asked } = architectSaying(tests);
  const planned = await architect.planTests(stateOf('Add a limit'), testCommand, '+ a limit', signal);
  expect(planned).toMatchObject({
    result: 'planned',
    plan: { nodes: [{ id: 'together', agent: 'tester' }] },
  });
  for (const part of ['Only the limit', '+ a limit']) expect(asked[0]).toContain(part);
  const none = architectSaying('NONE').architect.planTests(stateOf('x'), testCommand, '', signal);
  expect(await none).toMatchObject({ result: 'none' });
});

test('a limit of the provider is waited for by whoever plans, and anything else is a failure', async () => {
  const failing = (kind: 'rate_limited' | 'malformed') =>
    architectSaying('', async () => {
      throw modelError(kind, 'no', { retryAt: 123 });
    }).architect;
  const state = stateOf('x');
  const parked = { result: 'parked', wake_at: 123 };
  expect(await failing('rate_limited').plan(state, command, signal)).toMatchObject(parked);
  expect(await failing('rate_limited').planTests(state, testCommand, '', signal)).toMatchObject(parked);
  await expect(failing('malformed').plan(state, command, signal)).rejects.toThrow('no');
});

test('planned tests are skipped by a word, and changed by others', () => {
  const proposal = { revision: 2, purpose: 'tests', plan: planSchema.parse(JSON.parse(tests)) } as const;
  const state: RunState = { ...stateOf('x'), phase: 'test', proposal };
  const said = (words: string) => readSpoken(state, words);
  expect(said('skip the tests')).toEqual({ move: { type: 'plan_rejected', revision: 2 } });
  expect(said('only the limit')).toMatchObject({
    move: { type: 'plan_rejected', message: 'only the limit' },
  });
});
