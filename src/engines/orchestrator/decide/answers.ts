import type { Command, Feedback, Outcome } from '../../../stores/runs/index.ts';
import { type Draft, edit, issue } from './draft.ts';
import { ask, end, isOverBudget, type Parked, queue, wakeTime } from './schedule.ts';
import { type NodeState, policyOf, type Step } from './state.ts';

type Gate = 'inspector' | 'tester';

/** What follows from the end of a leg of work. */
export function afterWork(draft: Draft, node: NodeState, outcome: Outcome<'work'>) {
  const own = edit(draft, node);
  if ('commit' in outcome && outcome.commit) own.commit = outcome.commit;
  if (outcome.result === 'done') {
    own.output = outcome.output;
    queue(draft, own, afterWorkStep(own));
  } else if (outcome.result === 'asks') seekAdvice(draft, own, outcome.question);
  else if (outcome.result === 'parked') park(draft, own, 'work', outcome);
  else if (outcome.result === 'context_full') handOver(draft, own, outcome.bundle);
  else if (outcome.result === 'stopped') queue(draft, own, 'work');
  else retryOrFail(draft, own, outcome);
}

export function afterConsult(draft: Draft, node: NodeState, outcome: Outcome<'consult'>) {
  const own = edit(draft, node);
  if (outcome.result === 'stopped') queue(draft, own, 'work');
  else if (outcome.result === 'parked') park(draft, own, 'work', outcome);
  else if (outcome.result === 'failed') retryOrFail(draft, own, outcome);
  else {
    own.output = outcome.output;
    own.stage = 'done';
  }
}

const afterWorkStep = ({ overrides }: NodeState) =>
  overrides.includes('inspector') ? afterInspection({ overrides }) : 'inspect';
const afterInspection = ({ overrides }: Pick<NodeState, 'overrides'>) =>
  overrides.includes('tester') ? 'merge' : 'test';

/** The Architect is asked first, and the person only for what the Architect can't answer. */
function seekAdvice(draft: Draft, node: NodeState, question: string) {
  node.question = question;
  if (isOverBudget(draft.state)) clarify(draft, node);
  else queue(draft, node, 'advise');
}

function clarify(draft: Draft, node: NodeState) {
  ask(draft, node, { subject: 'clarification', message: node.question ?? '', options: [] });
}

export function afterAdvice(draft: Draft, node: NodeState, outcome: Outcome<'advise'>) {
  if (outcome.result === 'unsure') return clarify(draft, node);
  if (outcome.result === 'parked') return park(draft, node, 'advise', outcome);
  tell(draft, node, { from: 'architect', text: outcome.text });
  node.question = undefined;
  queue(draft, node, 'work');
}

/** Waits for a time; over budget, in the queue for a person to raise it. */
function park(draft: Draft, node: NodeState, next: Step, { reason, wake_at }: Parked) {
  node.error = reason;
  if (isOverBudget(draft.state)) return queue(draft, node, next);
  node.stage = 'parked';
  node.next = next;
  issue(draft, { kind: 'wake', node: node.id, at: wakeTime(draft, wake_at) });
}

function handOver(draft: Draft, node: NodeState, bundle: string) {
  node.message = bundle;
  node.handovers += 1;
  if (node.handovers > draft.state.limits.handovers)
    ask(draft, node, {
      subject: 'handover_limit',
      message: `The context was full ${node.handovers} times.`,
      options: ['retry', 'fail'],
    });
  else queue(draft, node, 'work');
}

function retryOrFail(draft: Draft, node: NodeState, outcome: { message: string; retryable: boolean }) {
  const retry = node.spec.metadata.retry ?? policyOf(draft.state).default_retry;
  if (!outcome.retryable || node.attempts >= retry.max) return end(draft, node, 'failed', outcome.message);
  node.attempts += 1;
  node.stage = 'parked';
  node.next = 'work';
  node.error = outcome.message;
  issue(draft, { kind: 'wake', node: node.id, at: draft.at + retry.backoff_ms * 2 ** (node.attempts - 1) });
}

/** What a judge said of one node. */
export function afterGate(draft: Draft, node: NodeState, gate: Gate, outcome: Outcome<'inspect'>) {
  const own = edit(draft, node);
  const passedOn = gate === 'inspector' ? afterInspection(own) : 'merge';
  if (outcome.result === 'stopped') return queue(draft, own, gate === 'inspector' ? 'inspect' : 'test');
  if (outcome.result === 'passed' || own.overrides.includes(gate)) return queue(draft, own, passedOn);
  if (outcome.result === 'broken')
    return ask(draft, own, {
      subject: 'tool_broken',
      message: outcome.message,
      options: ['retry', gate === 'inspector' ? 'ignore_inspector' : 'ignore_tester', 'fail'],
    });
  if (outcome.result === 'findings') return sendBack(draft, own, { from: gate, text: outcome.text });
  if (own.approved?.includes(outcome.text)) return queue(draft, own, passedOn);
  ask(draft, own, {
    subject: 'guarded',
    message: outcome.text,
    options: ['approve', 'send_back', 'fail'],
  });
}

