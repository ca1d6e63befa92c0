import type { Move, Plan } from '../../../stores/runs/index.ts';
import { backToWorker, ignoredText, takeBack, tell } from './answers.ts';
import { type Draft, edit, issue, releaseCommand, stopCommand, withdraw } from './draft.ts';
import { halt, problemsOf, propose, requestPlan, returnToNodes, setStatus } from './phases.ts';
import { end, isConsulted, isPlanning, isReady, queue, reviveSkipped } from './schedule.ts';
import {
  hasEnded,
  isExecuting,
  type NodeState,
  nodeOf,
  type Proposal,
  type RunState,
  runHasEnded,
} from './state.ts';

/** Why a move was not taken; nothing has changed then. */
export interface Refusal {
  code: 'NOT_FOUND' | 'CONFLICT' | 'INVALID_OPERATION' | 'VALIDATION_ERROR' | 'BLOCKED';
  message: string;
}

type MoveOf<Type extends Move['type']> = Extract<Move, { type: Type }>;
type Rule<Type extends Move['type']> = (draft: Draft, move: MoveOf<Type>) => Refusal | undefined;

const refuse = (code: Refusal['code'], message: string): Refusal => ({ code, message });
const invalid = (state: RunState, verb: string): Refusal =>
  refuse('INVALID_OPERATION', `The run is ${state.status}: it can't be ${verb}.`);

/** Runs a rule on the named node, if it exists and has not been closed. */
function onNode<M extends { node: string }>(
  rule: (draft: Draft, node: NodeState, move: M) => Refusal | undefined,
  options: { mayHaveEnded?: boolean } = {},
) {
  return (draft: Draft, move: M): Refusal | undefined => {
    const node = nodeOf(draft.state, move.node);
    if (!node) return refuse('NOT_FOUND', `The run has no node "${move.node}".`);
    if (hasEnded(node) && !options.mayHaveEnded)
      return refuse('INVALID_OPERATION', `Node "${node.id}" is closed (${node.stage}).`);
    if (runHasEnded(draft.state) && !options.mayHaveEnded) return invalid(draft.state, 'changed');
    return rule(draft, node, move);
  };
}

const wrongStage = (node: NodeState, verb: string): Refusal =>
  refuse('INVALID_OPERATION', `Node "${node.id}" is ${node.stage}: it can't be ${verb}.`);

