import type { Decision, NodeState, RunState } from '../../src/engines/orchestrator/index.ts';
import { sharedTouch } from '../../src/engines/orchestrator/touches.ts';
import { type Command, paidKinds, priorities, type RunEvent } from '../../src/stores/runs/index.ts';
import {
  assertRule,
  hasEnded,
  isConsulted,
  isExecuted,
  isMet,
  isReady,
  mayTake,
  nodeIn,
  runHasEnded,
} from './run-acceptance.ts';
import { createEffectRules } from './run-effects.ts';

/** Stages that have an open command, and of which kind. */
const commandsOfStage: Record<string, string[]> = {
  working: ['work', 'consult'],
  inspecting: ['inspect'],
  testing: ['test'],
  merging: ['merge'],
  reverting: ['revert'],
  asking: ['ask', 'advise'],
  parked: ['wake'],
};

const takesPlace = ({ kind }: Command): boolean => ['work', 'consult', 'inspect', 'test'].includes(kind);
const roomOf = ({ limits, plan }: RunState): number =>
  Math.min(limits.concurrency, plan?.policy.max_concurrency ?? 1);
const isOverBudget = ({ limits, spent }: RunState): boolean =>
  limits.budget !== undefined && spent >= limits.budget;

/** What must be true of a run after every event, whatever has happened to it. */
export function createRunRules() {
  const effects = createEffectRules();

  function check(
    before: RunState | undefined,
    event: RunEvent,
    decision: Decision,
    outstanding: Map<string, Command>,
  ) {
    if (before)
      assertRule(
        mayTake(before, event) === (decision.refused === undefined),
        `${event.type} was ${decision.refused ? `refused (${decision.refused.message})` : 'taken'}`,
      );
    if (decision.refused) return assertRule(decision.refused.message !== '', 'a refusal without a reason');
    const { state } = decision;
    assertRule(state.number === (before?.number ?? 0) + 1, 'an event was not counted');
    checkCommands(decision, outstanding);
    const byNode = Map.groupBy(state.open, ({ node }) => node);
    for (const node of state.nodes) {
      checkNode(state, node, byNode.get(node.id) ?? []);
      if (nodeIn(before, node.id)?.stage === 'pending' && byNode.get(node.id)?.some(takesPlace))
        checkStart(state, node);
    }
    checkRun(state);
    checkProgress(before, decision);
    effects.check(before, event, decision);
  }

  return { check, waitsForPerson };
}

function checkCommands({ state, commands, signals }: Decision, outstanding: Map<string, Command>) {
  assertRule(
    state.open.length === outstanding.size && state.open.every(({ id }) => outstanding.has(id)),
    'the state knows other open commands than the journal',
  );
  for (const signal of signals) {
    const command = outstanding.get(signal.command);
    assertRule(command !== undefined && isExecuted(command), 'a signal to a command that nobody executes');
  }
  assertRule(
    new Set(signals.map(({ command, kind }) => `${command} ${kind}`)).size === signals.length,
    'the same signal twice',
  );
  commands.forEach((command, at) => {
    assertRule(command.id === `${state.run}:${state.number}:${at}`, `a command is called ${command.id}`);
    if (paidKinds.has(command.kind)) assertRule(!isOverBudget(state), `${command.kind} over budget`);
  });
  const count = (...kinds: string[]) => state.open.filter(({ kind }) => kinds.includes(kind)).length;
  assertRule(count('merge', 'revert') <= 1, 'two merges at once');
  assertRule(count('plan') <= 1, 'two plans at once');
  assertRule(
    state.open.filter(({ subject }) => subject === 'budget').length <= 1,
    'asked twice for a budget',
  );
}

