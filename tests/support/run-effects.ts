import { isDeepStrictEqual } from 'node:util';
import {
  checkPlan,
  type Decision,
  type NodeState,
  type RunState,
} from '../../src/engines/orchestrator/index.ts';
import type { AnyOutcome, Command, Feedback, RunEvent, Signal } from '../../src/stores/runs/index.ts';
import {
  assertRule,
  fits,
  hasEnded,
  isBeingReverted,
  isConsulted,
  isExecuted,
  nodeIn,
} from './run-acceptance.ts';

/** What the world remembers of a node, apart from the state of the run. */
interface Memory {
  legs: number;
  told: Array<Pick<Feedback, 'from' | 'text'> & { leg?: number }>;
  commit: string | undefined;
  merged: string | undefined;
  bundle: string | undefined;
}

/** What an event leads to for the node that it is about. */
type Expected =
  | { step: string }
  | { asks: string; options: string[] }
  | { wakes: string; at: number }
  | { stage: string };

const gatesAfter = ({ overrides }: NodeState, gate?: 'inspector' | 'tester'): string => {
  if (gate === undefined && !overrides.includes('inspector')) return 'inspect';
  return gate === 'tester' || overrides.includes('tester') ? 'merge' : 'test';
};

const isOverBudget = ({ limits, spent }: RunState): boolean =>
  limits.budget !== undefined && spent >= limits.budget;

/** What a node is at, or goes on with. */
function stepOf(node: NodeState, open: Command[]): string {
  if (node.stage === 'asking') return open.find(({ id }) => id === node.command)?.kind ?? 'nothing';
  const steps: Record<string, string> = {
    working: 'work',
    inspecting: 'inspect',
    testing: 'test',
    merging: 'merge',
    reverting: 'revert',
  };
  return steps[node.stage] ?? node.next ?? node.stage;
}

