import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../src/base/clock.ts';
import { openLibrary } from '../src/base/library/index.ts';
import { type Executors, openPool } from '../src/engines/execution/index.ts';
import { decide, type RunState } from '../src/engines/orchestrator/index.ts';
import { openRuns, planSchema } from '../src/stores/runs/index.ts';
import setUpPostgres, { freshPostgres } from '../tests/support/postgres.ts';
import type { Bench } from './run-named.ts';

/**
 * `npm run bench -- runs [--from DIRECTORY]`: what a command of a run costs beside what it does, and what waiting runs cost. The
 * directory has @langchain/langgraph, @langchain/langgraph-checkpoint-sqlite and @dbos-inc/dbos-sdk installed, to compare with.
 */
const runsBench: Bench = async ({ from: [anchors], words }) => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-runs-'));
  const removePostgres = setUpPostgres();
  const wanted = (name: string) => words.length === 0 || words.includes(name);
  try {
    if (wanted('waiting')) await measureWaiting(join(directory, 'waiting.db'));
    if (wanted('fair')) await measureFairness(join(directory, 'fair.db'));
    if (!wanted('overhead')) return;
    for (let round = 1; round <= 5; round++) {
      print('sylk, SQLite', round, await measureSylk(join(directory, `overhead${round}.db`)));
      print('sylk, PostgreSQL', round, await measureSylk(await freshPostgres()));
      if (!anchors) continue;
      print(
        'LangGraph, SqliteSaver',
        round,
        await measureLangGraph(anchors, join(directory, `graph${round}.db`)),
      );
      print('DBOS, PostgreSQL', round, await measureDbos(anchors, await freshPostgres()));
    }
  } finally {
    await (await launched)?.end();
    removePostgres();
    rmSync(directory, { recursive: true, force: true });
  }
};

const steps = 300;
interface Overhead {
  milliseconds: number;
  processor: number;
}

const print = (name: string, round: number, { milliseconds, processor }: Overhead) =>
  console.log(
    `${name.padEnd(24)} round ${round}: ${(milliseconds / steps).toFixed(2)} ms a step, ${(processor / steps).toFixed(2)} ms of processor time`,
  );

/** Steps one after another that do nothing: what is left is the price of remembering each. */
async function timed(work: () => Promise<void>): Promise<Overhead> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - start, processor: (user + system) / 1000 };
}

function openRunsAt(url: string) {
  const library = openLibrary({ url });
  return { library, runs: openRuns<RunState>({ library, clock: systemClock, decide }) };
}
type OpenRuns = ReturnType<typeof openRunsAt>['runs'];

const chain = (size: number) =>
  planSchema.parse({
    prompt: 'x',
    nodes: Array.from({ length: size }, (_, at) => ({
      id: `n${at}`,
      agent: 'librarian',
      prompt: 'x',
      depends_on: at === 0 ? [] : [`n${at - 1}`],
    })),
  });

async function begin(runs: OpenRuns, session: string): Promise<void> {
  const { run } = await runs.create({ session, prompt: 'x', plan: chain(1) });
  await approve(runs, run);
}

const approve = (runs: OpenRuns, run: string) =>
  runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');

/** Nodes that only answer, and a summary; `before` is called with every command. */
const answering = (before: (id: string) => void | Promise<void>): Executors<RunState> => ({
  consult: async ({ id }) => {
    await before(id);
    return { result: 'done', output: '', cost: 0 };
  },
  summarise: async ({ id }) => {
    await before(id);
    return { result: 'done', text: 'x', cost: 0 };
  },
});

const endOfNext = (runs: OpenRuns): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = runs.onEvent(({ state }) => {
      if (state.status !== 'completed') return;
      unsubscribe();
      resolve();
    });
  });

async function measureSylk(url: string): Promise<Overhead> {
  const { library, runs } = openRunsAt(url);
  // Like the graph and the workflow of the others, the plans are there before the first step.
  const planned: string[] = [];
  for (let count = 0; count < steps / 60; count++)
    planned.push((await runs.create({ session: 's', prompt: 'x', plan: chain(59) })).run);
  let left = steps;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const executors = answering(() => {
    if (--left === 0) finish();
  });
  const overhead = await timed(async () => {
    // Runs of 59 nodes and a summary, one after another.
    const pool = openPool({ runs, clock: systemClock, executors, concurrency: 1 });
    for (const run of planned) {
      const ended = endOfNext(runs);
      await approve(runs, run);
      await ended;
    }
    await finished;
    await pool.stop();
  });
  await library.close();
  return overhead;
}

// biome-ignore lint/suspicious/noExplicitAny: packages that are no dependencies have no types here
const load = async (anchors: string, name: string): Promise<any> =>
  import(createRequire(join(anchors, 'package.json')).resolve(name));

