import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createBus } from '../../src/engines/guide/index.ts';
import {
  copyEvents,
  decide,
  type RunState,
  readPlan,
  taskListener,
} from '../../src/engines/orchestrator/index.ts';
import { type MessageType, openMessages } from '../../src/stores/messages/index.ts';
import { openRuns } from '../../src/stores/runs/index.ts';
import { openTranscripts } from '../../src/stores/transcripts/index.ts';
import { databases, openForTest } from '../support/libraries.ts';

const plan = readPlan(`
prompt: Add a limiter
nodes:
  - { id: limiter, agent: engineer, prompt: Write it }
  - { id: docs, agent: engineer, prompt: Describe it, depends_on: [limiter] }`);

describe.each(databases)('runs on the bus, on $name', ({ freshUrl }) => {
  /** A process of its own: what it opens on a library that others use too. */
  function open(url: string, patience = 0) {
    const library = openForTest(url);
    const runs = openRuns<RunState>({ library, clock: systemClock, decide });
    const bus = createBus({
      messages: openMessages({ library, clock: systemClock }),
      sessions: { find: async (id) => ({ id, name: id, state: 'active', agents: [] }) },
    });
    onTestFinished(() => bus.close());
    const hops: string[] = [];
    const shown: unknown[] = [];
    bus.watch(({ type, source, target }) => void hops.push(`${source} → ${target} ${type}`));
    const transcripts = openTranscripts({ library, clock: systemClock });
    bus.listen(
      taskListener(
        async () => runs,
        async () => transcripts,
        patience,
      ),
    );
    copyEvents(runs, { events: { publish: (_, copy) => void shown.push(copy) }, bus: async () => bus });
    const say = async (type: MessageType, payload: unknown, given: { source?: string; id?: string } = {}) =>
      (await bus.request({ type, payload, session_id: 's', source: 'user', ...given })).payload;
    return { library, runs, bus, hops, shown, say, transcripts };
  }

  async function start({ runs }: ReturnType<typeof open>) {
    const { run } = await runs.create({ session: 's', prompt: plan.prompt, plan });
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    return run;
  }

  test('what happens to a run is told on the bus and leaves nothing behind that waits', async () => {
    const opened = open(await freshUrl());
    const { bus, hops, shown } = opened;
    const heard: unknown[] = [];
    bus.listen({ agent: 'architect', respond: async ({ payload }) => void heard.push(payload) });
    const run = await start(opened);
    await bus.idle();
    expect(hops.toSorted()).toEqual(
      [
        'orchestrator → user PLAN_RESPONSE',
        'orchestrator → architect DAG_STATUS',
        'orchestrator → architect PLAN_APPROVED',
        'orchestrator → orchestrator DAG_EXECUTE',
        'orchestrator → architect DAG_STATUS',
        'orchestrator → engineer TASK_DISPATCH',
      ].toSorted(),
    );
    expect(heard).toContainEqual({ run, revision: 1 });
    expect(shown).toContainEqual(
      expect.objectContaining({ type: 'TASK_DISPATCH', metadata: { pipeline_id: `task:${run}/1` } }),
    );
    expect(await bus.stored()).toEqual([]);
  });

  test('what a person says to a task is an event, once, in any process and however the task is named', async () => {
    const url = await freshUrl();
    const first = open(url);
    const run = await start(first);
    await first.bus.idle();
    const second = open(url);
    await second.bus.idle();
    const prompt = { task: '1', message: 'mind the clock' };
    expect(await second.say('USER_TASK_PROMPT', prompt, { id: 'm1' })).toEqual({
      text: `task:${run}/1 (limiter) is working.`,
    });
    // Two connections of one process can't wait for each other.
    await second.bus.idle();
    await first.say('USER_TASK_PROMPT', prompt, { id: 'm1' });
    await first.say('USER_TASK_QUERY', { task: `task:${run}/1`, message: 'what is done?' });
    expect(await first.say('USER_TASK_QUERY', { task: 'docs', message: 'what is done?' })).toEqual({
      text: `task:${run}/2 (docs) is pending.`,
    });
    await first.bus.idle();
    await second.say('USER_IGNORE_TESTER', { task: 'limiter' });
    await second.say('USER_TASK_INTERRUPT', { task: '1' });
    await second.say('USER_TASK_CANCEL', { task: '2' });
    await second.bus.idle();
    const events = (await first.runs.events(run)).slice(2);
    expect(events.map(({ type }) => type)).toEqual([
      'node_prompted',
      'node_prompted',
      'gate_overridden',
      'node_interrupted',
      'node_cancelled',
    ]);
    const { nodes, open: commands } = await first.runs.state(run);
    expect(nodes.map(({ ending, stage }) => ending ?? stage)).toEqual(['paused', 'cancelled']);
    expect(commands).toHaveLength(1);
    await second.bus.idle();
    expect(second.hops).toContain('orchestrator → pipeline USER_TASK_CANCEL');
    expect(await second.bus.deadLetters()).toMatchObject({ items: [] });
  });

  test('a question is answered by the engineer in its own words; of a node that nobody works on the state is told', async () => {
    const { runs, transcripts, say, ...opened } = open(await freshUrl(), 20_000);
    const run = await start({ runs, transcripts, say, ...opened });
    const name = { run, node: 'limiter' };
    await transcripts.append(name, 0, [{ kind: 'said', text: 'Not this.', calls: [], finish: 'stop' }]);
    const asked = say('USER_TASK_QUERY', { task: '1', message: 'which files?' });
    const question = 'which files?';
    const hears = async () => (await runs.events(run)).some(({ type }) => type === 'node_prompted');
    while (!(await hears())) await new Promise((resolve) => setTimeout(resolve, 20));
    await transcripts.append(name, 1, [
      { kind: 'said', text: 'Still at work.', calls: [], finish: 'stop' },
      { kind: 'told', from: 'question', text: question },
      { kind: 'said', text: 'Only limit.ts.', calls: [], finish: 'stop', answers: [question] },
    ]);
    expect(await asked).toEqual({
      text: `task:${run}/1 (limiter) is working. Its engineer answers: Only limit.ts.`,
    });
    // It asks for nothing: a later leg is not told of it as a wish.
    expect((await runs.state(run)).nodes[0]?.feedback).toEqual([]);
    expect(await say('USER_TASK_QUERY', { task: '2', message: question })).toEqual({
      text: `task:${run}/2 (docs) is pending.`,
    });
  });

  test('a closed task says so, a stranger and an unknown task are refused, and nothing is recorded', async () => {
    const opened = open(await freshUrl());
    const run = await start(opened);
    await opened.runs.move(run, { type: 'node_cancelled', node: 'docs' }, 'cancel');
    const refusal = async (payload: unknown, source = 'user') => {
      const reply = await opened.say('USER_TASK_PROMPT', payload, { source });
      return (reply as { refused?: { code: string } }).refused?.code;
    };
    expect(await refusal({ task: '2', message: 'x' })).toBe('PIPELINE_CLOSED');
    expect(await refusal({ task: '1', message: 'x' }, 'client:cursor')).toBe('DENIED');
    expect(await refusal({ task: '3', message: 'x' })).toBe('NOT_FOUND');
    expect(await refusal({ task: '1' })).toBe('VALIDATION_ERROR');
    expect(await refusal({ task: 'task:run_nowhere/1', message: 'x' })).toBe('NOT_FOUND');
    expect(await opened.runs.events(run)).toHaveLength(3);
    await opened.runs.move(run, { type: 'cancelled' }, 'cancel all');
    await opened.runs.answer(`${run}:2:0`, { result: 'stopped', cost: 0 });
    expect(await refusal({ task: '1', message: 'x' })).toBe('PIPELINE_CLOSED');
  });

  test('a message whose event can not be written is not taken, and is delivered again', async () => {
    const opened = open(await freshUrl());
    const run = await start(opened);
    let failures = 1;
    const { runs } = opened;
    const failing = taskListener(
      async () => ({
        ...runs,
        move: async (...given: Parameters<typeof runs.move>) => {
          const state = await runs.move(...given);
          if (failures-- > 0) throw new Error('the disk is full');
          return state;
        },
      }),
      async () => opened.transcripts,
    );
    const other = createBus({
      messages: openMessages({ library: opened.library, clock: systemClock }),
      sessions: { find: async (id) => ({ id, name: id, state: 'active', agents: [] }) },
    });
    onTestFinished(() => other.close());
    other.listen(failing);
    await other.request({
      type: 'USER_TASK_PROMPT',
      payload: { task: '1', message: 'once' },
      session_id: 's',
      source: 'user',
    });
    expect((await runs.events(run)).filter(({ type }) => type === 'node_prompted')).toHaveLength(1);
    expect((await runs.state(run)).nodes[0]?.feedback).toHaveLength(1);
  });
});
