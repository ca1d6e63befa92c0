import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { newOwner } from '../../src/base/durable/index.ts';
import { readPlan } from '../../src/engines/orchestrator/index.ts';
import { proposeRun } from '../../src/engines/pipelines/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import type { AnyOutcome } from '../../src/stores/runs/index.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Runs whose commands a test answers itself: nobody works. */
function open() {
  const repository = testRepository();
  repository.commit('start', { 'README.md': '# shop\n' });
  const commit = repository.commit('more', { 'src/shop.ts': 'export const shop = 1;\n' });
  const env = { ...process.env, SYLK_HOME: temporaryDirectory('home') };
  const app = openApp({ directory: repository.path, env });
  onTestFinished(() => app.close());
  const ask = (name: string, input: object, caller: object = {}) =>
    runOperation(app, { name, input, caller: { kind: 'person', name: 'ada', ...caller } });
  const create = async (...ids: string[]) => {
    const nodes = ids.map((id) => ({ id, agent: 'engineer', prompt: `Do ${id}` }));
    const plan = readPlan(JSON.stringify({ prompt: 'All of it', nodes }));
    const runs = await app.runs();
    const request = { prompt: plan.prompt, plan, session: 'one', base: commit, limits: { loops: 0 } };
    const { run } = await proposeRun({ runs, refs: await app.runRefs() }, request);
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    return run;
  };
  const answer = async (run: string, ...outcomes: AnyOutcome[]) => {
    const runs = await app.runs();
    for (const outcome of outcomes) {
      const [command] = (await runs.state(run)).open;
      await runs.answer(command?.id ?? '', outcome);
    }
  };
  return { app, repository, commit, ask, create, answer };
}

const passed: AnyOutcome = { result: 'passed' };
const summary: AnyOutcome = { result: 'done', text: 'All of it.', cost: 0 };
const whole: AnyOutcome[] = [passed, { result: 'none', cost: 0 }, passed, summary];
const finished = (commit: string): AnyOutcome[] => [
  { result: 'done', commit, output: 'Did it.', cost: 0 },
  passed,
  passed,
  { result: 'merged', commit },
];

test('a message to a run that has ended is refused, and does not begin it again', async () => {
  const { app, commit, ask, create, answer } = open();
  const run = await create('shop');
  await answer(run, ...finished(commit), ...whole);
  const runs = await app.runs();
  expect((await runs.state(run)).status).toBe('completed');
  expect(await ask('message_run', { run, message: 'thanks' })).toMatchObject({
    ok: false,
    error: { code: 'INVALID_OPERATION', hint: expect.stringContaining('sylk run "') },
  });
  expect((await runs.state(run)).status).toBe('completed');
});

test('a message without a terminal is said by the command line, not by the person', async () => {
  const { app, ask, create } = open();
  const run = await create('shop');
  const say = async (caller: object) => {
    await ask('message_run', { run, node: 'shop', message: 'hello there' }, caller);
    return (await (await app.runs()).events(run)).at(-1);
  };
  const said = 'Said by "command line", not by the person: hello there';
  expect(await say({ name: 'person', unattended: true })).toMatchObject({ message: said });
  expect(await say({})).toMatchObject({ message: 'hello there' });
});

test('a dropped node that could not be taken out says so, in the lines of the run and in its result', async () => {
  const { app, commit, ask, create, answer } = open();
  const run = await create('shop');
  await answer(run, ...finished(commit), ...whole);
  await ask('drop_node', { run, node: 'shop' });
  await answer(run, { result: 'conflict', text: 'Later work builds on it in src/shop.ts.' }, passed, summary);
  const lines: string[] = [];
  const shown = await runOperation(app, {
    name: 'watch_run',
    input: { run },
    caller: { kind: 'person', name: 'ada' },
    onEvent: (event) => lines.push(event.type === 'run' ? event.text : ''),
  });
  const reason = 'It could not be undone: Later work builds on it in src/shop.ts.';
  expect(lines).toContain(`shop  was not taken out: ${reason}`);
  expect(shown).toMatchObject({
    output: { status: 'completed', nodes: [{ stage: 'done', error: reason }] },
  });
  if (!shown.ok) throw new Error(shown.error.message);
  expect(shown.operation.render?.(shown.output, { verbose: false })).toContain(reason);
  expect(shown.operation.isFailure?.(shown.output)).toBe(1);
});

