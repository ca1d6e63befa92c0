import { type Command, type Outcome, type Plan, waitingKinds } from '../../../stores/runs/index.ts';
import { checkPlan } from '../plan-check.ts';
import { type Draft, edit, issue, releaseCommand, stopCommand, withdraw } from './draft.ts';
import { allEnded, askForBudget, end, isOverBudget, isPlanning, type Parked, wakeTime } from './schedule.ts';
import { hasEnded, type NodeState, type Proposal, policyOf, type RunState, type Status } from './state.ts';

/** Moves the run on when nothing is left to do in its phase. Called after every event. */
export function advance(draft: Draft) {
  const { state } = draft;
  if (state.status === 'halting' && !state.open.some(isExecutedByUs)) {
    state.status = state.goal ?? 'stopped';
    state.goal = undefined;
    state.phase = state.status === 'failed' || state.status === 'cancelled' ? 'done' : state.phase;
  }
  if (state.status !== 'running' || state.proposal) return;
  if (state.phase === 'execute') advanceExecution(draft);
  else if (state.phase !== 'plan' && state.open.length === 0) issueForPhase(draft);
}

const isExecutedByUs = ({ kind }: RunState['open'][number]): boolean => !waitingKinds.has(kind);

function advanceExecution(draft: Draft) {
  const { state } = draft;
  // A plan that is being changed may change what failed.
  if (state.planRequest || isPlanning(state)) return;
  const failed = state.nodes.filter(({ stage }) => stage === 'failed');
  const decisive = allEnded(state)
    ? failed[0]
    : failed.find(({ failureSeen }) => policyOf(state).fail_fast && !failureSeen);
  if (decisive) {
    for (const node of failed) edit(draft, node).failureSeen = true;
    return halt(draft, 'failed', `${decisive.id} failed: ${decisive.error ?? ''}`);
  }
  if (!allEnded(state) || state.open.length > 0) return;
  const changed = state.nodes.some(({ merged, stage }) => stage === 'done' && merged !== undefined);
  state.phase = changed ? (state.testsPlanned ? 'test' : 'inspect') : 'summary';
  issueForPhase(draft);
}

/** What a phase begins with, or goes on with after a pause. */
function issueForPhase(draft: Draft) {
  const { phase, testsPlanned } = draft.state;
  if (phase === 'inspect') issue(draft, { kind: 'inspect_all' });
  else if (phase === 'test' && testsPlanned) issue(draft, { kind: 'test_all' });
  else if (phase === 'test') issuePaid(draft, { kind: 'plan_tests', message: draft.state.testRemarks });
  else if (phase === 'summary') issuePaid(draft, { kind: 'summarise' });
}

function issuePaid(draft: Draft, command: Parameters<typeof issue>[1]) {
  if (isOverBudget(draft.state)) askForBudget(draft);
  else issue(draft, command);
}

/** Ends what is under way; the run reaches its goal when the last command has answered. */
export function halt(draft: Draft, goal: NonNullable<RunState['goal']>, error?: string) {
  const { state } = draft;
  const isFinal = goal === 'failed' || goal === 'cancelled';
  if (isFinal) state.resumesAs = undefined;
  else if (canResume(state.status)) state.resumesAs = state.status;
  state.status = 'halting';
  state.goal = goal;
  if (error !== undefined) state.error = error;
  for (const command of [...state.open]) {
    if (!waitingKinds.has(command.kind)) stopCommand(draft, command.id);
    else if (isFinal && command.node === undefined) withdraw(draft, command.id);
  }
  if (isFinal) {
    state.proposal = undefined;
    state.planRequest = undefined;
    // What a failure ended comes back when the failed node is tried again; what a person cancelled does not.
    for (const node of state.nodes) endForGood(draft, node, goal === 'failed' ? 'skipped' : 'cancelled');
  }
  advance(draft);
}

const canResume = (status: Status): status is NonNullable<RunState['resumesAs']> =>
  status === 'planning' || status === 'proposed' || status === 'approved' || status === 'running';

/** A run that was stopped stays so until a person resumes it. */
export function setStatus({ state }: Draft, status: NonNullable<RunState['resumesAs']>) {
  if (canResume(state.status)) state.status = status;
  else state.resumesAs = status;
}