/** Follows a run and holds every event against what the rules say it leads to. */
export function createEffectRules() {
  const memories = new Map<string, Memory>();
  let spent = 0;
  const memoryOf = (id: string): Memory => {
    const known = memories.get(id);
    if (known) return known;
    const memory = { legs: 0, told: [], commit: undefined, merged: undefined, bundle: undefined };
    memories.set(id, memory);
    return memory;
  };

  function check(before: RunState | undefined, event: RunEvent, decision: Decision) {
    const { state } = decision;
    if (event.type === 'created') checkCreation(event, state);
    else if (before && event.type === 'answered') followAnswer(before, event, decision);
    else if (before && event.type !== 'answered') followMove(before, event, decision);
    if (before) checkPhase(before, decision);
    for (const { told, legs } of memories.values()) for (const word of told.slice(-2)) word.leg ??= legs;
    assertRule(Math.abs(spent - state.spent) < 1e-6, `${state.spent} spent, ${spent} paid`);
    for (const command of decision.commands) followCommand(state, command);
    for (const node of state.nodes) {
      const { legs, told, merged } = memoryOf(node.id);
      assertRule(node.legs === legs, `${node.id} counts ${node.legs} legs of ${legs}`);
      assertRule(node.merged === merged, `${node.id} is merged as ${node.merged}, not ${merged}`);
      assertRule(
        node.feedback.length === told.length &&
          node.feedback.every(({ from, text, leg }, at) => {
            const word = told[at];
            return from === word?.from && text === word.text && leg === word.leg;
          }),
        `${node.id} was told ${told.length} things and knows ${node.feedback.length}`,
      );
      checkCounters(before, node, event);
    }
    checkHalt(before, event, decision);
  }

  /** Counters grow by one, and only for the answer that they count. */
  function checkCounters(before: RunState | undefined, node: NodeState, event: RunEvent) {
    const unused = { attempts: 0, handovers: 0, loops: { inspector: 0, tester: 0, merge: 0 } };
    const old = nodeIn(before, node.id) ?? unused;
    const grew = [
      node.attempts - old.attempts,
      node.handovers - old.handovers,
      node.loops.inspector - old.loops.inspector,
      node.loops.tester - old.loops.tester,
      node.loops.merge - old.loops.merge,
    ];
    const isAnswered = event.type === 'answered' && 'command' in old && old.command === event.command;
    const sum = grew.reduce((total, each) => total + each, 0);
    assertRule(grew.every((each) => each >= 0) && sum <= (isAnswered ? 1 : 0), `${node.id} counts wrongly`);
  }

  function followCommand(state: RunState, command: Command) {
    const node = nodeIn(state, command.node);
    if (!node || !isExecuted(command)) return;
    const memory = memoryOf(node.id);
    const say = `${command.kind} of ${node.id}`;
    if (command.kind === 'work' || command.kind === 'consult') {
      memory.legs += 1;
      assertRule((command.kind === 'consult') === isConsulted(node), `${say} by a ${node.spec.agent}`);
      assertRule(command.message === memory.bundle, `${say} is told ${command.message}`);
      assertRule(node.message === undefined, `${say} is told again`);
      assertRule(isDeepStrictEqual(command.feedback, node.feedback), `${say} does not hear all`);
      assertRule(command.timeout_ms === node.spec.metadata.timeout_ms, `${say} has another time limit`);
      memory.bundle = undefined;
    }
    if (command.kind === 'advise')
      assertRule(command.message === node.question, `${say} is asked something else`);
    const commit = command.kind === 'revert' ? memory.merged : memory.commit;
    assertRule(command.commit === commit, `${say} is about ${command.commit}, not ${commit}`);
    assertRule(command.leg === memory.legs, `${say} has leg ${command.leg}`);
  }

  function followAnswer(
    before: RunState,
    event: Extract<RunEvent, { type: 'answered' }>,
    decision: Decision,
  ) {
    const command = before.open.find(({ id }) => id === event.command);
    if (!command) return;
    const { outcome } = event;
    const { state } = decision;
    if ('cost' in outcome) spent += outcome.cost;
    const node = nodeIn(before, command.node);
    const after = nodeIn(state, command.node);
    if (!node || !after) return followRunAnswer(before, command, outcome, decision, event.at);
    const memory = memoryOf(node.id);
    const isMerged = outcome.result === 'merged';
    const isEnding = node.ending !== undefined && node.ending !== 'paused' && !isMerged;
    const say = `${command.kind} ${outcome.result} leaves ${node.id} ${after.stage}${after.next ? ` (${after.next})` : ''}`;
    if (isEnding) {
      assertRule(after.stage === (node.merged ? 'done' : node.ending), say);
      return;
    }
    if (command.kind === 'merge' && outcome.result === 'merged') memory.merged = outcome.commit;
    if (command.kind === 'revert' && outcome.result === 'merged') memory.merged = undefined;
    if (command.kind === 'work' && 'commit' in outcome && outcome.commit) memory.commit = outcome.commit;
    if (outcome.result === 'context_full') memory.bundle = outcome.bundle;
    memory.told.push(...toldBy(node, command, outcome));
    if (outcome.result === 'parked' || outcome.result === 'failed') {
      const why = 'reason' in outcome ? outcome.reason : outcome.message;
      assertRule(after.error === why, `${say} because of ${after.error}, not ${why}`);
    }
    if (outcome.result === 'done' && 'output' in outcome)
      assertRule(after.output === outcome.output, `the output of ${node.id} is lost`);
    if (outcome.result === 'woke' && node.stage === 'claimed') return checkTakenBack(node, after, state.open);
    if (after.stage === 'claimed') checkLease(after, state.open, event.at);
    const expected = expectedAfter(state, node, command, outcome, event.at);
    checkExpected(node, after, expected, decision, say);
  }

  function checkExpected(
    node: NodeState,
    after: NodeState,
    expected: Expected,
    { state, commands }: Decision,
    say: string,
  ) {
    const [issued] = commands.filter((command) => command.node === node.id);
    if ('stage' in expected) {
      const ends = after.stage === expected.stage;
      return assertRule(ends, say);
    }
    if ('asks' in expected)
      return assertRule(
        after.stage === 'asking' &&
          issued?.subject === expected.asks &&
          isDeepStrictEqual(issued.options, expected.options) &&
          Boolean(issued.message),
        `${say}: expected a question about ${expected.asks}`,
      );
    if ('wakes' in expected)
      return assertRule(
        after.stage === 'parked' && after.next === expected.wakes && issued?.at === expected.at,
        `${say}: expected to wake at ${expected.at}, not ${issued?.at}`,
      );
    // Whoever claimed the node is not ours to pause.
    if (node.ending === 'paused' && expected.step !== 'claimed')
      return assertRule(after.stage === 'paused' && after.next === expected.step, `${say}: expected a pause`);
    assertRule(
      stepOf(after, state.open) === expected.step && !['paused', 'parked'].includes(after.stage),
      `${say}: expected ${expected.step}`,
    );
  }

  function followMove(
    before: RunState,
    event: Exclude<RunEvent, { type: 'answered' | 'created' }>,
    decision: Decision,
  ) {
    const { state, signals } = decision;
    if ('node' in event) {
      const node = nodeIn(before, event.node);
      const after = nodeIn(state, event.node);
      if (node && after) followNodeMove(before, node, after, event, decision);
      return;
    }
    if (event.type === 'plan_approved') followApproval(before, event.remarks, decision);
    else checkRunMove(before, event, state, signals);
  }

  function followApproval(before: RunState, remarks: string | undefined, { state, signals }: Decision) {
    const { proposal } = before;
    if (!proposal) return;
    const { plan, purpose } = proposal;
    const adds = purpose === 'fix' || purpose === 'tests';
    assertRule(state.proposal === undefined, 'an approved plan is still proposed');
    if (purpose === 'fix')
      assertRule(!state.testsPlanned, 'what is fixed is tested by what was planned before');
    if (purpose === 'tests') assertRule(state.testsPlanned, 'tests are planned again');
    const policy = adds ? before.plan?.policy : plan.policy;
    assertRule(isDeepStrictEqual(state.plan?.policy, policy), 'the policy of another plan');
    const planned = [...(adds ? (before.plan?.nodes ?? []) : []), ...plan.nodes];
    assertRule(
      isDeepStrictEqual(
        state.plan?.nodes.map(({ id }) => id),
        planned.map(({ id }) => id),
      ),
      'another plan than the approved one',
    );
    for (const spec of plan.nodes) {
      const old = nodeIn(before, spec.id);
      const node = nodeIn(state, spec.id);
      const memory = memoryOf(spec.id);
      if (!old && remarks) memory.told.push({ from: 'person', text: remarks });
      if (old?.stage === 'done' || !node) continue;
      assertRule(node.spec === spec, `${spec.id} keeps its old task`);
      if (!old || old.spec.prompt === spec.prompt || hasEnded(old) || old.stage === 'pending') continue;
      memory.told.push({ from: 'plan', text: spec.prompt });
      if (old.stage === 'working')
        assertSignal(signals, { command: old.command ?? '', kind: 'prompt', message: spec.prompt });
    }
    for (const old of before.nodes) {
      const node = nodeIn(state, old.id);
      if (plan.nodes.some(({ id }) => id === old.id)) {
        if (old.stage === 'done') assertRule(node?.stage === 'done', `${old.id} is done again`);
        else
          assertRule(
            !node || !['dropped', 'failed', 'cancelled'].includes(node.stage),
            `${old.id} is planned and left out`,
          );
      } else if (!adds && !hasEnded(old) && !isBeingReverted(old))
        assertRule(
          node?.stage === 'dropped' || node?.ending === 'dropped',
          `${old.id} is not planned and goes on`,
        );
      else if (hasEnded(old) && old.stage !== 'skipped')
        assertRule(node?.stage === old.stage, `${old.id} came back from ${old.stage}`);
    }
  }

  function followNodeMove(
    before: RunState,
    node: NodeState,
    after: NodeState,
    event: Extract<RunEvent, { node: string }>,
    { state, signals }: Decision,
  ) {
    const memory = memoryOf(node.id);
    const step = stepOf(after, state.open);
    const say = `${event.type} leaves ${node.id} ${after.stage}${after.next ? ` (${after.next})` : ''} from ${node.stage}`;
    const isUnderWay = before.open.some((command) => command.id === node.command && isExecuted(command));
    const isTold = (kind: Signal['kind'], message?: string) =>
      assertSignal(signals, { command: node.command ?? '', kind, message });
    switch (event.type) {
      case 'node_prompted':
        if (event.question) {
          if (node.stage === 'working') isTold('query', event.message);
          return assertRule(after.stage === node.stage, say);
        }
        memory.told.push({ from: 'person', text: event.message });
        if (node.stage === 'working') isTold('prompt', event.message);
        if (node.stage === 'paused') assertRule(step === node.next && after.stage !== 'paused', say);
        else assertRule(after.stage === node.stage, say);
        return;
      case 'node_interrupted':
        if (isUnderWay) {
          isTold('stop');
          return assertRule(after.ending === 'paused' && after.stage === node.stage, say);
        }
        return assertRule(after.stage === 'paused' && after.next === node.next, say);
      case 'node_resumed':
        return assertRule(after.stage !== 'paused' && step === node.next, say);
      case 'node_cancelled':
        return checkRemoval('cancelled');
      case 'node_dropped':
        if (node.stage === 'done' && node.merged) return assertRule(step === 'revert', say);
        return checkRemoval('dropped');
      case 'node_retried':
        if (event.message) memory.told.push({ from: 'person', text: event.message });
        return assertRule(step === 'work' && !hasEnded(after), say);
      case 'node_handed_over':
        isTold('hand_over');
        return assertRule(after.stage === 'working', say);
      case 'gate_overridden': {
        if (event.taken_back) {
          const judgeStep = event.gate === 'inspector' ? 'inspect' : 'test';
          const isPast = node.next === 'merge' || (node.next === 'test' && judgeStep === 'inspect');
          const waits = ['queued', 'paused', 'parked'].includes(node.stage);
          assertRule(!after.overrides.includes(event.gate), `${event.gate} is overridden still`);
          assertRule(state.deferred.length < before.deferred.length, 'what counts again is listed still');
          if (isPast && waits) return assertRule(step === judgeStep || after.next === judgeStep, say);
          return assertRule(after.stage === node.stage || step === node.next, say);
        }
        assertRule(after.overrides.includes(event.gate), `${event.gate} is not overridden`);
        assertRule(after.overrides.length === new Set(after.overrides).size, 'overridden twice');
        assertRule(state.deferred.length === before.deferred.length + 1, 'what was ignored is not listed');
        const own = event.gate === 'inspector' ? 'inspect' : 'test';
        const asked = before.open
          .find(({ id }) => id === node.command)
          ?.options?.includes(`ignore_${event.gate}`);
        const isNext = node.stage === 'queued' && node.next === own;
        if (asked || isNext) return assertRule(step === gatesAfter(after, event.gate), say);
        return assertRule(after.stage === node.stage || step === node.next, say);
      }
      case 'node_claimed':
        assertRule(after.claimLease === event.lease_ms, `${node.id} has a lease of ${after.claimLease}`);
        checkLease(after, state.open, event.at);
        return assertRule(after.stage === 'claimed' && after.claimedBy === event.by, say);
      case 'node_completed':
        memory.commit = event.commit;
        return assertRule(step === gatesAfter(after) && after.claimedBy === event.by, say);
      case 'node_released':
        return checkTakenBack(node, after, state.open);
    }

    function checkRemoval(stage: 'cancelled' | 'dropped') {
      if (isUnderWay) {
        isTold('stop');
        return assertRule(after.ending === stage, say);
      }
      assertRule(after.stage === stage, say);
    }
  }

  /** Where a run is halted, everything that is executed is told to stop, once. */
  function checkHalt(before: RunState | undefined, event: RunEvent, { state, signals }: Decision) {
    if (!before || before.goal === state.goal || state.goal === undefined) return;
    const wasTold = new Set(signals.filter(({ kind }) => kind === 'stop').map(({ command }) => command));
    assertRule(
      state.open.filter(isExecuted).every(({ id }) => wasTold.has(id)),
      `${event.type}: something goes on in a run that is to be ${state.goal}`,
    );
  }

  return { check };
}

