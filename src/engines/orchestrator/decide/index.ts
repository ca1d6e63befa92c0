import {
  type Answered,
  type Command,
  type Created,
  type Outcome,
  type RunEvent,
  runFormat,
  type Signal,
} from '../../../stores/runs/index.ts';
import {
  afterAdvice,
  afterConsult,
  afterGate,
  afterMerge,
  afterNodeAsk,
  afterRevert,
  afterWake,
  afterWork,
} from './answers.ts';
import { close, type Draft, edit, startDraft } from './draft.ts';
import { applyMove, type Refusal } from './moves.ts';
import {
  advance,
  afterPhaseGate,
  afterPlan,
  afterRunAsk,
  afterSummary,
  chooseFindings,
  parkRun,
  problemsOf,
  propose,
  requestPlan,
  type Settled,
} from './phases.ts';
import { end, startWhatCan } from './schedule.ts';
import { type NodeState, nodeOf, type RunState } from './state.ts';

export type { Refusal } from './moves.ts';
export * from './state.ts';

export interface Decision {
  state: RunState;
  commands: Command[];
  signals: Signal[];
  /** Ids of commands that need no answer any more. */
  withdrawn: string[];
  /** The event must not be recorded; nothing has changed. */
  refused?: Refusal;
}

/**
 * Folds one event into the state of a run. Reads no clock, no file and no random number: time and ids come in with the
 * event, so that the same events always give the same state and the same commands.
 */
export function decide(state: RunState | undefined, event: RunEvent): Decision {
  if (event.type === 'created') return finish(create(event));
  if (!state) throw new Error('A run begins with its creation.');
  const draft = startDraft(state, event.at);
  const refused = event.type === 'answered' ? applyAnswer(draft, event) : applyMove(draft, event);
  if (refused) return { state, commands: [], signals: [], withdrawn: [], refused };
  return finish(draft);
}

function finish(draft: Draft): Decision {
  advance(draft);
  startWhatCan(draft);
  const { state, commands, signals, withdrawn } = draft;
  return { state, commands, signals, withdrawn };
}

function create({ run, session, prompt, limits, plan, at }: Created & { at: number }): Draft {
  const state: RunState = {
    format: runFormat,
    run,
    session,
    prompt,
    limits,
    number: 0,
    status: 'planning',
    phase: 'plan',
    revision: 0,
    nodes: [],
    open: [],
    spent: 0,
    planAttempts: 0,
    fixRounds: 0,
    testsPlanned: false,
    deferred: [],
  };
  const draft = startDraft(state, at);
  const problems = plan ? problemsOf(state, plan, 'first') : [];
  if (plan && problems.length === 0) propose(draft, plan, 'first');
  else requestPlan(draft, 'first', [prompt, ...problems].join('\n'));
  return draft;
}

/** An answer to a command that is not open any more is recorded and changes nothing. */
function applyAnswer(draft: Draft, { command: id, outcome }: Answered): Refusal | undefined {
  const command = close(draft, id);
  if (!command) return undefined;
  if (outcome.result === 'answered') {
    const refused = refuseReply(draft.state, command, outcome);
    if (refused) return refused;
  }
  if ('cost' in outcome) draft.state.spent += outcome.cost;
  const node = nodeOf(draft.state, command.node);
  if (node) applyNodeAnswer(draft, node, command, outcome);
  else applyRunAnswer(draft, command, outcome);
  return undefined;
}

/** A person chooses what was offered, and says in words what was asked in words. */
function refuseReply(
  { spent, findings = '' }: RunState,
  { subject, options = [] }: Command,
  { choice, text }: Outcome<'ask'>,
): Refusal | undefined {
  const refuse = (message: string): Refusal => ({ code: 'VALIDATION_ERROR', message });
  if (options.length > 0 && !options.includes(choice)) return refuse(`Answer with ${options.join(', ')}.`);
  if (options.length === 0 && text.trim() === '') return refuse('Answer in words.');
  if (subject === 'budget' && choice === 'raise' && !(Number(text) > spent))
    return refuse(`Name a budget above ${spent}, which was spent.`);
  const isOfFindings = subject === 'findings' || subject === 'test_failures';
  const { unknown } = chooseFindings(findings, isOfFindings && choice === 'ignore' ? text : '');
  if (unknown.length > 0) return refuse(`There is no finding ${unknown.join(', ')}. Nothing was changed.`);
  return undefined;
}