const rules: { [Type in Move['type']]: Rule<Type> } = {
  plan_edited: (draft, { plan, revision }) => {
    const { state } = draft;
    if (runHasEnded(state) || state.goal === 'failed' || state.goal === 'cancelled')
      return invalid(state, 'changed');
    if (revision !== state.revision)
      return refuse(
        'CONFLICT',
        `The plan is at revision ${state.revision}, not ${revision}. Look at that one.`,
      );
    const purpose = state.plan ? 'change' : 'first';
    const problems = problemsOf(state, plan, purpose);
    if (problems.length > 0) return refuse('VALIDATION_ERROR', problems.join('\n'));
    // The person's own plan takes the place of the one that is being written.
    state.planRequest = undefined;
    returnToNodes(draft);
    for (const command of [...state.open])
      if (command.subject === 'plan_failed' || (command.kind === 'wake' && command.node === undefined))
        withdraw(draft, command.id);
      else if (command.kind === 'plan') {
        stopCommand(draft, command.id);
        state.unwantedPlan = command.id;
      }
    propose(draft, plan, purpose);
    return undefined;
  },
  plan_approved: (draft, { revision, start, remarks }) => {
    const { proposal } = draft.state;
    if (proposal?.revision !== revision) return staleRevision(draft.state, revision);
    // Nodes may have been done since the plan was proposed.
    const problems = problemsOf(draft.state, proposal.plan, proposal.purpose);
    if (problems.length > 0)
      return refuse('CONFLICT', `The plan no longer fits: ${problems.join(' ')} Change it, or reject it.`);
    adopt(draft, proposal, remarks);
    if (proposal.purpose === 'first') setStatus(draft, start ? 'running' : 'approved');
    return undefined;
  },
  plan_rejected: (draft, { revision, message }) => {
    const { state } = draft;
    if (state.proposal?.revision !== revision) return staleRevision(state, revision);
    const { purpose } = state.proposal;
    state.proposal = undefined;
    if (purpose === 'first') setStatus(draft, 'planning');
    if (purpose === 'tests') {
      state.testRemarks = message;
      if (message) return undefined;
      state.testsPlanned = true;
      state.deferred = [...state.deferred, 'planned tests skipped'];
    } else if (message || purpose === 'first') requestPlan(draft, purpose, message ?? '');
    return undefined;
  },
  change_requested: (draft, { message }) => {
    const { state } = draft;
    if (!['running', 'approved', 'stopped', 'completed', 'failed'].includes(state.status) || !state.plan)
      return invalid(state, 'changed');
    if (isPlanning(state) || state.planRequest)
      return refuse('CONFLICT', 'A plan is being written. Wait for it, or edit it then.');
    if (state.status === 'stopped') resume(state);
    returnToNodes(draft);
    state.proposal = undefined;
    requestPlan(draft, 'change', message);
    return undefined;
  },
  started: (draft) => {
    if (draft.state.status !== 'approved') return invalid(draft.state, 'started');
    draft.state.status = 'running';
    return undefined;
  },
  stopped: (draft, { message }) => halting(draft, 'stopped', message),
  suspended: (draft) => halting(draft, 'suspended'),
  resumed: (draft) => {
    const { state } = draft;
    if (state.status !== 'stopped' && state.status !== 'suspended') return invalid(state, 'resumed');
    resume(state);
    return undefined;
  },
  cancelled: (draft) => {
    if (runHasEnded(draft.state)) return invalid(draft.state, 'cancelled');
    halt(draft, 'cancelled');
    return undefined;
  },
  budget_raised: (draft, { budget }) => {
    draft.state.limits = { ...draft.state.limits, budget };
    const question = draft.state.open.find(({ subject }) => subject === 'budget');
    if (question && budget > draft.state.spent) withdraw(draft, question.id);
    return undefined;
  },
  concurrency_set: (draft, { concurrency }) => {
    draft.state.limits = { ...draft.state.limits, concurrency };
    return undefined;
  },
  node_prompted: onNode((draft, node, { message, question = false }) => {
    if (node.stage === 'working')
      draft.signals.push({ command: node.command ?? '', kind: question ? 'query' : 'prompt', message });
    if (question) return undefined;
    tell(draft, node, { from: 'person', text: message });
    if (node.stage === 'paused') queue(draft, node, node.next ?? 'work');
    return undefined;
  }),
  node_interrupted: onNode((draft, node) => {
    if (node.stage === 'queued' && node.next !== 'revert') edit(draft, node).stage = 'paused';
    else if (node.stage === 'parked' && releaseCommand(draft, node)) {
      edit(draft, node).stage = 'paused';
    } else if (isExecuting(node) && node.stage !== 'merging' && node.stage !== 'reverting' && !node.ending) {
      edit(draft, node).ending = 'paused';
      releaseCommand(draft, node);
    } else return wrongStage(node, 'interrupted');
    return undefined;
  }),
  node_resumed: onNode((draft, node) => {
    if (node.stage !== 'paused') return wrongStage(node, 'resumed');
    queue(draft, node, node.next ?? 'work');
    return undefined;
  }),
  node_cancelled: onNode((draft, node) => {
    if (node.merged !== undefined) return wrongStage(node, 'cancelled');
    remove(draft, node, 'cancelled');
    return undefined;
  }),
  node_dropped: onNode(
    (draft, node) => {
      if (node.stage === 'dropped' || isBeingReverted(node)) return wrongStage(node, 'dropped');
      if (draft.state.status === 'cancelled' || draft.state.status === 'halting')
        return invalid(draft.state, 'changed');
      returnToNodes(draft);
      if (node.stage === 'done' && node.merged !== undefined) queue(draft, node, 'revert');
      else remove(draft, node, 'dropped');
      reviveSkipped(draft);
      return undefined;
    },
    { mayHaveEnded: true },
  ),
  node_retried: onNode(
    (draft, node, { message }) => {
      if (node.stage !== 'failed' && node.stage !== 'cancelled') return wrongStage(node, 'retried');
      if (draft.state.status === 'cancelled' || draft.state.status === 'halting')
        return invalid(draft.state, 'changed');
      if (!isReady(draft.state, node))
        return refuse('BLOCKED', `Node "${node.id}" depends on nodes that are not done.`);
      returnToNodes(draft);
      if (message) tell(draft, node, { from: 'person', text: message });
      queue(draft, node, 'work');
      reviveSkipped(draft);
      return undefined;
    },
    { mayHaveEnded: true },
  ),
  node_handed_over: onNode((draft, node) => {
    if (node.stage !== 'working' || isConsulted(node)) return wrongStage(node, 'handed over');
    draft.signals.push({ command: node.command ?? '', kind: 'hand_over' });
    return undefined;
  }),
  gate_overridden: onNode((draft, node, { gate, taken_back }) => {
    if (isConsulted(node)) return wrongStage(node, 'overridden');
    if (taken_back) return takeOverrideBack(draft, node, gate);
    const own = edit(draft, node);
    if (!own.overrides.includes(gate)) own.overrides.push(gate);
    draft.state.deferred = [...draft.state.deferred, ignoredText(node.id, gate)];
    const after = gate === 'tester' || own.overrides.includes('tester') ? 'merge' : 'test';
    const skips = own.stage === 'queued' && own.next === (gate === 'inspector' ? 'inspect' : 'test');
    const isAsked = draft.state.open.some(
      ({ id, options }) => id === own.command && options?.includes(`ignore_${gate}`),
    );
    if (isAsked) releaseCommand(draft, own);
    if (isAsked || skips) queue(draft, own, after);
    return undefined;
  }),
  node_claimed: onNode((draft, node, { by, lease_ms }) => {
    const renews = node.stage === 'claimed' && node.claimedBy === by;
    if (!renews && (node.stage !== 'pending' || isConsulted(node))) return wrongStage(node, 'claimed');
    if (!renews && !isReady(draft.state, node))
      return refuse('BLOCKED', `Node "${node.id}" depends on nodes that are not done.`);
    releaseCommand(draft, node);
    const own = edit(draft, node);
    own.claimedBy = by;
    own.claimLease = lease_ms;
    backToWorker(draft, own);
    return undefined;
  }),
  node_completed: onNode((draft, node, { by, commit }) => {
    if (node.stage !== 'claimed' || node.claimedBy !== by) return wrongStage(node, `completed by ${by}`);
    releaseCommand(draft, node);
    const own = edit(draft, node);
    own.commit = commit;
    const { overrides } = own;
    queue(
      draft,
      own,
      !overrides.includes('inspector') ? 'inspect' : overrides.includes('tester') ? 'merge' : 'test',
    );
    return undefined;
  }),
  node_released: onNode((draft, node, { by }) => {
    if (node.stage !== 'claimed' || node.claimedBy !== by) return wrongStage(node, `released by ${by}`);
    releaseCommand(draft, node);
    takeBack(draft, node);
    return undefined;
  }),
  landing_requested: (draft, { target }) => {
    const { state } = draft;
    if (state.status !== 'completed') return invalid(state, 'landed');
    if (state.landing !== undefined)
      return refuse('CONFLICT', `The run is being landed on ${state.landing}.`);
    state.landing = target;
    issue(draft, { kind: 'land', message: target });
    return undefined;
  },
};