/** The run goes on with a node that nobody claims any more. */
function checkTakenBack(node: NodeState, after: NodeState, open: Command[]) {
  const step = stepOf(after, open);
  assertRule(after.claimedBy === undefined && after.claimLease === undefined, `${node.id} is still claimed`);
  assertRule(
    step === 'work' || (node.commit === undefined && step === 'pending'),
    `${node.id} was taken back, and is ${after.stage}`,
  );
}

function checkLease({ id, command, claimLease }: NodeState, open: Command[], at: number) {
  const end = open.find((each) => each.id === command)?.at;
  assertRule(
    end === (claimLease === undefined ? undefined : at + claimLease),
    `the claim of ${id} ends at ${end}`,
  );
}

function assertSignal(signals: Signal[], { command, kind, message }: Signal) {
  assertRule(
    signals.some(
      (signal) => signal.command === command && signal.kind === kind && signal.message === message,
    ),
    `${command} is not told: ${kind} ${message ?? ''}`,
  );
}

/** What the node hears of an answer. */
function toldBy(
  node: NodeState,
  { kind, subject, message = '' }: Command,
  outcome: AnyOutcome,
): Memory['told'] {
  if (outcome.result === 'advised') return [{ from: 'architect', text: outcome.text }];
  if (outcome.result === 'answered') {
    const isSentBack = subject === 'guarded' && outcome.choice === 'send_back';
    return [
      ...(outcome.text ? [{ from: 'person' as const, text: outcome.text }] : []),
      ...(isSentBack ? [{ from: 'inspector' as const, text: message }] : []),
    ];
  }
  if (outcome.result === 'conflict' || outcome.result === 'red')
    return kind === 'merge' ? [{ from: 'merge', text: outcome.text }] : [];
  if (outcome.result !== 'findings') return [];
  const from = kind === 'inspect' ? 'inspector' : 'tester';
  return node.overrides.includes(from) ? [] : [{ from, text: outcome.text }];
}