function checkNode(state: RunState, node: NodeState, open: Command[]) {
  const { id, stage, next, ending } = node;
  const say = (text: string) => `${id} is ${stage}${next ? ` (${next})` : ''}: ${text}`;
  const [command] = open;
  assertRule(open.length <= 1, say(`${open.length} open commands`));
  const kinds = stage === 'claimed' && node.claimLease !== undefined ? ['wake'] : commandsOfStage[stage];
  assertRule(command ? (kinds?.includes(command.kind) ?? false) : !kinds, say(`${command?.kind} is open`));
  assertRule(node.command === command?.id, say('it names another command than the open one'));
  assertRule(node.asking === command?.subject, say(`it asks for ${node.asking}`));
  assertRule((next !== undefined) === ['queued', 'paused', 'parked'].includes(stage), say('wrong next step'));
  assertRule(
    ending === undefined || (command !== undefined && isExecuted(command)),
    say('ending without end'),
  );
  if (next === 'merge' || next === 'revert')
    assertRule(node.readyAt !== undefined, say('no place in the line'));
  if (node.claimedBy !== undefined)
    assertRule(
      stage === 'done' || (!hasEnded(node) && stage !== 'pending' && stage !== 'working'),
      say('claimed'),
    );
  if (node.claimLease !== undefined) assertRule(node.claimedBy !== undefined, say('a lease of nobody'));
  if (stage === 'claimed') assertRule(node.claimedBy !== undefined, say('claimed by nobody'));
  const seeksWord = next === 'advise' || command?.kind === 'advise' || command?.subject === 'clarification';
  assertRule((node.question !== undefined) === seeksWord, say(`the question is ${node.question}`));
  const mayBeMerged = stage === 'done' || stage === 'reverting' || next === 'revert';
  if (node.merged !== undefined) assertRule(mayBeMerged, say('merged'));
  if (stage === 'done')
    assertRule(
      isConsulted(node) ? node.output !== undefined : node.merged !== undefined,
      say('nothing came of it'),
    );
  if (stage === 'failed') assertRule(Boolean(node.error), say('no reason'));
  if (state.status === 'failed') assertRule(stage !== 'failed' || node.failureSeen === true, say('not seen'));
  if (stage === 'skipped')
    assertRule(
      node.spec.depends_on.some((each) => isLost(state, each)) ||
        state.nodes.some((other) => other.stage === 'failed'),
      say('skipped without a reason'),
    );
  if (stage === 'pending')
    assertRule(
      !node.spec.depends_on.some((each) => isLost(state, each)),
      say('it waits for what never comes'),
    );
}

function isLost(state: RunState, id: string): boolean {
  const node = nodeIn(state, id);
  if (!node) return false;
  if (['failed', 'cancelled', 'skipped'].includes(node.stage)) return true;
  return node.stage === 'dropped' && node.spec.depends_on.some((each) => isLost(state, each));
}

function checkStart(state: RunState, node: NodeState) {
  const unmet = node.spec.depends_on.filter((id) => !isMet(state, id));
  assertRule(unmet.length === 0, `${node.id} started before ${unmet.join(', ')}`);
  assertRule(!state.proposal && !state.planRequest, `${node.id} started while the plan is open`);
  assertRule(neighboursOf(state, node).length === 0, `${node.id} touches the files of another node`);
}

/** Nodes at work that probably change the same files. */
const neighboursOf = (state: RunState, node: NodeState): NodeState[] =>
  state.nodes.filter(
    (other) =>
      other.id !== node.id &&
      other.stage !== 'pending' &&
      !hasEnded(other) &&
      sharedTouch(node.spec, other.spec, state.plan?.policy.touch_threshold ?? 0) !== undefined,
  );

function checkRun(state: RunState) {
  const { status, goal, open, phase, nodes } = state;
  const executed = open.filter(isExecuted);
  assertRule((goal !== undefined) === (status === 'halting'), `${status} with goal ${goal}`);
  const isHeld = status === 'stopped' || status === 'suspended';
  const isFinal = goal === 'failed' || goal === 'cancelled';
  assertRule(
    (state.resumesAs !== undefined) === (isHeld || (status === 'halting' && !isFinal)),
    `${status} resumes as ${state.resumesAs}`,
  );
  if (status === 'halting') assertRule(executed.length > 0, 'halting, and nothing is under way');
  if (isHeld) assertRule(executed.length === 0, `${status} with commands under way`);
  if (isFinal)
    assertRule(
      open.every(isExecuted) && nodes.every((node) => hasEnded(node) || node.ending !== undefined),
      'ending, and something was left to wait',
    );
  if (runHasEnded(state)) {
    assertRule(phase === 'done' && nodes.every(hasEnded), `${status} in phase ${phase}`);
    assertRule(
      open.every(({ kind }) => kind === 'land'),
      `${status} with open commands`,
    );
    assertRule(!state.proposal && !state.planRequest, `${status} with an open plan`);
  }
  assertRule(
    (state.landing !== undefined) === open.some(({ kind }) => kind === 'land'),
    'landing without a landing',
  );
  if (status === 'failed') assertRule(Boolean(state.error), 'failed without a reason');
  if (status === 'completed') {
    assertRule(Boolean(state.summary), 'completed without a summary');
    assertRule(!nodes.some(({ stage }) => stage === 'failed'), 'completed with a failed node');
  }
  const asPlanned = status === 'planning' || state.resumesAs === 'planning';
  if (asPlanned || status === 'proposed')
    assertRule(phase === 'plan' && !state.plan, `${status} with a plan`);
  assertRule((status === 'proposed') <= (state.proposal !== undefined), 'proposed without a proposal');
  assertRule(state.fixRounds <= state.limits.fix_rounds, 'more rounds of fixes than allowed');
  assertRule(state.planAttempts <= state.limits.plan_attempts, 'more plans than allowed');
  if (state.plan)
    assertRule(
      state.plan.nodes.every(({ id }) => nodeIn(state, id)),
      'a node of the plan is missing',
    );
}

