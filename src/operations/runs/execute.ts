import type { AgentsRequest } from '../../app/agents.ts';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { decide, type RunState, runHasEnded } from '../../engines/orchestrator/index.ts';
import { needsYou } from '../../engines/pipelines/index.ts';
import { consultFor, consultingTools } from '../agents/consultation.ts';
import { recallText, registryTools } from '../agents/registry-tools.ts';
import type { Caller, OperationContext } from '../operation.ts';
import { createTeller, stepLine } from './lines.ts';
import { markSession, rememberRun } from './remember.ts';
import { type RunView, runView, viewRun } from './view.ts';
import {
  choiceOf,
  definedOf,
  openArchitect,
  openWorkerFor,
  type WorkerChoice,
  workerOfRoles,
} from './workers.ts';

/** Carries out a run in this process until it has ended, or nothing goes on before a person has answered. */
export async function carryOut(
  context: OperationContext,
  run: string,
  given: WorkerChoice = {},
): Promise<RunView> {
  const { app, signal, emit } = context;
  const runs = await app.runs();
  const begun = await runs.state(run);
  await markSession(app, begun);
  const { number } = begun;
  const pool = await app.startAgents({
    run,
    // In a team the workers carry it out; what touches this person's branches is done here.
    kinds: isOfTeam(app) ? ['land'] : undefined,
    open: () => agentsOf(context, run, given),
  });
  const notices = createNotices(app);
  const state = await followRun(app, run, { signal, seen: number - 1, emit, onState: notices.read });
  await pool.stop();
  if (signal.aborted && !runHasEnded(state))
    emit({ type: 'text', text: `Interrupted. Go on with: sylk run resume ${run}` });
  await rememberRun(app, state);
  await markSession(app, state);
  await notices.sent();
  return runView.parse(await viewRun(app, await runs.state(run)));
}

export const isOfTeam = ({ config }: App): boolean => config.team.database !== '';

/** Who works on a run, and with what. */
export async function agentsOf(
  context: OperationContext,
  run: string,
  given: WorkerChoice = {},
): Promise<AgentsRequest> {
  const { app, emit, registry } = context;
  const { session, limits, nodes } = await (await app.runs()).state(run);
  const wide = Math.max(...nodes.map(({ id }) => id.length), 0);
  // The ledger holds the budget too: what runs side by side never passes it together.
  if (limits.budget !== undefined)
    await (await app.ledger()).setBudget({ scope: 'run', name: run, usd: limits.budget, tokens: undefined });
  const choice = { ...(await choiceOf(app, session)), ...definedOf(given) };
  const agent: Caller = { kind: 'agent', name: 'engineer', conversation: run };
  return {
    worker: workerOfRoles((role) => openWorkerFor(app, role, choice, { run, session })),
    architect: openArchitect(context, choice, { run, session }),
    tools: consultingTools(context, await registryTools(registry, agent), { run, session }),
    recall: (query) => recallText(registry, agent, query),
    consult: consultFor(context, agent, { run, session }),
    onStep: (step, node) => stepLine({ run, node, wide }, step).forEach(emit),
  };
}

/** Shows events as they happen, in any process, from number `seen` on. */
export async function followRun(
  app: App,
  run: string,
  {
    signal,
    seen,
    emit,
    onState,
  }: {
    signal: AbortSignal;
    seen: number;
    /** Called with every state that is new to whoever watches. */
    onState?: (state: RunState) => void;
  } & Pick<OperationContext, 'emit'>,
): Promise<RunState> {
  const runs = await app.runs();
  const tell = createTeller(run);
  // A run may have rested before, and gone on.
  const { number: latest } = await runs.state(run);
  let state: RunState | undefined;
  for await (const event of runs.follow(run, { signal })) {
    const { number, ...happened } = event;
    state = decide(state, happened).state;
    const lines = tell(happened);
    if (number <= seen) continue;
    lines.forEach(emit);
    onState?.(state);
    if (number >= latest && isAtRest(state)) return state;
  }
  return runs.state(run);
}

/** Tells the person of each thing that a run needs, and of its end, once. */
function createNotices(app: App) {
  const told = new Map<string, Promise<void>>();
  const read = (state: RunState): void => {
    const { run, status, prompt, error = '', number } = state;
    const [title = ''] = prompt.split('\n', 1);
    const tell = (key: string, what: string, text: string) => {
      const notice = { title: `Sylk ${what}: ${title.slice(0, 100)}`, text, data: { run, status } };
      if (!told.has(key)) told.set(key, app.notify(notice));
    };
    for (const { id, question } of needsYou(state)) tell(id, 'needs you', question);
    if (status === 'stopped') tell(`stopped ${number}`, 'has stopped', error);
    if (runHasEnded(state)) tell(status, 'has ended', error || `The run is ${status}.`);
  };
  return { read, sent: () => Promise.all(told.values()) };
}

/** Nothing goes on without a person. */
function isAtRest(state: RunState): boolean {
  const { status, open, proposal } = state;
  // A landing goes on after the run has ended.
  if (runHasEnded(state)) return state.landing === undefined;
  if (status === 'stopped' || status === 'suspended' || status === 'approved') return true;
  return open.every(({ kind }) => kind === 'ask') && (open.length > 0 || proposal !== undefined);
}

/** A run by its id, by the end of it, or the newest one. */
export async function findRun(app: App, given: string | undefined): Promise<string> {
  const ids = (await (await app.runs()).list({ limit: 200 })).map(({ id }) => id);
  if (given === '')
    throw new SylkError('VALIDATION_ERROR', 'The id of the run is empty.', {
      hint: '`sylk runs` lists them.',
    });
  const exact = ids.filter((id) => id === given);
  const found = exact.length > 0 ? exact : ids.filter((id) => given === undefined || id.endsWith(given));
  if (given !== undefined && found.length > 1)
    throw new SylkError('CONFLICT', `${found.length} runs end with ${JSON.stringify(given)}.`, {
      hint: `Say which: ${found.slice(0, 10).join(', ')}`,
    });
  const [id] = found;
  if (id !== undefined) return id;
  throw new SylkError(
    'NOT_FOUND',
    given ? `There is no run ${JSON.stringify(given)}.` : 'There is no run yet.',
    {
      hint: given ? '`sylk runs` lists them.' : 'sylk run "what you want", or sylk run --from plan.yaml',
    },
  );
}