function sentBack(state: RunState, node: NodeState, from: 'inspector' | 'tester' | 'merge'): Expected {
  if (node.loops[from] < state.limits.loops) return { step: node.claimedBy ? 'claimed' : 'work' };
  const ignore = from === 'merge' ? [] : [`ignore_${from}`];
  return { asks: `${from}_limit`, options: [...ignore, 'retry', 'fail'] };
}

function expectedAfter(
  state: RunState,
  node: NodeState,
  command: Command,
  outcome: AnyOutcome,
  at: number,
): Expected {
  const { kind } = command;
  switch (outcome.result) {
    case 'done':
      return kind === 'consult' ? { stage: 'done' } : { step: gatesAfter(node) };
    case 'asks':
      return isOverBudget(state) ? { asks: 'clarification', options: [] } : { step: 'advise' };
    case 'unsure':
      return { asks: 'clarification', options: [] };
    case 'advised':
      return { step: 'work' };
    case 'parked': {
      const step = kind === 'advise' ? 'advise' : 'work';
      if (isOverBudget(state)) return { step };
      return { wakes: step, at: Math.max(outcome.wake_at ?? at + 60_000, at + 1000) };
    }
    case 'context_full':
      return node.handovers < state.limits.handovers
        ? { step: 'work' }
        : { asks: 'handover_limit', options: ['retry', 'fail'] };
    case 'stopped':
      return { step: kind === 'consult' ? 'work' : kind };
    case 'failed': {
      const retry = node.spec.metadata.retry ?? state.plan?.policy.default_retry;
      const mayRetry = 'retryable' in outcome && outcome.retryable && retry && node.attempts < retry.max;
      return mayRetry
        ? { wakes: 'work', at: at + retry.backoff_ms * 2 ** node.attempts }
        : { stage: 'failed' };
    }
    case 'passed':
      return { step: gatesAfter(node, kind === 'inspect' ? 'inspector' : 'tester') };
    case 'findings': {
      const gate = kind === 'inspect' ? 'inspector' : 'tester';
      return node.overrides.includes(gate) ? { step: gatesAfter(node, gate) } : sentBack(state, node, gate);
    }
    case 'guarded': {
      const isSettled = node.overrides.includes('inspector') || node.approved?.includes(outcome.text);
      if (isSettled) return { step: gatesAfter(node, 'inspector') };
      return { asks: 'guarded', options: ['approve', 'send_back', 'fail'] };
    }
    case 'conflict':
    case 'red':
      return kind === 'merge' ? sentBack(state, node, 'merge') : { stage: 'done' };
    case 'merged':
      return { stage: kind === 'merge' ? 'done' : 'dropped' };
    case 'broken': {
      if (kind === 'revert') return { stage: 'done' };
      if (kind === 'merge') return { asks: 'tool_broken', options: ['retry', 'fail'] };
      const gate = kind === 'inspect' ? 'inspector' : 'tester';
      if (node.overrides.includes(gate)) return { step: gatesAfter(node, gate) };
      return { asks: 'tool_broken', options: ['retry', `ignore_${gate}`, 'fail'] };
    }
    case 'woke':
      return { step: node.next ?? 'nothing' };
    case 'answered':
      return afterReply(node, command, outcome.choice);
    default:
      return { stage: 'unknown' };
  }
}

