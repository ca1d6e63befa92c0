import type { AskSubject, Command, Feedback, Limits, Plan, PlanNode } from '../../../stores/runs/index.ts';

/**
 * `pending` has not begun. `queued` waits for a place to go on with `next`. `working` to `merging` have a command that is
 * being executed. `asking`, `parked` and `paused` hold their worktree and wait for a person, a time or a word.
 * `claimed` is in the hands of somebody outside. The last six are ends; only a person's move leaves them.
 */
export type Stage =
  | 'pending'
  | 'queued'
  | 'working'
  | 'inspecting'
  | 'testing'
  | 'merging'
  | 'reverting'
  | 'asking'
  | 'parked'
  | 'paused'
  | 'claimed'
  | 'done'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  | 'dropped';

export type Step = 'work' | 'advise' | 'inspect' | 'test' | 'merge' | 'revert';

export interface NodeState {
  id: string;
  spec: PlanNode;
  stage: Stage;
  /** What `queued`, `parked` and `paused` go on with. */
  next?: Step;
  /** The command of this node that has no answer yet. */
  command?: string;
  /** What becomes of the node once its command has ended. */
  ending?: 'cancelled' | 'dropped' | 'paused' | 'skipped';
  /** Who claimed it, where somebody outside does the work. */
  claimedBy?: string;
  /** How long they have, in milliseconds: from the claim, and again whenever the node is sent back to them. */
  claimLease?: number;
  /** Work that was begun, retries after failures, loops of each judge, hand-overs. None is ever set back. */
  legs: number;
  attempts: number;
  loops: { inspector: number; tester: number; merge: number };
  handovers: number;
  overrides: Array<'inspector' | 'tester'>;
  /** Changes to what judges the node that the person has approved, in the words of the judge. */
  approved?: string[];
  /** Everything the node was told, oldest first. */
  feedback: Feedback[];
  /** A word for the next leg only: an answer, a bundle, a changed task. */
  message?: string;
  asking?: AskSubject;
  /** What the worker wants to know, until somebody has answered. */
  question?: string;
  commit?: string;
  merged?: string;
  output?: string;
  /** The event that made it ready to merge: merges go in this order. */
  readyAt?: number;
  error?: string;
  /** The run has failed because of it: a person who tries another node again goes on in spite of it. */
  failureSeen?: boolean;
}

export type Status =
  | 'planning'
  | 'proposed'
  | 'approved'
  | 'running'
  | 'halting'
  | 'stopped'
  | 'suspended'
  | 'completed'
  | 'failed'
  | 'cancelled';

export type Phase = 'plan' | 'execute' | 'inspect' | 'test' | 'summary' | 'done';

export interface Proposal {
  revision: number;
  purpose: 'first' | 'change' | 'fix' | 'tests';
  plan: Plan;
}

export interface RunState {
  /** Which version of this record it is. */
  format: number;
  run: string;
  session: string;
  prompt: string;
  limits: Limits;
  /** The number of the last event that was folded in. */
  number: number;
  status: Status;
  /** Where a halting run ends up. */
  goal?: 'stopped' | 'suspended' | 'failed' | 'cancelled';
  /** What a stopped or suspended run is when it is resumed. */
  resumesAs?: 'planning' | 'proposed' | 'approved' | 'running';
  phase: Phase;
  /** The newest revision of the plan, approved or not. */
  revision: number;
  plan?: Plan;
  /** A revision that waits for a person. No node starts while one does. */
  proposal?: Proposal;
  nodes: NodeState[];
  /** Commands without an answer. */
  open: Command[];
  spent: number;
  planAttempts: number;
  /** A plan that is to be written once nothing stands against it. */
  planRequest?: { purpose: 'first' | 'change' | 'fix'; message: string };
  /** A command whose plan nobody wants any more. */
  unwantedPlan?: string;
  fixRounds: number;
  testsPlanned: boolean;
  /** What a person wants of the tests that are to be planned. */
  testRemarks?: string;
  /** Findings that the person chose to leave, in words. */
  deferred: string[];
  /** What session-wide judges said last. */
  findings?: string;
  summary?: string;
  landed?: string;
  landing?: string;
  error?: string;
}

const ends: ReadonlySet<Stage> = new Set(['done', 'failed', 'skipped', 'cancelled', 'dropped']);
const executing: ReadonlySet<Stage> = new Set(['working', 'inspecting', 'testing', 'merging', 'reverting']);
const endedRuns: ReadonlySet<Status> = new Set(['completed', 'failed', 'cancelled']);

export const hasEnded = ({ stage }: NodeState): boolean => ends.has(stage);
export const isExecuting = ({ stage }: NodeState): boolean => executing.has(stage);
/** Has begun and not ended: its worktree may hold changes that are not merged. */
export const isActive = (node: NodeState): boolean => node.stage !== 'pending' && !hasEnded(node);
export const runHasEnded = ({ status }: RunState): boolean => endedRuns.has(status);

/** Nodes come with a plan: without one there is nothing to have a policy for. */
export function policyOf({ plan }: RunState): Plan['policy'] {
  if (plan) return plan.policy;
  throw new Error('A run without a plan has no nodes.');
}

export const nodeOf = (state: RunState, id: string | undefined): NodeState | undefined =>
  state.nodes.find((node) => node.id === id);

/** What the nodes answered that this one builds on, by id. */
export function upstreamOutputs(state: RunState, { spec }: Pick<NodeState, 'spec'>): Record<string, string> {
  const outputs = spec.context.upstream_outputs.map((id) => [id, nodeOf(state, id)?.output ?? '']);
  return Object.fromEntries(outputs);
}