function applyNodeAnswer(draft: Draft, node: NodeState, command: Command, outcome: Answered['outcome']) {
  const own = edit(draft, node);
  own.command = undefined;
  own.asking = undefined;
  const { ending } = own;
  own.ending = undefined;
  // What was merged before it could be stopped is done.
  const isMerged = (command.kind === 'merge' || command.kind === 'revert') && outcome.result === 'merged';
  if (ending && ending !== 'paused' && !isMerged) return end(draft, own, ending);
  answerRules[command.kind]?.(draft, own, command, outcome);
  if (ending === 'paused' && own.stage === 'queued') own.stage = 'paused';
}

type AnswerRule = (draft: Draft, node: NodeState, command: Command, outcome: Answered['outcome']) => void;

/** The store has checked that an outcome belongs to its command. */
const answerRules: Partial<Record<Command['kind'], AnswerRule>> = {
  work: (draft, node, _, outcome) => afterWork(draft, node, outcome as Outcome<'work'>),
  consult: (draft, node, _, outcome) => afterConsult(draft, node, outcome as Outcome<'consult'>),
  advise: (draft, node, _, outcome) => afterAdvice(draft, node, outcome as Outcome<'advise'>),
  inspect: (draft, node, _, outcome) => afterGate(draft, node, 'inspector', outcome as Outcome<'inspect'>),
  test: (draft, node, _, outcome) => afterGate(draft, node, 'tester', outcome as Outcome<'test'>),
  merge: (draft, node, _, outcome) => afterMerge(draft, node, outcome as Outcome<'merge'>),
  revert: (draft, node, _, outcome) => afterRevert(draft, node, outcome as Outcome<'revert'>),
  ask: (draft, node, command, outcome) => afterNodeAsk(draft, node, command, outcome as Outcome<'ask'>),
  wake: (draft, node) => afterWake(draft, node),
};

function applyRunAnswer(draft: Draft, command: Command, outcome: Answered['outcome']) {
  const { kind } = command;
  const { state } = draft;
  // What has landed has landed, whatever became of the run meanwhile.
  if (kind === 'land') return afterLanding(draft, outcome as Outcome<'land'>);
  // A run that is being ended, or has gone back to its nodes, has no use for what was under way.
  if (state.goal === 'failed' || state.goal === 'cancelled') return;
  const phase = phaseOfKind[kind];
  if (phase && phase !== state.phase) return;
  if (outcome.result === 'parked') parkRun(draft, command, outcome);
  else if (kind === 'plan') afterPlan(draft, command, outcome as Settled<'plan'>);
  else if (kind === 'plan_tests') afterTestPlan(draft, outcome as Settled<'plan_tests'>);
  else if (kind === 'inspect_all' || kind === 'test_all')
    afterPhaseGate(draft, outcome as Outcome<'inspect_all'>);
  else if (kind === 'ask') afterRunAsk(draft, command, outcome as Outcome<'ask'>);
  else if (kind === 'summarise') afterSummary(draft, outcome as Settled<'summarise'>);
}

const phaseOfKind: Partial<Record<Command['kind'], RunState['phase']>> = {
  inspect_all: 'inspect',
  plan_tests: 'test',
  test_all: 'test',
  summarise: 'summary',
};

/** Tests that nobody could plan are not waited for: the project's own are run. */
function afterTestPlan(draft: Draft, outcome: Settled<'plan_tests'>) {
  const { state } = draft;
  const problems = outcome.result === 'planned' ? problemsOf(state, outcome.plan, 'tests') : [];
  if (outcome.result === 'planned' && problems.length === 0) return propose(draft, outcome.plan, 'tests');
  state.testsPlanned = true;
  if (outcome.result !== 'none')
    state.deferred = [
      ...state.deferred,
      `no tests planned: ${outcome.result === 'failed' ? outcome.message : problems.join('; ')}`,
    ];
}

function afterLanding({ state }: Draft, outcome: Outcome<'land'>) {
  state.landing = undefined;
  if (outcome.result === 'merged') state.landed = outcome.commit;
  else if (outcome.result !== 'stopped') state.error = 'text' in outcome ? outcome.text : outcome.message;
}