function afterReply(node: NodeState, { subject, options }: Command, choice: string): Expected {
  if (choice === 'fail') return { stage: 'failed' };
  if (choice === 'ignore_inspector') return { step: gatesAfter(node, 'inspector') };
  if (choice === 'ignore_tester') return { step: 'merge' };
  if (choice === 'approve') return { step: gatesAfter(node, 'inspector') };
  if (subject !== 'tool_broken') return { step: node.claimedBy ? 'claimed' : 'work' };
  if (options?.includes('ignore_inspector')) return { step: 'inspect' };
  return { step: options?.includes('ignore_tester') ? 'test' : 'merge' };
}

function checkCreation(
  { plan, prompt, limits, session }: Extract<RunEvent, { type: 'created' }>,
  state: RunState,
) {
  assertRule(
    isDeepStrictEqual([state.prompt, state.limits, state.session], [prompt, limits, session]),
    'created as another run',
  );
  const isProposed = plan !== undefined && checkPlan(plan).problems.length === 0;
  assertRule(state.status === (isProposed ? 'proposed' : 'planning'), `created as ${state.status}`);
  if (isProposed)
    return assertRule(
      state.proposal?.plan === plan && state.proposal.purpose === 'first' && state.revision === 1,
      'created with another plan',
    );
  const wanted = state.planRequest ?? state.open.find(({ kind }) => kind === 'plan');
  const isReason =
    plan === undefined ? wanted?.message === prompt : wanted?.message?.startsWith(`${prompt}\n`);
  assertRule(wanted?.purpose === 'first' && Boolean(isReason), 'created, and no plan is written');
}