export function afterMerge(draft: Draft, node: NodeState, outcome: Outcome<'merge'>) {
  const own = edit(draft, node);
  if (outcome.result === 'merged') {
    own.stage = 'done';
    own.merged = outcome.commit;
  } else if (outcome.result === 'stopped') queue(draft, own, 'merge');
  else if (outcome.result === 'broken')
    ask(draft, own, { subject: 'tool_broken', message: outcome.message, options: ['retry', 'fail'] });
  else sendBack(draft, own, { from: 'merge', text: outcome.text });
}

/** A merged node that was dropped is undone; where that can't be done it stays. */
export function afterRevert(draft: Draft, node: NodeState, outcome: Outcome<'revert'>) {
  const own = edit(draft, node);
  if (outcome.result === 'merged') {
    own.merged = undefined;
    return end(draft, own, 'dropped');
  }
  if (outcome.result === 'stopped') return queue(draft, own, 'revert');
  own.stage = 'done';
  own.error = `It could not be undone: ${'text' in outcome ? outcome.text : outcome.message}`;
}

const limitSubjects = { inspector: 'inspector_limit', tester: 'tester_limit', merge: 'merge_limit' } as const;

/** Back to the worker with what was found; at the limit of loops a person decides. */
function sendBack(draft: Draft, node: NodeState, feedback: { from: Gate | 'merge'; text: string }) {
  const { from, text } = feedback;
  tell(draft, node, feedback);
  if (node.loops[from] < draft.state.limits.loops) {
    node.loops[from] += 1;
    return backToWorker(draft, node);
  }
  const ignore = from === 'merge' ? [] : [`ignore_${from}`];
  ask(draft, node, { subject: limitSubjects[from], message: text, options: [...ignore, 'retry', 'fail'] });
}

/** The worker is a leg of ours, or whoever claimed the node. */
export function backToWorker(draft: Draft, node: NodeState) {
  const own = edit(draft, node);
  if (own.claimedBy === undefined) return queue(draft, own, 'work');
  own.stage = 'claimed';
  if (own.claimLease !== undefined)
    issue(draft, { kind: 'wake', node: own.id, at: draft.at + own.claimLease });
}

/** A node whose claim was given up or has expired. */
export function takeBack(draft: Draft, node: NodeState) {
  const own = edit(draft, node);
  own.claimedBy = undefined;
  own.claimLease = undefined;
  if (own.commit === undefined) own.stage = 'pending';
  else queue(draft, own, 'work');
}

export function tell(draft: Draft, node: NodeState, feedback: Omit<Feedback, 'leg'>) {
  const own = edit(draft, node);
  own.feedback.push({ ...feedback, leg: own.legs });
}

/** The word of a person about one node. */
export function afterNodeAsk(draft: Draft, node: NodeState, command: Command, outcome: Outcome<'ask'>) {
  const own = edit(draft, node);
  const { choice, text } = outcome;
  if (text) tell(draft, own, { from: 'person', text });
  own.question = undefined;
  if (choice === 'fail') return end(draft, own, 'failed', command.message);
  if (choice === 'ignore_inspector' || choice === 'ignore_tester')
    return override(draft, own, choice, command.message);
  if (command.subject === 'guarded') return afterGuard(draft, own, command.message ?? '', choice);
  if (command.subject !== 'tool_broken') return backToWorker(draft, own);
  if (command.options?.includes('ignore_inspector')) queue(draft, own, 'inspect');
  else if (command.options?.includes('ignore_tester')) queue(draft, own, 'test');
  else queue(draft, own, 'merge');
}

/** What a person has approved of one commit is not asked for again where a later one has the same. */
function afterGuard(draft: Draft, node: NodeState, text: string, choice: string) {
  if (choice === 'approve') {
    node.approved = [...(node.approved ?? []), text];
    return queue(draft, node, afterInspection(node));
  }
  tell(draft, node, { from: 'inspector', text });
  backToWorker(draft, node);
}

/** How an override begins in the list of what is left for later. */
export const ignoredText = (node: string, gate: Gate): string => `${node}: ${gate} ignored`;

function override(draft: Draft, node: NodeState, choice: string, finding?: string) {
  const gate = choice === 'ignore_inspector' ? 'inspector' : 'tester';
  if (!node.overrides.includes(gate)) node.overrides.push(gate);
  draft.state.deferred = [...draft.state.deferred, `${ignoredText(node.id, gate)}: ${finding ?? ''}`];
  queue(draft, node, gate === 'inspector' ? afterInspection(node) : 'merge');
}

/** After a timer: parked nodes go on with what they were parked in, claimed ones come back. */
export const afterWake = (draft: Draft, node: NodeState): void =>
  node.stage === 'claimed' ? takeBack(draft, node) : queue(draft, node, node.next ?? 'work');
