import {
  type AskSubject,
  type CommandKind,
  consultedAgents,
  paidKinds,
  priorities,
} from '../../../stores/runs/index.ts';
import { sharedTouch } from '../touches.ts';
import { type Draft, edit, issue } from './draft.ts';
import {
  hasEnded,
  isActive,
  isExecuting,
  type NodeState,
  nodeOf,
  policyOf,
  type RunState,
  type Step,
} from './state.ts';

const kindOfStep = (node: NodeState, step: Step): CommandKind =>
  step === 'work' && isConsulted(node) ? 'consult' : step;

export const isConsulted = ({ spec }: NodeState): boolean =>
  consultedAgents.some((agent) => agent === spec.agent);

const stageOfStep = {
  work: 'working',
  advise: 'asking',
  inspect: 'inspecting',
  test: 'testing',
  merge: 'merging',
  revert: 'reverting',
} as const;

/** Issues every command that may go out now. Called at the end of every event, and the only place where nodes start. */
export function startWhatCan(draft: Draft) {
  const { state } = draft;
  startPlanning(draft);
  if (state.status !== 'running' || state.phase !== 'execute') return;
  mergeNext(draft);
  for (const node of state.nodes) {
    if (node.stage !== 'queued' || node.next === 'merge' || node.next === 'revert') continue;
    if (node.next === 'advise' || hasRoom(state)) start(draft, node, node.next ?? 'work');
  }
  if (state.proposal || state.planRequest || isPlanning(state)) return;
  const startable = state.nodes.filter((node) => node.stage === 'pending' && isReady(state, node));
  for (const node of startable.toSorted(byPriority))
    if (hasRoom(draft.state) && !touchesOverlap(draft.state, node)) start(draft, node, 'work');
}

export const isPlanning = ({ open }: RunState): boolean => open.some(({ kind }) => kind === 'plan');

/** The run as a whole waits for a time. */
const isParked = ({ open }: RunState): boolean =>
  open.some(({ kind, node }) => kind === 'wake' && node === undefined);

export interface Parked {
  reason: string;
  wake_at?: number | undefined;
}

/** How long to wait where nobody knows: a minute. */
const unknownWait = 60_000;
/** A provider that says "now" is asked again no sooner. */
const leastWait = 1000;

export const wakeTime = ({ at }: Draft, wakeAt: number | undefined): number =>
  Math.max(wakeAt ?? at + unknownWait, at + leastWait);

function startPlanning(draft: Draft) {
  const { state } = draft;
  if (!state.planRequest || isPlanning(state) || isParked(state)) return;
  if (!['planning', 'proposed', 'approved', 'running'].includes(state.status)) return;
  if (isOverBudget(state)) return askForBudget(draft);
  issue(draft, { kind: 'plan', ...state.planRequest });
  state.planRequest = undefined;
}

function byPriority(left: NodeState, right: NodeState): number {
  return priorities.indexOf(right.spec.metadata.priority) - priorities.indexOf(left.spec.metadata.priority);
}

function hasRoom(state: RunState): boolean {
  const concurrency = Math.min(state.limits.concurrency, policyOf(state).max_concurrency);
  const running = state.nodes.filter(
    (node) => isExecuting(node) && node.stage !== 'merging' && node.stage !== 'reverting',
  );
  return running.length < concurrency;
}

/** One branch is changed by one command at a time; the node that was ready first goes first. */
function mergeNext(draft: Draft) {
  const { nodes } = draft.state;
  if (nodes.some(({ stage }) => stage === 'merging' || stage === 'reverting')) return;
  const waiting = nodes.filter(
    ({ stage, next }) => stage === 'queued' && (next === 'merge' || next === 'revert'),
  );
  const [first] = waiting.toSorted((left, right) => (left.readyAt ?? 0) - (right.readyAt ?? 0));
  if (first) start(draft, first, first.next ?? 'merge');
}