export const waitsForPerson = ({ nodes }: RunState): boolean =>
  nodes.some(({ stage }) => stage === 'paused' || stage === 'claimed');

/** Nothing that could go on is left lying. */
function checkProgress(before: RunState | undefined, { state, commands }: Decision) {
  const { status, phase, nodes, open, plan } = state;
  const isPlanOpen =
    state.proposal !== undefined ||
    state.planRequest !== undefined ||
    open.some(({ kind }) => kind === 'plan');
  const isParked = open.some(({ kind, node }) => kind === 'wake' && node === undefined);
  if (['planning', 'proposed', 'approved', 'running'].includes(status) && state.planRequest)
    assertRule(
      isParked || (isOverBudget(state) && asksForBudget(state)) || open.some(({ kind }) => kind === 'plan'),
      'a plan is wanted, and nobody writes it',
    );
  if (status === 'planning' || status === 'running')
    assertRule(
      open.length > 0 || state.proposal !== undefined || waitsForPerson(state),
      'nothing is open and nobody is asked',
    );
  if (status !== 'running' || phase !== 'execute')
    return assertRule(
      !commands.some(({ node, kind }) => node !== undefined && isExecuted({ kind })),
      `a node goes on while the run is ${status} ${phase}`,
    );
  const busy = open.filter(takesPlace).length;
  const wasBusy = before?.open.filter(takesPlace).length ?? 0;
  assertRule(
    busy <= Math.max(roomOf(state), commands.some(takesPlace) ? 0 : wasBusy),
    `${busy} at work, ${roomOf(state)} allowed`,
  );
  for (const { kind, node } of commands)
    if (kind === 'merge' || kind === 'revert') {
      const own = nodeIn(state, node);
      const later = nodes.filter((other) => other.next === 'merge' || other.next === 'revert');
      assertRule(
        later.every(({ stage, readyAt }) => stage !== 'queued' || (readyAt ?? 0) >= (own?.readyAt ?? 0)),
        `${node} is merged before its turn`,
      );
    }
  const isMerging = open.some(({ kind }) => kind === 'merge' || kind === 'revert');
  const hasRoom = busy < roomOf(state);
  for (const node of nodes) {
    if (node.stage !== 'queued') continue;
    if (node.next === 'merge' || node.next === 'revert')
      assertRule(isMerging, `${node.id} waits to be merged`);
    else if (node.next === 'advise' || node.next === 'work')
      assertRule(
        (node.next === 'work' && !hasRoom) || isBlockedByBudget(state),
        `${node.id} waits for nothing`,
      );
    else assertRule(!hasRoom, `${node.id} waits for nothing`);
  }
  const startable = nodes.filter(
    (node) => node.stage === 'pending' && isReady(state, node) && neighboursOf(state, node).length === 0,
  );
  if (!isPlanOpen && hasRoom && startable.length > 0)
    assertRule(isBlockedByBudget(state), `${startable[0]?.id} could start`);
  const rank = ({ spec }: NodeState) => priorities.indexOf(spec.metadata.priority);
  const started = nodes.filter(
    ({ id }) =>
      nodeIn(before, id)?.stage === 'pending' &&
      open.some((command) => command.node === id && takesPlace(command)),
  );
  if (!isPlanOpen)
    for (const one of started)
      for (const other of startable)
        assertRule(rank(one) >= rank(other), `${one.id} started before ${other.id}`);
  if (!isPlanOpen && plan?.policy.fail_fast)
    assertRule(
      !nodes.some(({ stage, failureSeen }) => stage === 'failed' && !failureSeen),
      'it goes on after a failure',
    );
  if (!isPlanOpen && open.length === 0)
    assertRule(!nodes.every(hasEnded), 'all nodes have ended, and it goes on');
}

const asksForBudget = ({ open }: RunState): boolean => open.some(({ subject }) => subject === 'budget');
const isBlockedByBudget = (state: RunState): boolean => isOverBudget(state) && asksForBudget(state);