/** Its saver wants better-sqlite3; the SQLite of Node has the same calls but for two. */
function asBetterSqlite(file: string) {
  const database = new DatabaseSync(file);
  return {
    prepare: (text: string) => {
      const statement = database.prepare(text);
      const orNull = (values: SQLInputValue[]) => values.map((value) => value ?? null);
      return {
        run: (...values: SQLInputValue[]) => statement.run(...orNull(values)),
        get: (...values: SQLInputValue[]) => statement.get(...orNull(values)),
        all: (...values: SQLInputValue[]) => statement.all(...orNull(values)),
      };
    },
    exec: (text: string) => database.exec(text),
    pragma: (text: string) => database.exec(`PRAGMA ${text}`),
    transaction:
      <Args extends unknown[]>(work: (...args: Args) => unknown) =>
      (...args: Args) => {
        database.exec('BEGIN');
        const result = work(...args);
        database.exec('COMMIT');
        return result;
      },
  };
}

async function measureLangGraph(anchors: string, file: string): Promise<Overhead> {
  const { StateGraph, Annotation, START, END } = await load(anchors, '@langchain/langgraph');
  const { SqliteSaver } = await load(anchors, '@langchain/langgraph-checkpoint-sqlite');
  const graph = new StateGraph(Annotation.Root({ count: Annotation() }))
    .addNode('step', ({ count }: { count: number }) => ({ count: count + 1 }))
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ count }: { count: number }) => (count < steps ? 'step' : END))
    .compile({ checkpointer: new SqliteSaver(asBetterSqlite(file)) });
  return timed(async () => {
    await graph.invoke({ count: 0 }, { configurable: { thread_id: '1' }, recursionLimit: 2 * steps });
  });
}

let launched: ReturnType<typeof launchDbos> | undefined;

async function measureDbos(anchors: string, url: string): Promise<Overhead> {
  launched ??= launchDbos(anchors, url);
  const { workflow } = await launched;
  return timed(() => workflow(steps));
}

async function launchDbos(anchors: string, url: string) {
  const { DBOS } = await load(anchors, '@dbos-inc/dbos-sdk');
  const workflow = DBOS.registerWorkflow(
    async (count: number) => {
      for (let done = 0; done < count; done++) await DBOS.runStep(async () => 1, { name: 'step' });
    },
    { name: 'steps' },
  );
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' });
  await DBOS.launch();
  return { workflow, end: (): Promise<void> => DBOS.shutdown() };
}

/** A thousand runs, each with a leg that is under way and does nothing: an agent that waits for its model. */
async function measureWaiting(url: string): Promise<void> {
  const { library, runs } = openRunsAt(url);
  for (let count = 0; count < 1000; count++) await begin(runs, `s${count % 50}`);
  const before = process.memoryUsage().rss;
  let begun = 0;
  const executors: Executors<RunState> = {
    consult: (_, { signal }) =>
      new Promise((_, reject) => {
        begun++;
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  };
  const pool = openPool({ runs, clock: systemClock, executors, concurrency: 1000 });
  while (begun < 1000) await sleep(100);
  const usage = process.cpuUsage();
  await sleep(10_000);
  const { user, system } = process.cpuUsage(usage);
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  console.log(
    `1,000 runs with a leg that waits: ${megabytes(process.memoryUsage().rss)} MB (${megabytes(before)} MB before they began), ${((user + system) / 1e5).toFixed(1)} % of a processor`,
  );
  await pool.stop();
  await library.close();
}

/** Twenty sessions, of which one has ten times the work: how evenly they are served until the small ones are through. */
async function measureFairness(url: string): Promise<void> {
  const { library, runs } = openRunsAt(url);
  const sessions = Array.from({ length: 20 }, (_, at) => `s${at}`);
  for (let count = 0; count < 90; count++) await begin(runs, 's0');
  for (const session of sessions) for (let count = 0; count < 10; count++) await begin(runs, session);
  const served = new Map<string, number>();
  const sessionOf = new Map((await runs.list({ limit: 500 })).map(({ id, session_id }) => [id, session_id]));
  const executors = answering(async (id) => {
    const session = sessionOf.get(id.split(':')[0] ?? '') ?? '';
    served.set(session, (served.get(session) ?? 0) + 1);
    await sleep(20);
  });
  const pool = openPool({ runs, clock: systemClock, executors, concurrency: 10 });
  while ([...served.values()].reduce((sum, count) => sum + count, 0) < 200) await sleep(10);
  const counts = sessions.map((session) => served.get(session) ?? 0);
  const sum = counts.reduce((total, count) => total + count, 0);
  const jain = sum ** 2 / (counts.length * counts.reduce((total, count) => total + count ** 2, 0));
  console.log(`20 sessions, one with ten times the work: Jain index ${jain.toFixed(3)} over ${sum} commands`);
  await pool.stop();
  await library.close();
}

export default runsBench;
