import { expect, test } from 'vitest';
import { commandKinds, moveSchema, outcomeSchemas } from '../../stores/runs/index.ts';
import { decide, type RunState, readPlan, tellStory } from './index.ts';
import texts from './story.json' with { type: 'json' };

test('there is a sentence for every move, every end of every command, and every command', () => {
  const wanted = [
    'created',
    ...moveSchema.options.map(({ shape }) => shape.type.value),
    ...commandKinds.flatMap((kind) => {
      const schema = outcomeSchemas[kind];
      const ends = 'options' in schema ? schema.options : [schema];
      return ends.map(({ shape }) => `${kind} ${shape.result.value}`);
    }),
  ];
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(wanted));
  expect(Object.keys(texts.does).sort()).toEqual([...commandKinds].sort());
});

test('a run reads like a story: when, what happened, what followed, one line each', () => {
  const plan = readPlan('prompt: Round prices\nnodes: [{ id: price, agent: engineer, prompt: Round them }]');
  const limits = { concurrency: 1, loops: 3, handovers: 1, fix_rounds: 1, plan_attempts: 1 };
  const story = tellStory([
    { type: 'created', run: 'r', session: 's', prompt: 'Round prices', limits, plan, at: 5000 },
    { type: 'plan_approved', revision: 1, start: true, remarks: 'keep it\nsmall', at: 6000 },
    {
      type: 'answered',
      command: 'r:2:0',
      outcome: { result: 'parked', reason: 'rate limit', wake_at: 96_000, cost: 0 },
      at: 66_000,
    },
    { type: 'answered', command: 'r:3:0', outcome: { result: 'woke' }, at: 3_696_000 },
    { type: 'node_prompted', node: 'price', message: 'hurry', at: 3_697_000 },
    { type: 'answered', command: 'r:2:0', outcome: { result: 'stopped', cost: 0 }, at: 3_698_000 },
  ]);
  expect(story).toEqual([
    '1.  0:00:00  The run was created: Round prices → the run is proposed',
    '2.  0:00:01  Revision 1 of the plan was approved, with the remark: keep it / small. → work on price, the run is running',
    '3.  0:01:01  price: the work has to wait: rate limit → price waits for 0:00:30',
    '4.  1:01:31  price: the wait is over. → work on price (leg 2)',
    '5.  1:01:32  price: a person said: hurry → price is told at once',
    '6.  1:01:33  An answer came too late and changed nothing (r:2:0).',
  ]);
});

test('the story of a plan names its size', () => {
  const plan = readPlan('prompt: x\nnodes: [{ id: a, agent: engineer, prompt: x }]');
  const limits = { concurrency: 1, loops: 3, handovers: 1, fix_rounds: 1, plan_attempts: 1 };
  const created = { type: 'created', run: 'r', session: 's', prompt: 'x', limits, at: 0 } as const;
  const state: RunState = decide(undefined, created).state;
  const [command] = state.open;
  const written = { result: 'planned', plan, cost: 0 } as const;
  const story = tellStory([
    created,
    { type: 'answered', command: command?.id ?? '', outcome: written, at: 0 },
  ]);
  expect(story.at(-1)).toBe('2.  0:00:00  A plan of 1 node was written. → the run is proposed');
});
