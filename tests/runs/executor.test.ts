import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { type Executors, openPool } from '../../src/engines/execution/index.ts';
import { decide, type RunState, tellStory } from '../../src/engines/orchestrator/index.ts';
import { commandKinds, openRuns, planSchema } from '../../src/stores/runs/index.ts';
import type { RunTables } from '../../src/stores/runs/tables.ts';
import { freshPostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const plan = planSchema.parse({
  prompt: 'two things',
  nodes: [
    { id: 'look', agent: 'librarian', prompt: 'look' },
    { id: 'a', agent: 'engineer', prompt: 'a', depends_on: ['look'] },
    { id: 'b', agent: 'engineer', prompt: 'b', depends_on: ['look'] },
  ],
});

/** Everything goes well. */
const good: Executors<RunState> = {
  work: async ({ node }) => ({ result: 'done', commit: `${node}1`, output: '', cost: 1 }),
  consult: async () => ({ result: 'done', output: 'here', cost: 0 }),
  inspect: async () => ({ result: 'passed' }),
  test: async () => ({ result: 'passed' }),
  merge: async () => ({ result: 'merged', commit: 'm' }),
  inspect_all: async () => ({ result: 'passed' }),
  plan_tests: async () => ({ result: 'none', cost: 0 }),
  test_all: async () => ({ result: 'passed' }),
  summarise: async () => ({ result: 'done', text: 'both are done', cost: 0 }),
};

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });

const kinds = commandKinds.filter((kind) => kind !== 'ask');

const databases: Array<[string, () => string | Promise<string>]> = [
  ['SQLite', () => join(temporaryDirectory('runs'), 'library.db')],
  ['PostgreSQL', freshPostgres],
];

function openAll(url: string) {
  const library = openLibrary({ url });
  return { library, runs: openRuns<RunState>({ library, clock: systemClock, decide }) };
}

const created = () => ({ session: 's', prompt: 'two things', plan });