function start(draft: Draft, { id }: NodeState, step: Step) {
  const node = edit(draft, { id });
  const kind = kindOfStep(node, step);
  if (paidKinds.has(kind) && isOverBudget(draft.state)) {
    // A node that has begun keeps its place in the queue; one that has not stays pending.
    askForBudget(draft);
    return;
  }
  if (step === 'work') node.legs += 1;
  node.stage = stageOfStep[step];
  node.next = undefined;
  issue(draft, {
    kind,
    node: id,
    leg: node.legs,
    commit: step === 'revert' ? node.merged : node.commit,
    message: step === 'work' ? node.message : step === 'advise' ? node.question : undefined,
    feedback: step === 'work' ? node.feedback : undefined,
    timeout_ms: step === 'work' ? node.spec.metadata.timeout_ms : undefined,
  });
  if (step === 'work') node.message = undefined;
}

export const isOverBudget = ({ limits, spent }: RunState): boolean =>
  limits.budget !== undefined && spent >= limits.budget;

export function askForBudget(draft: Draft) {
  if (draft.state.open.some(({ subject }) => subject === 'budget')) return;
  issue(draft, {
    kind: 'ask',
    subject: 'budget',
    message: `The budget of ${draft.state.limits.budget} is spent.`,
    options: ['raise', 'stop'],
  });
}

/** A dropped dependency counts as done once what it depended on is done. */
export function isReady(state: RunState, node: NodeState): boolean {
  return node.spec.depends_on.every((id) => isSatisfied(state, id));
}

function isSatisfied(state: RunState, id: string): boolean {
  const node = nodeOf(state, id);
  if (!node || node.stage === 'done') return true;
  return node.stage === 'dropped' && isReady(state, node);
}

/** True while another node is at work that probably changes the same files. */
function touchesOverlap(state: RunState, node: NodeState): boolean {
  const threshold = policyOf(state).touch_threshold;
  return state.nodes.some(
    (other) =>
      other.id !== node.id && isActive(other) && sharedTouch(node.spec, other.spec, threshold) !== undefined,
  );
}

/** Puts a node in line for its next step. */
export function queue(draft: Draft, node: NodeState, next: Step) {
  const own = edit(draft, node);
  own.stage = 'queued';
  own.next = next;
  if (next === 'merge' || next === 'revert') own.readyAt = draft.state.number;
}

export function ask(
  draft: Draft,
  node: NodeState,
  question: { subject: AskSubject; message: string; options: string[] },
) {
  const own = edit(draft, node);
  own.stage = 'asking';
  own.asking = question.subject;
  issue(draft, { kind: 'ask', node: node.id, ...question });
}

/** Ends a node; those that can't run without it are skipped. What is merged and was not undone is done, whatever ended it. */
export function end(
  draft: Draft,
  node: NodeState,
  stage: 'failed' | 'cancelled' | 'dropped' | 'skipped',
  error?: string,
) {
  const own = edit(draft, node);
  own.stage = own.merged === undefined ? stage : 'done';
  own.next = undefined;
  own.question = undefined;
  own.claimedBy = undefined;
  own.claimLease = undefined;
  own.error = error;
  own.failureSeen = undefined;
  skipDependents(draft);
}

function skipDependents(draft: Draft) {
  for (const node of draft.state.nodes)
    if (node.stage === 'pending' && node.spec.depends_on.some((id) => isLost(draft.state, id)))
      edit(draft, node).stage = 'skipped';
}

/** True for a dependency that will never be done, unless a person does something about it. */
function isLost(state: RunState, id: string): boolean {
  const node = nodeOf(state, id);
  if (!node || node.stage === 'done') return false;
  if (node.stage === 'failed' || node.stage === 'cancelled' || node.stage === 'skipped') return true;
  const isWaiting = node.stage === 'pending' || node.stage === 'dropped';
  return isWaiting && node.spec.depends_on.some((dependency) => isLost(state, dependency));
}

/** Skipped nodes come back when what they depend on is tried again or dropped. */
export function reviveSkipped(draft: Draft) {
  for (const node of draft.state.nodes) if (node.stage === 'skipped') edit(draft, node).stage = 'pending';
  skipDependents(draft);
}

export const allEnded = (state: RunState): boolean => state.nodes.every(hasEnded);
