import type { App } from '../../src/app.ts';
import { type RunState, runHasEnded } from '../../src/engines/orchestrator/index.ts';
import { type AnyOutcome, type Command, planSchema } from '../../src/stores/runs/index.ts';

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
