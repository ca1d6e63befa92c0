import { createHash } from 'node:crypto';
import type { ModelMessage, ToolResult } from '../../base/model/index.ts';
import type { RecordedStep, StepCall } from '../../stores/transcripts/index.ts';
import { fence, questionText } from './brief-text.ts';

/** A call that the model made and that has no result yet. */
export interface OpenCall extends StepCall {
  /** Set where it was begun: what was written down before. */
  begun?: Extract<RecordedStep, { kind: 'calling' }>;
}

export interface SentPart {
  digest: string;
  from: number;
  to: number;
  step: number;
}

/**
 * What a model is sent next, folded from the steps of a transcript. A process that goes on and the one that it follows fold
 * the same steps, so they send the same.
 */
export interface Conversation {
  messages: ModelMessage[];
  open: OpenCall[];
  /** Parts of files that this conversation was sent, and digests of files that it wrote. */
  sent: Map<string, SentPart[]>;
  /** Whether text is in it that nobody vouches for. */
  isTainted: boolean;
  /** What the provider counted last, with its answer. */
  tokens: number;
  /** Characters added since. */
  added: number;
  /** Of this leg, in US dollars; answers without a price are counted apart. */
  cost: number;
  unpriced: number;
  leg: number;
  results: CallRecord[];
  /** Answers in a row that called nothing. */
  silent: number;
  /** What a person said to this leg so far, and questions among it that have no answer yet. */
  heard: number;
  asked: string[];
  /** Pieces of feedback that the agent has been told of. */
  told: number;
  /** A call that ends the leg, once every other is answered. */
  ending: { name: string; text: string } | undefined;
  /** The last leg ended because the context was full: the next one opens a new conversation. */
  wasFull: boolean;
  lastAnswer: Extract<RecordedStep, { kind: 'said' }> | undefined;
  ended: Extract<RecordedStep, { kind: 'ended' }> | undefined;
  /** Tools that the model has looked for: it is shown them from then on. */
  requested: Set<string>;
  /** Percents of the window at which a summary was stored since it was last empty, and how many were stored in all. */
  summaries: Set<number>;
  summaryCount: number;
  /** The agent's own notes, and how many messages there were when it wrote them. */
  notes: string;
  notedAt: number;
  /** Whether it was sent things that it no longer is. */
  hasForgotten: boolean;
  /** Steps that changed a file since the last checkpoint. */
  unsaved: number;
  number: number;
}

/** A finished call as the guards look at it. */
export interface CallRecord {
  key: string;
  digest: string;
  isError: boolean;
  isChange: boolean;
}

const endingTools = new Set(['signal_complete', 'request_help']);

export function foldSteps(steps: RecordedStep[]): Conversation {
  const conversation: Conversation = {
    messages: [],
    open: [],
    sent: new Map(),
    isTainted: false,
    tokens: 0,
    added: 0,
    cost: 0,
    unpriced: 0,
    leg: 0,
    results: [],
    silent: 0,
    heard: 0,
    asked: [],
    told: 0,
    ending: undefined,
    wasFull: false,
    lastAnswer: undefined,
    ended: undefined,
    requested: new Set(),
    summaries: new Set(),
    summaryCount: 0,
    notes: '',
    notedAt: 0,
    hasForgotten: false,
    unsaved: 0,
    number: 0,
  };
  for (const step of steps) addStep(conversation, step);
  return conversation;
}

export function addStep(conversation: Conversation, step: RecordedStep): void {
  conversation.number = step.number;
  if (step.kind === 'begun') begin(conversation, step.leg);
  else if (step.kind === 'told') addTold(conversation, step);
  else if (step.kind === 'said') addAnswer(conversation, step);
  else if (step.kind === 'calling') markBegun(conversation, step);
  else if (step.kind === 'result') addResult(conversation, step);
  else if (step.kind === 'spent') addCost(conversation, step.cost);
  else if (step.kind === 'checkpoint') conversation.unsaved = 0;
  else if (step.kind === 'noted') addNotes(conversation, step);
  else if (step.kind === 'summarised') {
    conversation.summaries.add(step.percent);
    conversation.summaryCount = step.index;
  } else if (step.kind === 'compacted') shorten(conversation, step);
  else if (step.kind === 'ended') {
    conversation.ended = step;
    conversation.wasFull = step.result === 'context_full';
  }
}

/** Counters belong to a leg: what a person answered gives the next one a fresh start. */
function begin(conversation: Conversation, leg: number): void {
  conversation.ended = undefined;
  if (leg === conversation.leg) return;
  conversation.leg = leg;
  conversation.cost = 0;
  conversation.unpriced = 0;
  conversation.results = [];
  conversation.silent = 0;
  conversation.heard = 0;
  conversation.asked = [];
  conversation.ending = undefined;
}