export function applyMove(draft: Draft, move: Move): Refusal | undefined {
  const rule = rules[move.type] as (draft: Draft, move: Move) => Refusal | undefined;
  return rule(draft, move);
}

function staleRevision({ proposal }: RunState, revision: number): Refusal {
  return refuse(
    'CONFLICT',
    proposal
      ? `Revision ${revision} was replaced by ${proposal.revision}. Look at that one.`
      : `No plan waits for approval (asked for revision ${revision}).`,
  );
}

function halting(draft: Draft, goal: 'stopped' | 'suspended', reason?: string): Refusal | undefined {
  const { state } = draft;
  if (goal === 'suspended' && state.status === 'stopped') {
    state.status = 'suspended';
    return undefined;
  }
  if (runHasEnded(state) || ['halting', 'stopped', 'suspended'].includes(state.status))
    return invalid(state, goal);
  halt(draft, goal, reason);
  return undefined;
}

function resume(state: RunState) {
  state.status = state.resumesAs ?? 'running';
  state.resumesAs = undefined;
  state.error = undefined;
}

/** The judge counts again, also for a node that has only just passed it by; not for one that is being merged. */
function takeOverrideBack(draft: Draft, node: NodeState, gate: 'inspector' | 'tester'): Refusal | undefined {
  if (!node.overrides.includes(gate))
    return refuse('NOT_FOUND', `Nobody has overridden the ${gate} of "${node.id}".`);
  const isPastJudge = node.stage === 'testing' && gate === 'inspector';
  if (node.merged !== undefined || node.stage === 'merging' || isPastJudge)
    return wrongStage(node, `judged by the ${gate} now`);
  const own = edit(draft, node);
  own.overrides = own.overrides.filter((each) => each !== gate);
  draft.state.deferred = draft.state.deferred.filter((text) => !text.startsWith(ignoredText(node.id, gate)));
  const isBehind = own.next === 'merge' || (own.next === 'test' && gate === 'inspector');
  if (isBehind) own.next = gate === 'inspector' ? 'inspect' : 'test';
  return undefined;
}