/** Judging begins when the nodes are through; where they changed nothing there is nothing to judge. */
function checkPhase(before: RunState, { state, signals }: Decision) {
  const isJudging = (phase: string) => ['inspect', 'test', 'summary'].includes(phase);
  if (before.phase === 'execute' && isJudging(state.phase)) {
    const isChanged = state.nodes.some(({ merged }) => merged !== undefined);
    const phase = state.testsPlanned ? 'test' : 'inspect';
    assertRule(state.phase === (isChanged ? phase : 'summary'), `it goes on with ${state.phase}`);
  }
  if (!(isJudging(before.phase) || before.phase === 'done') || state.phase !== 'execute') return;
  for (const { id, kind, subject } of before.open) {
    if (!state.open.some((command) => command.id === id)) continue;
    const isStopped = signals.some(({ command, kind: word }) => command === id && word === 'stop');
    assertRule(isExecuted({ kind }) ? isStopped : subject === 'budget', `${kind} goes on beside the nodes`);
  }
}

/** What a word about the run as a whole leads to. */
function checkRunMove(
  before: RunState,
  event: Exclude<RunEvent, { type: 'answered' | 'created' }>,
  state: RunState,
  signals: Signal[],
) {
  const say = `${event.type} makes a run that was ${before.status} ${state.status}`;
  const isHeld = ['halting', 'stopped', 'suspended'].includes(before.status);
  const leadsTo = (status: string) => (isHeld ? state.resumesAs : state.status) === status;
  switch (event.type) {
    case 'started':
      return assertRule(
        state.status === 'running' || state.goal === 'failed' || state.status === 'failed',
        say,
      );
    case 'stopped':
    case 'suspended':
      assertRule(
        state.resumesAs === (before.resumesAs ?? before.status),
        `${say}, to be resumed as ${state.resumesAs}`,
      );
      return assertRule((state.goal ?? state.status) === event.type, say);
    case 'cancelled':
      return assertRule((state.goal ?? state.status) === 'cancelled', say);
    case 'budget_raised':
      assertRule(state.limits.budget === event.budget, 'the budget is another one');
      if (event.budget > state.spent)
        assertRule(
          !state.open.some(({ subject }) => subject === 'budget'),
          'it asks for a budget that it has',
        );
      return;
    case 'concurrency_set':
      return assertRule(state.limits.concurrency === event.concurrency, 'the concurrency is another one');
    case 'landing_requested':
      return assertRule(state.landing === event.target && state.open.at(-1)?.message === event.target, say);
    case 'resumed':
      return assertRule(
        state.status === before.resumesAs || ['halting', 'failed'].includes(state.status),
        say,
      );
    case 'plan_edited': {
      assertRule(
        state.proposal?.plan === event.plan && state.planRequest === undefined,
        'another plan is proposed',
      );
      assertRule(
        state.proposal.purpose === (before.plan ? 'change' : 'first'),
        'proposed for another purpose',
      );
      assertRule(
        state.revision === before.revision + 1 && state.proposal.revision === state.revision,
        'a wrong revision',
      );
      if (!before.plan) assertRule(leadsTo('proposed'), say);
      for (const { id, kind } of before.open)
        if (kind === 'plan')
          assertRule(
            state.unwantedPlan === id && signals.some(({ command }) => command === id),
            'an unwanted plan is written',
          );
      const waits = state.open.filter(
        ({ kind, node, subject }) => subject === 'plan_failed' || (kind === 'wake' && node === undefined),
      );
      return assertRule(waits.length === 0, 'it still waits for the plan that nobody wants');
    }
    case 'plan_rejected': {
      const purpose = before.proposal?.purpose;
      assertRule(state.proposal === undefined, 'a rejected plan is still proposed');
      if (purpose === 'first') assertRule(leadsTo('planning'), say);
      if (purpose === 'tests') {
        assertRule(state.testsPlanned === !event.message, 'rejected tests are planned wrongly');
        const asked = state.open.find(({ kind }) => kind === 'plan_tests');
        if (asked) assertRule(asked.message === event.message, 'the remarks on the tests are lost');
        return assertRule(
          state.deferred.length === before.deferred.length + (event.message ? 0 : 1),
          'skipped tests are not listed',
        );
      }
      if (event.message || purpose === 'first') return assertPlanWanted(state, purpose, event.message ?? '');
      return assertRule(!isPlanWanted(state) || isPlanWanted(before), 'a plan that nobody asked for');
    }
    case 'change_requested':
      assertRule(
        (state.proposal === undefined && state.phase === 'execute') ||
          before.status === 'approved' ||
          before.resumesAs === 'approved',
        say,
      );
      assertRule(
        state.status ===
          (before.status === 'stopped'
            ? before.resumesAs
            : before.status === 'approved'
              ? 'approved'
              : 'running'),
        say,
      );
      return assertPlanWanted(state, 'change', event.message);
  }
}

