import {
  checkPlan,
  type NodeState,
  type Proposal,
  type RunState,
} from '../../src/engines/orchestrator/index.ts';
import { consultedAgents, type Plan, type RunEvent } from '../../src/stores/runs/index.ts';

export function assertRule(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

const endedStages = ['done', 'failed', 'skipped', 'cancelled', 'dropped'];
export const hasEnded = ({ stage }: NodeState): boolean => endedStages.includes(stage);
export const runHasEnded = ({ status }: RunState): boolean =>
  ['completed', 'failed', 'cancelled'].includes(status);
export const isConsulted = ({ spec }: NodeState): boolean =>
  consultedAgents.some((agent) => agent === spec.agent);
export const isExecuted = ({ kind }: { kind: string }): boolean => kind !== 'ask' && kind !== 'wake';
/** Merged, and waiting to be taken out again. */
export const isBeingReverted = ({ stage, merged }: NodeState): boolean =>
  merged !== undefined && stage !== 'done';
const nodesById = new WeakMap<RunState, Map<string, NodeState>>();

export function nodeIn(state: RunState | undefined, id: string | undefined): NodeState | undefined {
  if (!state || id === undefined) return undefined;
  const known = nodesById.get(state) ?? new Map(state.nodes.map((node) => [node.id, node]));
  nodesById.set(state, known);
  return known.get(id);
}

/** Done, or dropped with everything before it done. */
export function isMet(state: RunState, id: string): boolean {
  const node = nodeIn(state, id);
  if (!node || node.stage === 'done') return true;
  return node.stage === 'dropped' && node.spec.depends_on.every((each) => isMet(state, each));
}

export const isReady = (state: RunState, node: NodeState): boolean =>
  node.spec.depends_on.every((id) => isMet(state, id));

/** A revision keeps what is done; fixes and tests add to the plan. */
export function fits(state: RunState, plan: Plan, purpose: Proposal['purpose']): boolean {
  const planned = new Map(state.plan?.nodes.map((spec) => [spec.id, spec]));
  const done = state.nodes.filter(({ id, stage }) => stage === 'done' && planned.has(id));
  if (purpose === 'first' || purpose === 'change')
    return (
      checkPlan(plan).problems.length === 0 &&
      done.every(({ id, spec }) => plan.nodes.some((node) => node.id === id && node.prompt === spec.prompt))
    );
  const own = new Set(plan.nodes.map(({ id }) => id));
  const nodes = [...state.nodes.filter(({ id }) => !own.has(id)).map(({ spec }) => spec), ...plan.nodes];
  return (
    plan.nodes.length > 0 &&
    checkPlan({ ...plan, execution_order: undefined, nodes }).problems.length === 0 &&
    done.every(({ id }) => !own.has(id))
  );
}

const isPlanBeingWritten = ({ open, planRequest }: RunState): boolean =>
  planRequest !== undefined || open.some(({ kind }) => kind === 'plan');

/** Whether an event may be taken in this state: the rules for persons, apart from the code that has them. */
export function mayTake(state: RunState, event: RunEvent): boolean {
  const { status, proposal } = state;
  switch (event.type) {
    case 'created':
    case 'budget_raised':
    case 'concurrency_set':
      return true;
    case 'answered': {
      const { command: id, outcome } = event;
      const command = state.open.find((each) => each.id === id);
      if (command?.kind !== 'ask' || outcome.result !== 'answered') return true;
      const { options = [], subject } = command;
      if (options.length === 0) return outcome.text !== '';
      if (!options.includes(outcome.choice)) return false;
      return subject !== 'budget' || outcome.choice !== 'raise' || Number(outcome.text) > state.spent;
    }
    case 'plan_edited':
      return (
        !runHasEnded(state) &&
        state.goal !== 'failed' &&
        state.goal !== 'cancelled' &&
        event.revision === state.revision &&
        fits(state, event.plan, state.plan ? 'change' : 'first')
      );
    case 'plan_approved':
      return proposal?.revision === event.revision && fits(state, proposal.plan, proposal.purpose);
    case 'plan_rejected':
      return proposal?.revision === event.revision;
    case 'change_requested':
      return (
        ['running', 'approved', 'stopped', 'completed', 'failed'].includes(status) &&
        state.plan !== undefined &&
        !isPlanBeingWritten(state)
      );
    case 'started':
      return status === 'approved';
    case 'stopped':
      return ['planning', 'proposed', 'approved', 'running'].includes(status);
    case 'suspended':
      return ['planning', 'proposed', 'approved', 'running', 'stopped'].includes(status);
    case 'resumed':
      return status === 'stopped' || status === 'suspended';
    case 'cancelled':
      return !runHasEnded(state);
    case 'landing_requested':
      return status === 'completed' && state.landing === undefined;
    default:
      return mayTakeForNode(state, event);
  }
}

function mayTakeForNode(state: RunState, event: Extract<RunEvent, { node: string }>): boolean {
  const node = nodeIn(state, event.node);
  if (!node) return false;
  const { stage, next } = node;
  const isSettled = state.status !== 'cancelled' && state.status !== 'halting';
  if (event.type === 'node_dropped') return isSettled && stage !== 'dropped' && !isBeingReverted(node);
  if (event.type === 'node_retried')
    return isSettled && (stage === 'failed' || stage === 'cancelled') && isReady(state, node);
  if (hasEnded(node) || runHasEnded(state)) return false;
  switch (event.type) {
    case 'node_prompted':
      return true;
    case 'node_interrupted':
      if (stage === 'queued') return next !== 'revert';
      return stage === 'parked' || (['working', 'inspecting', 'testing'].includes(stage) && !node.ending);
    case 'node_resumed':
      return stage === 'paused';
    case 'node_cancelled':
      return node.merged === undefined;
    case 'node_handed_over':
      return stage === 'working' && !isConsulted(node);
    case 'gate_overridden':
      if (!event.taken_back) return !isConsulted(node);
      if (!node.overrides.includes(event.gate) || node.merged !== undefined || stage === 'merging')
        return false;
      return !(stage === 'testing' && event.gate === 'inspector');
    case 'node_claimed':
      if (stage === 'claimed') return node.claimedBy === event.by;
      return stage === 'pending' && !isConsulted(node) && isReady(state, node);
    case 'node_completed':
    case 'node_released':
      return stage === 'claimed' && node.claimedBy === event.by;
  }
}