function endForGood(draft: Draft, node: NodeState, stage: 'cancelled' | 'skipped') {
  if (hasEnded(node)) return;
  const own = edit(draft, node);
  if (releaseCommand({ ...draft, signals: [] }, own)) end(draft, own, stage);
  else own.ending = stage;
}

export function requestPlan({ state }: Draft, purpose: 'first' | 'change' | 'fix', message: string) {
  state.planAttempts = 1;
  state.planRequest = { purpose, message };
}

/** A person's word about nodes sends a run that judges or sums up back to them. */
export function returnToNodes(draft: Draft) {
  const { state } = draft;
  if (state.status === 'failed' || state.status === 'completed') {
    state.status = 'running';
    state.error = undefined;
  }
  if (state.phase === 'plan' || state.phase === 'execute') return;
  state.phase = 'execute';
  for (const command of [...state.open])
    if (!waitingKinds.has(command.kind)) stopCommand(draft, command.id);
    else if (command.subject !== 'budget') withdraw(draft, command.id);
}

/** An outcome that ended a command for good. */
export type Settled<Kind extends 'plan' | 'plan_tests' | 'summarise'> = Exclude<
  Outcome<Kind>,
  { result: 'parked' }
>;

/** Planning and summing up wait for a limit to pass as nodes do; then the same is asked for again. */
export function parkRun(draft: Draft, { id, kind, purpose, message }: Command, { wake_at }: Parked) {
  const { state } = draft;
  if (id === state.unwantedPlan) {
    state.unwantedPlan = undefined;
    return;
  }
  if (kind === 'plan') state.planRequest = { purpose: purpose ?? 'first', message: message ?? '' };
  issue(draft, { kind: 'wake', at: wakeTime(draft, wake_at) });
}

/** A plan that fails the checks goes back with the reasons, a few times; then the person is asked. */
export function afterPlan(draft: Draft, { id, purpose = 'first' }: Command, outcome: Settled<'plan'>) {
  if (id === draft.state.unwantedPlan) {
    draft.state.unwantedPlan = undefined;
    return;
  }
  if (outcome.result === 'asks')
    return issue(draft, {
      kind: 'ask',
      subject: 'plan_failed',
      purpose,
      message: outcome.question,
      options: ['answer', 'give_up'],
    });
  const problems =
    outcome.result === 'failed' ? [outcome.message] : problemsOf(draft.state, outcome.plan, purpose);
  if (outcome.result === 'planned' && problems.length === 0) return propose(draft, outcome.plan, purpose);
  const { state } = draft;
  if (state.planAttempts < state.limits.plan_attempts) {
    state.planAttempts += 1;
    state.planRequest = { purpose, message: problems.join('\n') };
  } else
    issue(draft, {
      kind: 'ask',
      subject: 'plan_failed',
      purpose,
      message: problems.join('\n'),
      options: ['retry', 'give_up'],
    });
}

/** What is wrong with a revision, beside the checks of every plan: a node that is done can't become another one. */
export function problemsOf(state: RunState, plan: Plan, purpose: Proposal['purpose']): string[] {
  const adds = plan.nodes.length > 0 && (purpose === 'fix' || purpose === 'tests');
  const { problems } = checkPlan(adds ? withOwnNodes(state, plan) : plan);
  const changed = state.nodes.filter((node) => {
    if (node.stage !== 'done' || !state.plan?.nodes.some(({ id }) => id === node.id)) return false;
    const next = plan.nodes.find(({ id }) => id === node.id);
    if (purpose === 'fix' || purpose === 'tests') return next !== undefined;
    return next === undefined || next.prompt !== node.spec.prompt;
  });
  return [
    ...problems.map(({ node, message }) => (node ? `${node}: ${message}` : message)),
    ...changed.map(({ id }) => `${id} is done and can't be changed or left out. Add a new node instead.`),
  ];
}

const withOwnNodes = (state: RunState, plan: Plan): Plan => ({
  ...plan,
  execution_order: undefined,
  nodes: [
    ...state.nodes.filter(({ id }) => !plan.nodes.some((node) => node.id === id)).map(({ spec }) => spec),
    ...plan.nodes,
  ],
});

