import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createGit } from '../../src/base/git/index.ts';
import { openPool } from '../../src/engines/execution/index.ts';
import {
  createBoard,
  decide,
  type RunState,
  readPlan,
  runHasEnded,
  writeBoard,
} from '../../src/engines/orchestrator/index.ts';
import { type AnyOutcome, openRuns } from '../../src/stores/runs/index.ts';
import { openWork, type TaskRecord } from '../../src/stores/work/index.ts';
import { databases, openForTest } from '../support/libraries.ts';
import { testRepository } from '../support/repository.ts';

const pipelines = { feature: ['NEW', 'ACTIVE', 'CLOSED'], task: ['NEW', 'ACTIVE', 'TO_BE_TESTED', 'CLOSED'] };
const text = `
prompt: Add a limiter
nodes:
  - { id: limiter, agent: engineer, prompt: Write it, touches: [src/limit.ts], compliance_criteria: [Has tests] }
  - { id: docs, agent: engineer, prompt: Describe it, depends_on: [limiter] }`;

const ada = { actor: 'ada' };
const person = { actor: 'grace', person: true };

describe.each(databases)('the plan of a run on the work board, on $name', ({ freshUrl }) => {
  async function open() {
    const library = openForTest(await freshUrl());
    let now = Date.parse('2026-01-01');
    const clock = { ...systemClock, now: () => now };
    const work = openWork({ library, clock, pipelines });
    const runs = openRuns<RunState>({
      library,
      clock,
      decide,
      alongside: ({ before, state }) => writeBoard(work, before, state, async () => undefined),
    });
    const repository = testRepository();
    const commit = repository.commit('limit', { 'src/limit.ts': 'export {};\n' });
    const board = createBoard({ library, work, runs: async () => runs, git: createGit(repository.path) });
    const tasks = async (): Promise<TaskRecord[]> => {
      const { items } = await work.searchContainers({ kind: 'task', limit: 10, offset: 0 });
      return items.filter((item): item is TaskRecord => 'title' in item).toSorted(byTitle);
    };
    const wait = (milliseconds: number) => {
      now += milliseconds;
    };
    return { work, runs, board, commit, tasks, wait };
  }
  const byTitle = (left: TaskRecord, right: TaskRecord) => (left.title < right.title ? 1 : -1);
  type Opened = Awaited<ReturnType<typeof open>>;

  /** An approved plan; started, its first node is at work. */
  async function approve({ runs, tasks }: Opened, start = false) {
    const plan = readPlan(text);
    const { run } = await runs.create({ session: 's', prompt: plan.prompt, plan });
    expect(await tasks()).toEqual([]);
    await runs.move(run, { type: 'plan_approved', revision: 1, start }, 'approve');
    const [limiter, docs] = await tasks();
    if (!limiter || !docs) throw new Error('a task is missing');
    return { run, limiter, docs };
  }
  /** Answers the command of a node that is open. */
  async function answer({ runs }: Opened, run: string, kind: string, outcome: AnyOutcome) {
    const command = (await runs.state(run)).open.find((each) => each.kind === kind);
    if (!command) throw new Error(`no ${kind} is open`);
    await runs.answer(command.id, outcome);
  }

  test('an approved plan is a feature with a task for each node, held by the run, in the order of the plan', async () => {
    const opened = await open();
    const { run, limiter, docs } = await approve(opened);
    expect([limiter, docs].map(({ title, status, blockedBy }) => ({ title, status, blockedBy }))).toEqual([
      { title: 'limiter: Write it', status: 'NEW', blockedBy: [] },
      { title: 'docs: Describe it', status: 'NEW', blockedBy: [limiter.id] },
    ]);
    expect(limiter.claim).toMatchObject({ by: `run:${run}`, live: true });
    const sections = { entityType: 'TASK', entityId: limiter.id, includeContent: true } as const;
    expect((await opened.work.querySections(sections)).map(({ title, content }) => [title, content])).toEqual(
      [
        ['Context files', '- src/limit.ts'],
        ['Verification', '- Has tests'],
      ],
    );
    const features = await opened.work.searchContainers({ kind: 'feature', limit: 10, offset: 0 });
    expect(features.items).toMatchObject([{ id: limiter.featureId, name: 'Add a limiter', status: 'NEW' }]);
    opened.wait(3 * 86_400_000);
    expect(await opened.work.nextTask({})).toBeUndefined();
    expect(
      await opened.work.claimTask(ada, { claimant: 'ada', leaseSeconds: 60 }),
      'nobody gets it without asking for it',
    ).toBeUndefined();
  });

  test('a task is closed when its node is merged, and writing the same board again changes nothing', async () => {
    const opened = await open();
    const { run } = await approve(opened, true);
    const pool = openPool({
      runs: opened.runs,
      clock: systemClock,
      executors: {
        work: async () => ({ result: 'done', commit: 'c', output: '', cost: 0 }),
        inspect: async () => ({ result: 'passed' }),
        test: async () => ({ result: 'passed' }),
        merge: async () => ({ result: 'merged', commit: 'm' }),
        inspect_all: async () => ({ result: 'passed' }),
        plan_tests: async () => ({ result: 'none', cost: 0 }),
        test_all: async () => ({ result: 'passed' }),
        summarise: async () => ({ result: 'done', text: 'added', cost: 0 }),
      },
    });
    for await (const _ of opened.runs.follow(run)) if (runHasEnded(await opened.runs.state(run))) break;
    await pool.stop();
    const tasks = await opened.tasks();
    expect(tasks).toMatchObject([
      { status: 'CLOSED', blockedBy: [], claim: null },
      { status: 'CLOSED', blockedBy: [], claim: null },
    ]);
    const state = await opened.runs.state(run);
    await writeBoard(opened.work, undefined, state, async () => undefined);
    expect(await opened.tasks()).toEqual(tasks);
    const features = await opened.work.searchContainers({ kind: 'feature', limit: 1, offset: 0 });
    expect(features.items).toMatchObject([{ status: 'CLOSED' }]);
    expect(
      await opened.work.updateContainer(ada, {
        kind: 'task',
        id: tasks[0]?.id ?? '',
        version: tasks[0]?.version ?? 0,
        summary: 'a word',
      }),
      'what is over belongs to everybody',
    ).toMatchObject({ summary: 'a word' });
  });

  test('an outsider claims a task by its id, hands in a commit, and the node takes the same gates', async () => {
    const opened = await open();
    const { board, commit } = opened;
    const { run, limiter } = await approve(opened);
    const claim = await board.claimTask(ada, { id: limiter.id, claimant: 'ada', leaseSeconds: 60 });
    expect(claim?.task.claim).toMatchObject({ by: 'ada', expiresAt: '2026-01-01T00:01:00.000Z' });
    expect((await opened.runs.events(run)).at(-1)).toMatchObject({
      type: 'node_claimed',
      node: 'limiter',
      by: 'ada',
    });
    await opened.runs.move(run, { type: 'started' }, 'start');
    expect((await opened.runs.state(run)).open.map(({ kind }) => kind)).toEqual(['wake']);
    const advance = (by: typeof person, given?: { commit?: string; claimToken?: string }) =>
      board.advance(by, { kind: 'task', id: limiter.id, version: 0, ...given });
    await expect(advance({ ...ada, person: false })).rejects.toThrow('handed in with a commit');
    await expect(advance({ ...ada, person: false }, { commit: 'abcdef0' })).rejects.toThrow('no commit');
    await expect(advance({ actor: 'bob', person: false }, { commit })).rejects.toThrow('claimed by ada');
    const reply = await advance(
      { actor: 'bob', person: false },
      { commit: 'main', claimToken: claim?.claimToken ?? '' },
    );
    expect(reply).toMatchObject({ transition: { from: 'ACTIVE', to: 'TO_BE_TESTED' }, terminal: false });
    expect((await opened.runs.state(run)).open).toMatchObject([{ kind: 'inspect', commit }]);
    await answer(opened, run, 'inspect', { result: 'findings', text: 'unused' });
    expect((await opened.tasks())[0]).toMatchObject({ status: 'ACTIVE', claim: { by: 'ada' } });
    await advance(person, { commit });
    await answer(opened, run, 'inspect', { result: 'passed' });
    await answer(opened, run, 'test', { result: 'passed' });
    expect((await opened.tasks())[0]?.status).toBe('TO_BE_TESTED');
    await answer(opened, run, 'merge', { result: 'merged', commit: 'm' });
    expect((await opened.tasks()).map(({ status, blockedBy }) => ({ status, blockedBy }))).toEqual([
      { status: 'CLOSED', blockedBy: [] },
      { status: 'ACTIVE', blockedBy: [] },
    ]);
  });

  test('a claim that is not renewed goes back to the run, one that is renewed does not', async () => {
    const opened = await open();
    const { board, limiter, run } = { ...opened, ...(await approve(opened)) };
    const claim = await board.claimTask(ada, { id: limiter.id, claimant: 'ada', leaseSeconds: 60 });
    const held = { id: limiter.id, claimToken: claim?.claimToken ?? '' };
    opened.wait(50_000);
    const renewed = await board.renewClaim({ ...held, leaseSeconds: 60 });
    expect(renewed).toMatchObject({ claimToken: held.claimToken });
    expect(renewed.task.claim?.expiresAt).toBe('2026-01-01T00:01:50.000Z');
    expect((await opened.runs.state(run)).open).toHaveLength(1);
    await answer(opened, run, 'wake', { result: 'woke' });
    expect((await opened.tasks())[0]).toMatchObject({ status: 'NEW', claim: { by: `run:${run}` } });
    await expect(board.renewClaim({ ...held, leaseSeconds: 60 })).rejects.toThrow('has ended');
    const again = await board.claimTask(ada, { id: limiter.id, claimant: 'ada', leaseSeconds: 60 });
    await board.releaseClaim(ada, { id: limiter.id, claimToken: again?.claimToken ?? '' });
    expect((await opened.runs.state(run)).nodes[0]).toMatchObject({ stage: 'pending' });
  });

  test('edits of the board that the plan decides are refused with the reason, and a person drops a node', async () => {
    const opened = await open();
    const { work, board, tasks } = opened;
    const { run, limiter, docs } = await approve(opened, true);
    const belongs = `belongs to run:${run}`;
    const liar = { actor: `run:${run}` };
    const target = { kind: 'task' as const, id: docs.id, version: docs.version };
    await expect(work.updateContainer(liar, { ...target, name: 'other' })).rejects.toThrow(belongs);
    await expect(work.removeContainer(person, { ...target, cascade: true })).rejects.toThrow(belongs);
    await expect(work.unblock(person, { ...target, blockedBy: [limiter.id] })).rejects.toThrow(belongs);
    await expect(work.advance(person, target)).rejects.toThrow(belongs);
    await expect(
      work.createContainer(ada, {
        kind: 'task',
        name: 'more',
        summary: 'more',
        priority: 'LOW',
        complexity: 1,
        featureId: docs.featureId ?? '',
      }),
    ).rejects.toThrow(belongs);
    await expect(board.claimTask(ada, { id: limiter.id, claimant: 'ada', leaseSeconds: 60 })).rejects.toThrow(
      "it can't be claimed",
    );
    await expect(board.advance(person, { ...target, id: limiter.id })).rejects.toThrow(
      'works on this task itself',
    );
    await expect(board.terminate(ada, target)).rejects.toThrow('Only a person');
    await board.terminate(person, target);
    expect((await tasks())[1]).toMatchObject({ status: 'WILL_NOT_IMPLEMENT', claim: null });
    expect((await opened.runs.events(run)).at(-1)).toMatchObject({ type: 'node_dropped', node: 'docs' });
  });

  test('a new revision writes new tasks, changes others and takes out those that are left out', async () => {
    const opened = await open();
    const { run, limiter } = await approve(opened);
    const plan = readPlan(`
prompt: Add a limiter
nodes:
  - { id: limiter, agent: engineer, prompt: Write it, touches: [src/limits.ts] }
  - { id: tests, agent: tester, prompt: Test it, depends_on: [limiter] }`);
    await opened.runs.move(run, { type: 'plan_edited', plan, revision: 1 }, 'edit');
    await opened.runs.move(run, { type: 'plan_approved', revision: 2, start: false }, 'approve again');
    expect((await opened.tasks()).map(({ title, status }) => `${title} ${status}`)).toEqual([
      'tests: Test it NEW',
      'limiter: Write it NEW',
      'docs: Describe it WILL_NOT_IMPLEMENT',
    ]);
    const sections = { entityType: 'TASK', entityId: limiter.id, includeContent: true } as const;
    expect((await opened.work.querySections(sections)).map(({ content }) => content)).toEqual([
      '- src/limits.ts',
    ]);
  });

  test('an event whose board can not be written does not happen, and nobody is told of it', async () => {
    const library = openForTest(await freshUrl());
    const told: string[] = [];
    const runs = openRuns<RunState>({
      library,
      clock: systemClock,
      decide,
      alongside: async ({ event }) => {
        if (event.type === 'plan_approved') throw new Error('no board');
      },
    });
    runs.onEvent(({ event }) => void told.push(event.type));
    const { run } = await runs.create({ session: 's', prompt: 'x', plan: readPlan(text) });
    await expect(
      runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve'),
    ).rejects.toThrow('no board');
    const outer = library.write(async () => {
      await runs.move(run, { type: 'cancelled' }, 'cancel');
      expect(told, 'not before the outermost write is committed').toEqual(['created']);
      throw new Error('undone');
    });
    await expect(outer).rejects.toThrow('undone');
    expect(told).toEqual(['created']);
    expect((await runs.state(run)).status).toBe('proposed');
  });
});