const isPlanWanted = ({ planRequest, open }: RunState): boolean =>
  planRequest !== undefined || open.some(({ kind }) => kind === 'plan');

function assertPlanWanted(state: RunState, purpose: string | undefined, message: string) {
  const wanted = state.planRequest ?? state.open.find(({ kind }) => kind === 'plan');
  assertRule(wanted?.purpose === purpose && wanted?.message === message, `no plan is written for ${message}`);
  assertRule(state.planAttempts === 1, `the first try of a plan counts as ${state.planAttempts}`);
}

/** What an answer about the run as a whole leads to. */
function followRunAnswer(
  before: RunState,
  command: Command,
  outcome: AnyOutcome,
  { state, commands }: Decision,
  at: number,
) {
  const { kind } = command;
  if (kind === 'land') return followLanding(before, outcome, state);
  const say = `${kind} ${outcome.result} in phase ${before.phase} leads to ${state.status} ${state.phase}`;
  const isFinal = before.goal === 'failed' || before.goal === 'cancelled';
  const phases: Record<string, string> = {
    inspect_all: 'inspect',
    plan_tests: 'test',
    test_all: 'test',
    summarise: 'summary',
  };
  const isStale = phases[kind] !== undefined && phases[kind] !== before.phase;
  if (isFinal || isStale) {
    assertRule(
      state.findings === before.findings &&
        state.summary === before.summary &&
        state.proposal === before.proposal,
      `${say}: nobody waits for it`,
    );
    return;
  }
  const issued = commands.find(({ kind, node }) => (kind === 'ask' || kind === 'wake') && node === undefined);
  const isUnwanted = command.id === before.unwantedPlan;
  if (isUnwanted)
    return assertRule(
      state.unwantedPlan === undefined &&
        state.proposal === before.proposal &&
        !commands.some(({ subject }) => subject === 'plan_failed'),
      'a plan that nobody wants counts',
    );
  switch (outcome.result) {
    case 'parked': {
      assertRule(
        issued?.at === Math.max(outcome.wake_at ?? at + 60_000, at + 1000),
        `${say}: it wakes at ${issued?.at}`,
      );
      const { purpose, message } = command;
      if (kind === 'plan')
        assertRule(
          isDeepStrictEqual(state.planRequest, { purpose, message }),
          `${say}: what was wanted is lost`,
        );
      return;
    }
    case 'asks':
      assertRule(
        issued?.message === outcome.question && issued.options?.join() === 'answer,give_up',
        `${say}: the person is not asked`,
      );
      assertRule(state.planAttempts === before.planAttempts, `${say}: a question counts as a try`);
      return;
    case 'planned':
    case 'none':
    case 'failed':
      return followWriting(before, command, outcome, state, commands, say);
    case 'passed':
    case 'findings':
    case 'broken':
      return followJudgement(before, outcome, state, issued, say);
    case 'done':
      assertRule(
        state.status === 'completed' && state.summary === ('text' in outcome ? outcome.text : ''),
        say,
      );
      return;
    case 'answered':
      return followReply(before, command, outcome, state, say);
    default:
      return;
  }
}

/** What has landed has landed, whatever became of the run; what could not land says why. */
function followLanding(before: RunState, outcome: AnyOutcome, state: RunState) {
  const say = `a landing that was ${outcome.result}`;
  assertRule(
    state.landed === (outcome.result === 'merged' ? outcome.commit : before.landed),
    `${say} counts as ${state.landed}`,
  );
  const reason = 'text' in outcome ? outcome.text : 'message' in outcome ? outcome.message : undefined;
  // The answer may let the run end, which has a reason of its own.
  if (state.status === before.status)
    assertRule(state.error === (reason ?? before.error), `${say} leaves the error ${state.error}`);
}

type Writing = Extract<AnyOutcome, { result: 'planned' | 'none' | 'failed' }>;

