import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { readPlan } from '../../src/engines/orchestrator/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import type { AnyOutcome } from '../../src/stores/runs/index.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

interface Checked {
  waits: Array<{ nodes: string[]; path: string }>;
  touches: Array<{ node: string; path: string; probability: number; why: string }>;
  estimate?: { one_milliseconds: number; many_milliseconds: number; cost: number; recorded: number };
}

function open() {
  const repository = testRepository();
  repository.commit('start', { 'README.md': '# shop\n', 'src/other.ts': 'export const other = 1;\n' });
  for (let count = 1; count <= 8; count++)
    repository.commit(`price ${count}`, {
      'src/price.ts': `export const price = ${count};\n`,
      'src/receipt.ts': `import { price } from './price.ts';\nexport const receipt = price + ${count};\n`,
    });
  for (let count = 1; count <= 8; count++)
    repository.commit(`basket ${count}`, { 'src/basket.ts': `export const basket = ${count};\n` });
  const env = { ...process.env, SYLK_HOME: temporaryDirectory('home') };
  const app = openApp({ directory: repository.path, env });
  onTestFinished(() => app.close());
  const check = async (text: string): Promise<Checked> => {
    const caller = { kind: 'person' as const, name: 'person' };
    const outcome = await runOperation(app, { name: 'check_plan', input: { text }, caller });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as Checked;
  };
  return { app, check };
}

const text = `
prompt: Round prices
nodes:
  - { id: price, agent: engineer, prompt: Round the value, touches: [src/price.ts] }
  - { id: paper, agent: engineer, prompt: Print the total, touches: [src/receipt.ts] }
  - { id: basket, agent: engineer, prompt: Count items, touches: [src/basket.ts] }`;

test('a plan is completed with files that changed together before, and nodes that meet there wait for each other', async () => {
  const { check } = open();
  const { touches, waits, estimate } = await check(text);
  expect(touches).toContainEqual(
    expect.objectContaining({
      node: 'price',
      path: 'src/receipt.ts',
      why: 'changed in 100 % of the commits of src/price.ts',
    }),
  );
  for (const { node, probability } of touches)
    expect(probability).toBeLessThanOrEqual(node === 'basket' ? 0.2 : 1);
  expect(waits.map(({ nodes }) => nodes)).toEqual([['price', 'paper']]);
  expect(estimate).toBeUndefined();
});

test('what a plan will take is estimated from what nodes took before', async () => {
  const { app, check } = open();
  const runs = await app.runs();
  const plan = readPlan('prompt: x\nnodes: [{ id: a, agent: engineer, prompt: x }]');
  const { run } = await runs.create({ session: 's', prompt: 'x', plan });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  const outcomes: AnyOutcome[] = [
    { result: 'done', commit: 'c', output: '', cost: 2 },
    { result: 'passed' },
    { result: 'passed' },
    { result: 'merged', commit: 'm' },
  ];
  for (const outcome of outcomes) {
    const [command] = (await runs.state(run)).open;
    await runs.answer(command?.id ?? '', outcome);
  }
  const { estimate } = await check(text);
  expect(estimate).toMatchObject({ cost: 6, recorded: 1 });
  expect(estimate?.one_milliseconds).toBeGreaterThanOrEqual(estimate?.many_milliseconds ?? Infinity);
});

test('a person names a plan from where they stand, an agent only one of the repository', async () => {
  const repository = testRepository();
  const plan = 'prompt: x\nnodes: [{ id: a, agent: engineer, prompt: x }]\n';
  repository.commit('start', { 'plans/x.yaml': plan, 'src/y.yaml': plan, 'src/a.ts': '' });
  const outside = join(temporaryDirectory('plans'), 'o.yaml');
  writeFileSync(outside, plan);
  const from = join(repository.path, 'src');
  const app = openApp({ directory: from, env: { ...process.env, SYLK_HOME: temporaryDirectory('home') } });
  const check = async (path: string, kind: 'person' | 'agent') => {
    const outcome = await runOperation(app, {
      name: 'check_plan',
      input: { path },
      caller: { kind, name: 'a' },
    });
    return outcome.ok ? 'read' : outcome.error.code;
  };
  const paths = [
    '../plans/x.yaml',
    'y.yaml',
    'plans/x.yaml',
    '../z.yaml',
    outside,
    relative(from, outside),
    '../../x.yaml',
  ];
  const results: string[][] = [];
  for (const path of paths) results.push([await check(path, 'person'), await check(path, 'agent')]);
  expect(results).toEqual([
    ['read', 'read'],
    ['read', 'read'],
    ['read', 'read'],
    ['NOT_FOUND', 'NOT_FOUND'],
    ['read', 'DENIED'],
    ['read', 'DENIED'],
    ['NOT_FOUND', 'DENIED'],
  ]);
  await app.close();
}, 60_000);