export function propose(draft: Draft, plan: Plan, purpose: Proposal['purpose']) {
  draft.state.revision += 1;
  draft.state.proposal = { revision: draft.state.revision, purpose, plan };
  if (purpose === 'first') setStatus(draft, 'proposed');
}

/** The findings whose numbers a person names; all of them where none is named, or they have no numbers. */
export function chooseFindings(
  findings: string,
  words: string,
): { chosen: string; rest: string; unknown: string[] } {
  const pieces = findings
    .split(/\n(?=\d+\. )/)
    .map((text) => ({ text, number: /^(\d+)\. /.exec(text)?.[1] }));
  const known = new Set(pieces.map(({ number }) => number));
  const named: string[] = known.has(undefined) ? [] : (words.match(/\d+/g) ?? []);
  const join = (isWanted: (number: string) => boolean) =>
    pieces
      .filter(({ number = '' }) => named.length === 0 || isWanted(number))
      .map(({ text }) => text)
      .join('\n');
  return {
    chosen: join((number) => named.includes(number)),
    rest: named.length === 0 ? '' : join((number) => !named.includes(number)),
    unknown: named.filter((number) => !known.has(number)),
  };
}

/** What session-wide judges said. */
export function afterPhaseGate(draft: Draft, outcome: Outcome<'inspect_all'>) {
  const { state } = draft;
  if (outcome.result === 'stopped') return;
  const inspecting = state.phase === 'inspect';
  if (outcome.result === 'passed') {
    state.phase = inspecting ? 'test' : 'summary';
    return;
  }
  const isBroken = outcome.result === 'broken';
  askAboutFindings(draft, isBroken ? outcome.message : outcome.text, isBroken);
}

function askAboutFindings(draft: Draft, findings: string, isBroken: boolean) {
  const { state } = draft;
  state.findings = findings;
  const canFix = !isBroken && state.fixRounds < state.limits.fix_rounds;
  issue(draft, {
    kind: 'ask',
    subject: state.phase === 'inspect' ? 'findings' : 'test_failures',
    message: findings,
    options: [...(canFix ? ['fix'] : []), ...(isBroken ? ['retry'] : []), 'ignore', 'give_up'],
  });
}

/** The word of a person about the run as a whole. */
export function afterRunAsk(
  draft: Draft,
  ask: Pick<Command, 'subject' | 'purpose' | 'message'>,
  { choice, text }: Outcome<'ask'>,
) {
  const { state } = draft;
  if (ask.subject === 'budget') return afterBudgetAsk(draft, choice, text);
  if (ask.subject === 'plan_failed') {
    if (choice === 'retry') requestPlan(draft, ask.purpose ?? 'first', text);
    else if (choice === 'answer')
      requestPlan(
        draft,
        ask.purpose ?? 'first',
        `You asked: ${ask.message ?? ''}\nThe person answers: ${text}`,
      );
    else if (ask.purpose === 'first') halt(draft, 'cancelled');
    return;
  }
  if (choice === 'fix') {
    state.fixRounds += 1;
    state.phase = 'execute';
    requestPlan(draft, 'fix', [state.findings, text].filter(Boolean).join('\n'));
  } else if (choice === 'ignore') {
    const { chosen, rest } = chooseFindings(state.findings ?? '', text);
    state.deferred = [...state.deferred, chosen];
    if (rest !== '') askAboutFindings(draft, rest, false);
    else state.phase = state.phase === 'inspect' ? 'test' : 'summary';
  } else if (choice === 'give_up') halt(draft, 'failed', state.findings);
}

function afterBudgetAsk(draft: Draft, choice: string, text: string) {
  if (choice === 'stop') halt(draft, 'stopped');
  else draft.state.limits = { ...draft.state.limits, budget: Number(text) };
}

export function afterSummary(draft: Draft, outcome: Settled<'summarise'>) {
  const { state } = draft;
  // A run whose work is merged is complete, whether or not somebody could put it into words.
  state.summary = outcome.result === 'done' ? outcome.text : `No summary: ${outcome.message}`;
  state.status = 'completed';
  state.phase = 'done';
  // A stop that came while it was written has nothing left to stop.
  state.goal = undefined;
  state.resumesAs = undefined;
}
