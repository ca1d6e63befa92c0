/**
 * What a run wants done. The id is made of the run, the number of the event that asked for it, and its place among the
 * commands of that event; each is answered by exactly one event, or withdrawn.
 */
export const commandKinds = [
  'plan',
  'plan_tests',
  'work',
  'consult',
  'advise',
  'inspect',
  'test',
  'merge',
  'revert',
  'inspect_all',
  'test_all',
  'summarise',
  'land',
  'ask',
  'wake',
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** Kinds that spend a model's tokens: none of them is issued while the budget is spent. */
export const paidKinds: ReadonlySet<CommandKind> = new Set([
  'plan',
  'plan_tests',
  'work',
  'consult',
  'advise',
  'summarise',
]);

/** Kinds that nobody executes: a person answers an `ask`, the clock answers a `wake`. Both can be withdrawn. */
export const waitingKinds: ReadonlySet<CommandKind> = new Set(['ask', 'wake']);

/** Kinds that an executor carries out. */
export type ExecutedKind = Exclude<CommandKind, 'ask' | 'wake'>;
export const isExecutedKind = (kind: string): kind is ExecutedKind =>
  commandKinds.some((known) => known === kind && !waitingKinds.has(known));

export interface Feedback {
  from: 'inspector' | 'tester' | 'merge' | 'person' | 'architect' | 'plan';
  /** Which try of the node this judged. */
  leg: number;
  text: string;
}

export const askSubjects = [
  'clarification',
  'inspector_limit',
  'tester_limit',
  'merge_limit',
  'tool_broken',
  'guarded',
  'handover_limit',
  'plan_failed',
  'findings',
  'test_failures',
  'budget',
] as const;
export type AskSubject = (typeof askSubjects)[number];

export interface Command {
  id: string;
  kind: CommandKind;
  node?: string;
  /** For `work`: how often the node was started, with the first as 1; fences what an older leg still writes. */
  leg?: number;
  commit?: string;
  /** What to tell the worker: feedback, an answer, a hand-over bundle, a finding. */
  message?: string;
  feedback?: Feedback[];
  /** For `ask`. */
  subject?: AskSubject;
  options?: string[];
  /** For `wake`: milliseconds since 1970. */
  at?: number;
  /** How long it may take. What takes longer has failed; a question or a pause ends the command, and does not count. */
  timeout_ms?: number;
  /** For `plan`. */
  purpose?: 'first' | 'change' | 'fix';
}

/** What reaches a command that is being executed. */
export interface Signal {
  command: string;
  kind: 'stop' | 'prompt' | 'query' | 'hand_over';
  message?: string;
}