test('the end of an id that several runs have is refused with their ids, and so is an empty one', async () => {
  const { app, ask } = open();
  const runs = await app.runs();
  for (const id of ['run_1a', 'run_2a', 'run_2b']) await runs.create({ session: 's', prompt: 'x' }, id);
  expect(await ask('stop_run', { run: 'a', for_good: true })).toMatchObject({
    error: { code: 'CONFLICT', hint: expect.stringMatching(/run_1a.*run_2a|run_2a.*run_1a/) },
  });
  expect(await ask('stop_run', { run: '', for_good: true })).toMatchObject({
    error: { code: 'VALIDATION_ERROR' },
  });
  for (const id of ['run_1a', 'run_2a', 'run_2b']) expect((await runs.state(id)).status).toBe('planning');
});

test('a budget that is set answers what waits because of the old one; a run that has ended takes none', async () => {
  const { app, commit, ask, create, answer } = open();
  const run = await create('shop');
  await ask('set_run_budget', { run, dollars: 1 });
  await answer(run, { result: 'context_full', bundle: 'half of it', cost: 1.5 });
  const asks = async () => (await (await app.runs()).state(run)).open.filter(({ kind }) => kind === 'ask');
  expect(await asks()).toMatchObject([{ subject: 'budget' }]);
  expect(await ask('set_run_budget', { run, dollars: '4' })).toMatchObject({
    output: { budget: 4, needs_you: [] },
  });
  expect(await asks()).toEqual([]);
  await answer(run, ...finished(commit), ...whole);
  expect(await ask('set_run_budget', { run, dollars: 5 })).toMatchObject({
    error: { code: 'INVALID_OPERATION' },
  });
});

test('a run whose refs were removed still tells what is known of it', async () => {
  const { app, repository, commit, ask, create, answer } = open();
  const run = await create('shop');
  await answer(run, ...finished(commit), ...whole);
  const refs = repository.git('for-each-ref', '--format=%(refname)', `refs/sylk/${run}`).split('\n');
  for (const ref of refs) repository.git('update-ref', '-d', ref);
  expect(await ask('get_run', { run, story: true })).toMatchObject({
    output: { status: 'completed', base: '', files: [], nodes: [{ files: ['src/shop.ts'] }] },
  });
  const bare = await (await app.runs()).create({ session: 's', prompt: 'x' });
  expect(await ask('get_run', { run: bare.run, story: true })).toMatchObject({ ok: true });
});

test('a run that no process carries out is interrupted, one that asks waits for the person', async () => {
  const { app, commit, ask, create, answer } = open();
  const runs = await app.runs();
  const run = await create('shop');
  const claim = (owner: string) =>
    runs.claim({ owner, kinds: ['work'], leaseMilliseconds: 60_000, busy: new Map(), perSession: 1 });
  const shown = async () => {
    const texts = [await ask('list_runs', {}), await ask('get_run', { run })].map((outcome) =>
      outcome.ok ? outcome.operation.render?.(outcome.output, { verbose: false }) : '',
    );
    return texts.join('\n');
  };
  // A process that has ended holds the lease, then one that runs.
  await claim(newOwner().replace(/\/\d+\//, '/4194305/'));
  expect((await shown()).match(/interrupted: sylk run resume run_/g)).toHaveLength(2);
  expect(await shown()).not.toContain('at work');
  await claim(newOwner());
  expect(await shown()).not.toContain('interrupted');
  expect(await shown()).toContain('at work');
  await answer(run, { result: 'done', commit, output: '', cost: 0 }, { result: 'findings', text: 'red' });
  expect((await shown()).match(/waits for you/g)).toHaveLength(2);
});

test('nodes are found by run, by session, and those at work alone, each with its address', async () => {
  const { commit, ask, create, answer } = open();
  const [first, second] = [await create('shop', 'price'), await create('basket')];
  await answer(second, ...finished(commit), ...whole);
  const list = async (input: object) => {
    const outcome = await ask('list_pipelines', input);
    if (!outcome.ok) throw new Error(outcome.error.message);
    const { pipelines } = outcome.output as {
      pipelines: Array<{ task: string; node: string; stage: string }>;
    };
    return pipelines.map(({ task, node, stage }) => `${task} ${node} ${stage}`).toSorted();
  };
  const ofFirst = [`task:${first}/1 shop working`, `task:${first}/2 price working`];
  expect(await list({ run: first })).toEqual(ofFirst);
  expect(await list({ active: true })).toEqual(ofFirst);
  expect(await list({ session: 'one' })).toEqual([...ofFirst, `task:${second}/1 basket done`].toSorted());
  expect(await list({ session: 'other' })).toEqual([]);
});