function addTold(conversation: Conversation, step: Extract<RecordedStep, { kind: 'told' }>): void {
  if (step.from === 'brief') {
    conversation.hasForgotten ||= conversation.messages.length > 0;
    conversation.messages = [];
    conversation.open = [];
    conversation.requested = new Set();
    empty(conversation);
  }
  if (step.from === 'person' || step.from === 'question') conversation.heard += 1;
  if (step.from === 'question') conversation.asked.push(step.text);
  conversation.told = step.feedback ?? conversation.told;
  conversation.ending = undefined;
  const text = step.from === 'question' ? questionText(step.text) : step.text;
  conversation.messages.push({ role: 'user', text });
  conversation.added += text.length;
}

/** Of a window that holds other messages now nothing is known but what they are. */
function empty(conversation: Conversation): void {
  conversation.sent = new Map();
  conversation.summaries = new Set();
  conversation.notedAt = 0;
  conversation.tokens = 0;
  conversation.added = 0;
}

function addNotes(conversation: Conversation, step: Extract<RecordedStep, { kind: 'noted' }>): void {
  conversation.notes = step.text;
  conversation.notedAt = conversation.messages.length;
  addCost(conversation, step.cost);
}

function shorten(
  conversation: Conversation,
  { text, kept }: Extract<RecordedStep, { kind: 'compacted' }>,
): void {
  const [task] = conversation.messages;
  const last = kept === 0 ? [] : conversation.messages.slice(-kept);
  empty(conversation);
  conversation.hasForgotten = true;
  conversation.messages = [...(task ? [task] : []), { role: 'user', text: `${shortened}\n${text}` }, ...last];
  conversation.added = JSON.stringify(conversation.messages).length;
}

const shortened =
  'Your conversation was shortened. What was done so far follows; recall_steps finds everything else again, word for word.';

function addAnswer(conversation: Conversation, step: Extract<RecordedStep, { kind: 'said' }>): void {
  const { text, calls, native, usage, context, cost, answers } = step;
  conversation.messages.push({ role: 'assistant', text, toolCalls: calls, native });
  conversation.open = [...calls];
  conversation.lastAnswer = step;
  conversation.added = 0;
  conversation.silent = calls.length === 0 && !answers ? conversation.silent + 1 : 0;
  if (answers) conversation.asked = [];
  if (usage === undefined) return;
  conversation.tokens = context ?? usage.inputTokens + usage.outputTokens;
  addCost(conversation, cost);
}

function addCost(conversation: Conversation, cost: number | undefined): void {
  if (cost === undefined) conversation.unpriced += 1;
  else conversation.cost += cost;
}

function markBegun(conversation: Conversation, step: Extract<RecordedStep, { kind: 'calling' }>): void {
  conversation.open = conversation.open.map((call) =>
    call.id === step.call ? { ...call, begun: step } : call,
  );
}

function addResult(conversation: Conversation, step: Extract<RecordedStep, { kind: 'result' }>): void {
  const call = conversation.open.find(({ id }) => id === step.call);
  if (!call) return;
  conversation.open = conversation.open.filter(({ id }) => id !== step.call);
  const text = step.untrusted ? fence(step.name, step.text) : step.text;
  const result: ToolResult = { id: step.call, name: step.name, text, isError: step.isError };
  const last = conversation.messages.at(-1);
  if (last?.role === 'tool') last.results.push(result);
  else conversation.messages.push({ role: 'tool', results: [result] });
  conversation.added += text.length;
  conversation.isTainted ||= step.untrusted ?? false;
  if (endingTools.has(step.name) && !step.isError) conversation.ending = { name: step.name, text: step.text };
  if (step.name === 'find_tools' && !step.isError)
    conversation.requested = new Set([...step.text.matchAll(/^(\w+): /gm)].map(([, name = '']) => name));
  const change = step.isError ? undefined : call.begun?.change;
  if (step.read) remember(conversation, step.read.path, { ...step.read, step: step.number });
  if (change)
    remember(conversation, change.path, { digest: change.after, from: 1, to: 0, step: step.number });
  if (change) conversation.unsaved += 1;
  conversation.results.push({
    key: digestOf([call.name, JSON.stringify(call.input)]),
    digest: digestOf([step.text]),
    isError: step.isError,
    isChange: change !== undefined,
  });
}

function remember({ sent }: Conversation, path: string, { digest, from, to, step }: SentPart): void {
  sent.set(path, [...(sent.get(path) ?? []), { digest, from, to, step }]);
}

const digestOf = (parts: string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