/** Waits for its revert, or is in it: it ends as dropped without another word. */
const isBeingReverted = ({ stage, merged }: NodeState): boolean => merged !== undefined && stage !== 'done';

function remove(draft: Draft, node: NodeState, as: 'cancelled' | 'dropped') {
  if (releaseCommand(draft, node)) end(draft, node, as);
  else edit(draft, node).ending = as;
}

/** Makes an approved revision the plan of the run. */
function adopt(draft: Draft, proposal: Proposal, remarks?: string) {
  const { state } = draft;
  const { plan, purpose } = proposal;
  state.proposal = undefined;
  if (purpose === 'tests') state.testsPlanned = true;
  if (purpose === 'fix') state.testsPlanned = false;
  const adds = purpose === 'fix' || purpose === 'tests';
  state.phase = 'execute';
  const nodes = adds ? [...(state.plan?.nodes ?? []), ...plan.nodes] : plan.nodes;
  state.plan = { ...plan, policy: adds ? (state.plan?.policy ?? plan.policy) : plan.policy, nodes };
  for (const node of [...state.nodes])
    if (!nodes.some(({ id }) => id === node.id) && !hasEnded(node) && !isBeingReverted(node))
      remove(draft, node, 'dropped');
  for (const spec of plan.nodes) adoptNode(draft, spec, remarks);
  reviveSkipped(draft);
}

function adoptNode(draft: Draft, spec: Plan['nodes'][number], remarks?: string) {
  const node = nodeOf(draft.state, spec.id);
  if (!node) {
    const feedback = remarks ? [{ from: 'person' as const, leg: 0, text: remarks }] : [];
    draft.state.nodes.push(newNode(spec, feedback));
    return;
  }
  if (node.stage === 'done') return;
  const changed = node.spec.prompt !== spec.prompt;
  const own = edit(draft, node);
  own.spec = spec;
  // An approved revision is carried out whole: what had failed or was taken out is tried again.
  if (hasEnded(own)) own.stage = 'pending';
  if (!changed || own.stage === 'pending') return;
  tell(draft, own, { from: 'plan', text: spec.prompt });
  if (own.stage === 'working')
    draft.signals.push({ command: own.command ?? '', kind: 'prompt', message: spec.prompt });
}

export function newNode(spec: Plan['nodes'][number], feedback: NodeState['feedback'] = []): NodeState {
  return {
    id: spec.id,
    spec,
    stage: 'pending',
    legs: 0,
    attempts: 0,
    loops: { inspector: 0, tester: 0, merge: 0 },
    handovers: 0,
    overrides: [],
    feedback,
  };
}