describe.each(databases)('on %s', (_, freshUrl) => {
  test('an approved plan is carried out by the pool from the first command to the summary', async () => {
    const { library, runs } = openAll(await freshUrl());
    let inspected = 0;
    const executors: Executors<RunState> = {
      ...good,
      inspect: async ({ node }) =>
        node === 'a' && inspected++ === 0
          ? { result: 'findings', text: 'a.ts:1 unused' }
          : { result: 'passed' },
      work: async ({ node, leg, feedback }) => {
        if (leg === 2) expect(feedback).toEqual([{ from: 'inspector', leg: 1, text: 'a.ts:1 unused' }]);
        return { result: 'done', commit: `${node}1`, output: '', cost: 1 };
      },
    };
    const { run } = await runs.create(created());
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    const pool = openPool({ runs, clock: systemClock, executors, pollMilliseconds: 20 });
    await expect.poll(async () => (await runs.state(run)).status).toBe('completed');
    await pool.stop();
    const state = await runs.state(run);
    expect(state).toMatchObject({ summary: 'both are done', spent: 3, open: [] });
    expect(state.nodes.map(({ id, stage, legs }) => [id, stage, legs])).toEqual([
      ['look', 'done', 1],
      ['a', 'done', 2],
      ['b', 'done', 1],
    ]);
    const events = await runs.events(run);
    let folded: RunState | undefined;
    for (const { number: _, ...event } of events) folded = decide(folded, event).state;
    expect(folded).toEqual(state);
    expect(tellStory(events).join('\n')).toContain(
      'a: the inspector found: a.ts:1 unused → work on a (leg 2)',
    );
    await library.close();
  });

  test('a move that is sent twice counts once, and one that does not apply changes nothing', async () => {
    const { library, runs } = openAll(await freshUrl());
    const { run } = await runs.create(created());
    const once = await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    expect(await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve')).toEqual(
      once,
    );
    await expect(
      runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'again'),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await runs.state(run)).toEqual(once);
    expect(await runs.events(run)).toHaveLength(2);
    await library.close();
  });

  test('a second answer and one from a lease that was taken over are counted and change nothing', async () => {
    const { library, runs } = openAll(await freshUrl());
    const { run } = await runs.create(created());
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    const request = {
      owner: 'elsewhere/1/1/x',
      kinds,
      leaseMilliseconds: -1,
      busy: new Map(),
      perSession: 4,
    };
    const first = await runs.claim(request);
    const second = await runs.claim({ ...request, owner: 'elsewhere/2/1/x', leaseMilliseconds: 60_000 });
    expect(second?.command).toEqual(first?.command);
    expect(second?.epoch).toBe(2);
    expect(await runs.claim(request)).toBeUndefined();
    const id = first?.command.id ?? '';
    expect(await runs.answer(id, { result: 'done', output: 'old', cost: 0 }, first)).toBeUndefined();
    const answered = await runs.answer(id, { result: 'done', output: 'new', cost: 0 }, second);
    expect(answered?.state.nodes[0]?.output).toBe('new');
    expect(await runs.answer(id, { result: 'done', output: 'again', cost: 0 }, second)).toBeUndefined();
    expect(await runs.state(run)).toEqual(answered?.state);
    expect((await runs.commands(run))[0]).toMatchObject({ status: 'answered', late: 2 });
    await library.close();
  });

  test('an outcome that no command of its kind can have is refused', async () => {
    const { library, runs } = openAll(await freshUrl());
    const { run } = await runs.create(created());
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    const claim = await runs.claim({
      owner: 'x',
      kinds,
      leaseMilliseconds: 1000,
      busy: new Map(),
      perSession: 4,
    });
    await expect(runs.answer(claim?.command.id ?? '', { result: 'merged', commit: 'x' })).rejects.toThrow();
    await library.close();
  });

  test('stop reaches a command that is being executed, and resume starts it again', async () => {
    const { library, runs } = openAll(await freshUrl());
    const { run } = await runs.create(created());
    let tries = 0;
    const executors: Executors<RunState> = {
      ...good,
      consult: async (_, { signal }) =>
        tries++ === 0 ? untilAborted(signal) : { result: 'done', output: 'here', cost: 0 },
    };
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    const pool = openPool({ runs, clock: systemClock, executors, pollMilliseconds: 20 });
    await expect.poll(() => tries).toBe(1);
    await runs.move(run, { type: 'stopped' }, 'stop');
    await expect.poll(async () => (await runs.state(run)).status).toBe('stopped');
    await runs.move(run, { type: 'resumed' }, 'resume');
    await expect.poll(async () => (await runs.state(run)).status).toBe('completed');
    expect(tries).toBe(2);
    await pool.stop();
    await library.close();
  });

  test('what a process did not finish before it ended goes on in the next one', async () => {
    const url = await freshUrl();
    const { library, runs } = openAll(url);
    const { run } = await runs.create(created());
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    let begun = 0;
    const stuck: Executors<RunState> = {
      consult: async (_, { signal }) => {
        begun++;
        return untilAborted(signal);
      },
    };
    const pool = openPool({ runs, clock: systemClock, executors: stuck, pollMilliseconds: 20 });
    await expect.poll(() => begun).toBe(1);
    await pool.stop();
    expect((await runs.commands(run))[0]).toMatchObject({ status: 'open' });
    await library.close();
    const next = openAll(url);
    const second = openPool({ runs: next.runs, clock: systemClock, executors: good, pollMilliseconds: 20 });
    await expect.poll(async () => (await next.runs.state(run)).status).toBe('completed');
    await second.stop();
    await next.library.close();
  });

  test('a command that is claimed while the pool stops is not begun, and given back', async () => {
    const { library, runs } = openAll(await freshUrl());
    const { run } = await runs.create(created());
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    const claimed = Promise.withResolvers<void>();
    const stopping = Promise.withResolvers<void>();
    const claim: typeof runs.claim = async (request) => {
      const found = await runs.claim(request);
      claimed.resolve();
      await stopping.promise;
      return found;
    };
    let begun = 0;
    const executors: Executors<RunState> = {
      consult: async (_, { signal }) => {
        begun++;
        return untilAborted(signal);
      },
    };
    const pool = openPool({ runs: { ...runs, claim }, clock: systemClock, executors, pollMilliseconds: 20 });
    await claimed.promise;
    const stopped = pool.stop();
    stopping.resolve();
    await stopped;
    expect(begun).toBe(0);
    expect((await runs.commands(run))[0]).toMatchObject({ status: 'open' });
    await library.close();
  }, 20_000);

  test('a command that takes longer than its node may take is stopped, and tried again', async () => {
    const { library, runs } = openAll(await freshUrl());
    const slow = planSchema.parse({
      prompt: 'x',
      nodes: [
        {
          id: 'a',
          agent: 'librarian',
          prompt: 'a',
          metadata: { timeout_ms: 1000, retry: { max: 1, backoff_ms: 0 } },
        },
      ],
    });
    const { run } = await runs.create({ ...created(), plan: slow });
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    let tries = 0;
    const pool = openPool({
      runs,
      clock: systemClock,
      pollMilliseconds: 20,
      executors: {
        ...good,
        consult: async (_, { signal }) =>
          tries++ === 0 ? untilAborted(signal) : { result: 'done', output: 'here', cost: 0 },
      },
    });
    await expect.poll(async () => (await runs.state(run)).status, { timeout: 90_000 }).toBe('completed');
    await pool.stop();
    const story = tellStory(await runs.events(run)).join('\n');
    expect(story).toContain('a: no answer: It took longer than 1000 ms.');
    expect(tries).toBe(2);
    await library.close();
  });

  test('what a later version asked for, and runs that it went on with, are left to it', async () => {
    const { library, runs } = openAll(await freshUrl());
    const { run } = await runs.create(created());
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    const request = { owner: 'x', kinds, leaseMilliseconds: 1000, busy: new Map(), perSession: 4 };
    const db = library.tables<RunTables>();
    await library.write(() => db.updateTable('runs').set({ format: 99 }).execute());
    expect(await runs.claim(request)).toBeUndefined();
    await expect(runs.move(run, { type: 'stopped' }, 'stop')).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('Update Sylk'),
    });
    await library.write(() => db.updateTable('runs').set({ format: 2 }).execute());
    await library.write(() => db.updateTable('run_commands').set({ kind: 'rehearse' }).execute());
    expect(await runs.claim(request)).toBeUndefined();
    await library.write(() => db.updateTable('run_commands').set({ kind: 'consult' }).execute());
    expect((await runs.claim(request))?.command.kind).toBe('consult');
    await library.close();
  });

  test('a session with very many commands hides no command of another session', async () => {
    const { library, runs } = openAll(await freshUrl());
    const begin = async (session: string, size: number) => {
      const nodes = Array.from({ length: size }, (_, at) => ({
        id: `n${at}`,
        agent: 'engineer',
        prompt: 'x',
      }));
      const wide = planSchema.parse({ prompt: 'x', nodes, policy: { max_concurrency: 64 } });
      const limits = { concurrency: 64 };
      const { run } = await runs.create({ ...created(), session, limits, plan: wide });
      await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
    };
    for (let count = 0; count < 10; count++) await begin('busy', 60);
    await begin('quiet', 1);
    const request = { owner: 'x', kinds, leaseMilliseconds: 60_000, perSession: 100 };
    const first = await runs.claim({ ...request, busy: new Map([['busy', 1]]) });
    expect(first?.session).toBe('quiet');
    const second = await runs.claim({ ...request, busy: new Map([['busy', 100]]) });
    expect(second).toBeUndefined();
    await begin('other', 1);
    const lastServed = new Map([
      ['busy', 1],
      ['other', 2],
    ]);
    const third = await runs.claim({ ...request, busy: new Map(), lastServed });
    expect(third?.session).toBe('busy');
    await library.close();
  });

  test('a run that an earlier program left in the middle is carried to its end by this one', async () => {
    const url = await freshUrl();
    const earlier = openAll(url);
    const { run } = await earlier.runs.create(created());
    const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'run-of-format-1.json'), 'utf8'));
    const db = earlier.library.tables<RunTables>();
    await earlier.library.write(async () => {
      // A state of that format has no parts.
      await db.deleteFrom('run_parts').execute();
      await db
        .updateTable('runs')
        .set({ format: 1, state: JSON.stringify({ ...recorded.state, run }) })
        .execute();
      await db
        .insertInto('run_commands')
        .values(recorded.commands.map((row: RunTables['run_commands']) => ({ ...row, run_id: run })))
        .execute();
    });
    await earlier.library.close();
    const { library, runs } = openAll(url);
    const pool = openPool({ runs, clock: systemClock, executors: good, pollMilliseconds: 20 });
    await expect.poll(async () => (await runs.state(run)).status, { timeout: 90_000 }).toBe('completed');
    expect((await runs.state(run)).nodes).toEqual(
      recorded.state.nodes.map(({ id }: { id: string }) => expect.objectContaining({ id, stage: 'done' })),
    );
    await pool.stop();
    await library.close();
  });
});