function followWriting(
  before: RunState,
  { kind, purpose }: Command,
  outcome: Writing,
  state: RunState,
  commands: Command[],
  say: string,
) {
  if (kind === 'summarise') return assertRule(state.status === 'completed' && Boolean(state.summary), say);
  const isProposed = state.proposal !== undefined && state.proposal !== before.proposal;
  if (outcome.result === 'planned')
    assertRule(
      isProposed === fits(before, outcome.plan, kind === 'plan' ? (purpose ?? 'first') : 'tests'),
      `${say}: a plan that ${isProposed ? 'does not fit' : 'fits'} is ${isProposed ? '' : 'not '}proposed`,
    );
  if (outcome.result === 'planned' && isProposed) {
    assertRule(state.proposal?.plan === outcome.plan, `${say}: another plan is proposed`);
    assertRule(
      state.revision === before.revision + 1 && state.proposal?.revision === state.revision,
      'a wrong revision',
    );
    return assertRule(
      state.proposal?.purpose === (kind === 'plan' ? purpose : 'tests'),
      `${say}: wrong purpose`,
    );
  }
  assertRule(!isProposed, `${say}: an empty plan is proposed`);
  if (kind === 'plan_tests') {
    assertRule(state.testsPlanned, `${say}: tests are planned again`);
    const skipped = outcome.result === 'none' ? 0 : 1;
    assertRule(
      state.deferred.length === before.deferred.length + skipped,
      `${say}: missing tests are not listed`,
    );
    if (skipped) assertReason(state.deferred.at(-1), outcome, `${say}: missing tests`);
    return;
  }
  const asked = commands.find(
    ({ subject, options }) => subject === 'plan_failed' && options?.join() === 'retry,give_up',
  );
  const asks = asked !== undefined;
  if (asks) assertReason(asked.message, outcome, `${say}: the question`);
  if (before.planAttempts >= before.limits.plan_attempts) return assertRule(asks, `${say}: nobody is asked`);
  const wanted = state.planRequest ?? commands.find((command) => command.kind === 'plan');
  assertRule(!asks && state.planAttempts === before.planAttempts + 1, `${say}: tries are counted wrongly`);
  assertRule(wanted?.purpose === purpose, `${say}: it is not tried again`);
  assertReason(wanted?.message, outcome, `${say}: the next try`);
}

/** What went wrong is passed on: the planner's own words, or what is wrong with its plan. */
function assertReason(text: string | undefined, outcome: Writing, say: string) {
  const reason = outcome.result === 'failed' ? outcome.message : '.';
  assertRule(Boolean(text?.includes(reason)) && !text?.includes('undefined'), `${say} says ${text}`);
}

function followJudgement(
  before: RunState,
  outcome: Extract<AnyOutcome, { result: 'passed' | 'findings' | 'broken' }>,
  state: RunState,
  issued: Command | undefined,
  say: string,
) {
  const isInspection = before.phase === 'inspect';
  if (outcome.result === 'passed')
    return assertRule(state.phase === (isInspection ? 'test' : 'summary'), say);
  const text = 'text' in outcome ? outcome.text : outcome.message;
  assertRule(state.findings === text && issued?.message === text, `${say}: the findings are lost`);
  assertRule(
    issued?.subject === (isInspection ? 'findings' : 'test_failures'),
    `${say}: asks for ${issued?.subject}`,
  );
  const canFix = outcome.result === 'findings' && state.fixRounds < state.limits.fix_rounds;
  const options = [
    ...(canFix ? ['fix'] : []),
    ...(outcome.result === 'broken' ? ['retry'] : []),
    'ignore',
    'give_up',
  ];
  assertRule(isDeepStrictEqual(issued?.options, options), `${say}: offers ${issued?.options}`);
}

function followReply(
  before: RunState,
  { subject, purpose, message }: Command,
  { choice, text }: Extract<AnyOutcome, { result: 'answered' }>,
  state: RunState,
  say: string,
) {
  const because = `${say}: ${subject} ${choice}`;
  const goal = state.goal ?? state.status;
  if (subject === 'budget')
    return assertRule(
      choice === 'raise'
        ? state.limits.budget === Number(text)
        : goal === 'stopped' || before.goal !== undefined || before.status !== 'running',
      because,
    );
  if (subject === 'plan_failed') {
    if (choice === 'retry') return assertPlanWanted(state, purpose, text);
    if (choice === 'answer')
      return assertPlanWanted(state, purpose, `You asked: ${message}\nThe person answers: ${text}`);
    return assertRule((goal === 'cancelled') === (purpose === 'first'), because);
  }
  if (choice === 'fix') {
    assertRule(state.fixRounds === before.fixRounds + 1 && state.phase === 'execute', because);
    return assertPlanWanted(state, 'fix', [before.findings, text].filter(Boolean).join('\n'));
  }
  assertRule(state.fixRounds === before.fixRounds, `${because}: a round of fixes is counted`);
  if (choice === 'give_up') return assertRule(goal === 'failed', because);
  if (choice === 'retry') return assertRule(state.phase === before.phase, because);
  assertRule(state.phase === (before.phase === 'inspect' ? 'test' : 'summary'), because);
  assertRule(
    state.deferred.length === before.deferred.length + 1 && state.deferred.at(-1) === before.findings,
    `${because}: it is not listed`,
  );
}
