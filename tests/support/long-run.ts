import type { App } from '../../src/app.ts';
import { decide, type RunState, runHasEnded } from '../../src/engines/orchestrator/index.ts';
import { type AnyOutcome, type Command, planSchema, type RunEvent } from '../../src/stores/runs/index.ts';
import { headOf, storeParts } from '../../src/stores/runs/state-parts.ts';
import type { RunTables } from '../../src/stores/runs/tables.ts';

/** How often each node is handed over, and sent back by each judge, before it passes. */
interface Trouble {
  handOvers: number;
  loops: number;
}

/** A plan of layers of ten nodes: each node depends on one or two of the layer before. */
const planOf = (nodes: number) =>
  planSchema.parse({
    prompt: 'Move every module to the new interface',
    nodes: Array.from({ length: nodes }, (_, at) => ({
      id: `module-${at + 1}`,
      agent: 'engineer',
      prompt: `Move module ${at + 1} to the new interface`,
      depends_on:
        at < 10 ? [] : [`module-${at - 9}`, ...(at % 3 === 0 && at > 10 ? [`module-${at - 10}`] : [])],
    })),
    policy: { max_concurrency: 12, fail_fast: false },
  });

/** A run of real events in a real library, approved and begun. */
export async function beginRun(app: App, nodes = 60): Promise<string> {
  const runs = await app.runs();
  const limits = { handovers: 100, loops: 20, concurrency: 12 };
  const plan = planOf(nodes);
  const { run } = await runs.create({ session: 'ses_played', prompt: plan.prompt, plan, limits });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  return run;
}

/** Answers what the run asks for, as an executor would, until it has so many events or has ended. */
export async function playRun(
  app: App,
  run: string,
  {
    events = Number.POSITIVE_INFINITY,
    handOvers = 0,
    loops = 0,
  }: Partial<Trouble> & { events?: number } = {},
): Promise<RunState> {
  const runs = await app.runs();
  // What was done is a commit that exists: the page shows its lines.
  const commit = (await app.git.text(['rev-parse', 'HEAD'])).trim();
  let state = await runs.state(run);
  while (state.number < events && !runHasEnded(state)) {
    const command = state.open.find(({ kind }) => kind !== 'ask');
    if (!command) break;
    const answered = await runs.answer(command.id, outcomeOf(command, state, { handOvers, loops, commit }));
    state = answered?.state ?? (await runs.state(run));
  }
  return state;
}

/** The same as `playRun`, folded in memory and written in one transaction: for runs of thousands of events. */
export async function writeRun(
  app: App,
  run: string,
  { events, handOvers = 0, loops = 0 }: Partial<Trouble> & { events: number },
): Promise<RunState> {
  const runs = await app.runs();
  const commit = (await app.git.text(['rev-parse', 'HEAD'])).trim();
  const before = await runs.state(run);
  const rows: RunTables['run_events'][] = [];
  let state = before;
  let at = Date.now();
  while (state.number < events && !runHasEnded(state)) {
    const command = state.open.find(({ kind }) => kind !== 'ask');
    if (!command) break;
    at += 1000;
    const outcome = outcomeOf(command, state, { handOvers, loops, commit });
    const event: RunEvent = { type: 'answered', command: command.id, outcome, at };
    state = decide(state, event).state;
    const body = JSON.stringify(event);
    rows.push({ run_id: run, number: state.number, key: `answer ${command.id}`, type: event.type, at, body });
  }
  const library = await app.library();
  const db = library.tables<RunTables>();
  await library.write(async () => {
    for (let from = 0; from < rows.length; from += 500)
      await db
        .insertInto('run_events')
        .values(rows.slice(from, from + 500))
        .execute();
    await storeParts(library, undefined, state);
    const { status, phase, number, format } = state;
    await db
      .updateTable('runs')
      .set({ status, phase, number, format, state: headOf(state), updated_at: at })
      .where('id', '=', run)
      .execute();
    await db.updateTable('run_commands').set({ status: 'answered' }).where('run_id', '=', run).execute();
    if (state.open.length === 0) return;
    await db
      .insertInto('run_commands')
      .values(
        state.open.map((command) => ({
          ...{ id: command.id, run_id: run, session_id: state.session, kind: command.kind },
          ...{ node: command.node ?? '', body: JSON.stringify(command), status: 'open' as const },
          ...{ key: command.id, lane: 3, due_at: at, owner: '', expires_at: 0, epoch: 0, late_answers: 0 },
          created_at: at,
        })),
      )
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ status: 'open' }))
      .execute();
  });
  return state;
}

const finding = (node: string) => `src/${node}.ts:3 unused variable "old"`;

function outcomeOf(
  command: Command,
  state: RunState,
  { handOvers, loops, commit }: Trouble & { commit: string },
): AnyOutcome {
  const { kind, node: id = '' } = command;
  const node = state.nodes.find((each) => each.id === id);
  if (kind === 'work')
    return (node?.legs ?? 0) <= handOvers
      ? { result: 'context_full', bundle: 'half of it is done', cost: 0.01 }
      : { result: 'done', commit, output: `Moved ${id}.`, cost: 0.02 };
  if (kind === 'inspect' && (node?.loops.inspector ?? 0) < loops)
    return { result: 'findings', text: finding(id) };
  if (kind === 'test' && (node?.loops.tester ?? 0) < loops)
    return { result: 'findings', text: `${id}.test.ts: expected 1, got 2` };
  if (kind === 'merge') return { result: 'merged', commit };
  if (kind === 'plan_tests') return { result: 'none', cost: 0 };
  if (kind === 'summarise') return { result: 'done', text: 'Every module is moved.', cost: 0 };
  return { result: 'passed' };
}
