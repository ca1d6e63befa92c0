import { z } from 'zod';
import type { EventLog } from '../../base/events.ts';
import type { NewMessage } from '../../stores/messages/index.ts';
import type { Command, RunEvent } from '../../stores/runs/index.ts';
import type { Bus } from '../guide/index.ts';
import type { NodeState, RunState } from './decide/index.ts';

const run = z.string();
const node = z.string();
const ofRun = z.object({ run });
const ofNode = z.object({ run, node });
const said = ofNode.extend({ text: z.string() });
const proposed = ofRun.extend({ revision: z.number(), purpose: z.string(), nodes: z.array(z.string()) });
const judged = ofRun.extend({ result: z.string(), text: z.string() });

/** What is told of a run, in the words of the bus, and what each message carries. Events decide; a message that is lost loses nothing. */
export const runMessageSchemas = {
  PLAN_REQUEST: ofRun.extend({ purpose: z.string(), text: z.string() }),
  PLAN_RESPONSE: proposed,
  PLAN_APPROVED: ofRun.extend({ revision: z.number() }),
  PLAN_MODIFIED: ofRun.extend({ text: z.string() }),
  DAG_EXECUTE: ofRun.extend({ revision: z.number() }),
  DAG_STATUS: ofRun.extend({
    status: z.string(),
    phase: z.string(),
    nodes: z.array(z.object({ id: z.string(), stage: z.string() })).describe('those that have changed'),
  }),
  TASK_DISPATCH: ofNode.extend({ agent: z.string(), leg: z.number() }),
  TASK_COMPLETE: ofNode,
  TASK_FAILED: said,
  TASK_HELP: said,
  CLARIFICATION_REQUEST: said,
  CLARIFICATION_RESPONSE: said,
  VALIDATE_TASK: ofNode,
  VALIDATION_RESULT: ofNode.extend({ result: z.string() }),
  INSPECTOR_FEEDBACK: said,
  TESTER_FEEDBACK: said,
  INSPECTION_REQUEST: ofRun,
  INSPECTION_RESULTS: judged,
  TEST_PLAN_REQUEST: ofRun,
  TEST_PLAN_RESPONSE: proposed,
  TEST_RESULTS: judged,
  PIPELINE_COMPLETE: ofNode.extend({ commit: z.string() }),
  PIPELINE_FAILED: said,
  HANDOFF_REQUEST: ofNode,
  USER_INTERRUPT: ofRun,
  USER_TASK_PROMPT: said,
  USER_TASK_QUERY: said,
  USER_TASK_INTERRUPT: ofNode,
  USER_TASK_CANCEL: ofNode,
  USER_IGNORE_INSPECTOR: ofNode,
  USER_IGNORE_TESTER: ofNode,
  WORKFLOW_COMPLETE: ofRun.extend({ summary: z.string(), deferred: z.array(z.string()), spent: z.number() }),
};
type Schemas = typeof runMessageSchemas;

export type RunMessage = {
  [Type in keyof Schemas]: { type: Type; payload: z.output<Schemas[Type]> };
}[keyof Schemas];

export interface FoldedEvent {
  before: RunState | undefined;
  event: RunEvent;
  state: RunState;
  commands: Command[];
}

/** The messages that tell of one event, in the order in which things happened. */
export function messagesOf(folded: FoldedEvent): RunMessage[] {
  return [
    ...(folded.event.type === 'answered' ? ofAnswer(folded, folded.event) : ofMove(folded, folded.event)),
    ...ofChanges(folded),
    ...folded.commands.flatMap((command) => ofCommand(folded.state, command)),
  ];
}

function ofMove({ state: { run, revision } }: FoldedEvent, event: RunEvent): RunMessage[] {
  switch (event.type) {
    case 'plan_approved':
      return [{ type: 'PLAN_APPROVED', payload: { run, revision: event.revision } }];
    case 'plan_edited':
      return [{ type: 'PLAN_MODIFIED', payload: { run, text: `revision ${revision}` } }];
    case 'plan_rejected':
    case 'change_requested':
      return [{ type: 'PLAN_MODIFIED', payload: { run, text: event.message ?? '' } }];
    case 'stopped':
      return [{ type: 'USER_INTERRUPT', payload: { run } }];
    case 'node_prompted':
      return [
        {
          type: event.question ? 'USER_TASK_QUERY' : 'USER_TASK_PROMPT',
          payload: { run, node: event.node, text: event.message },
        },
      ];
    case 'node_interrupted':
      return [{ type: 'USER_TASK_INTERRUPT', payload: { run, node: event.node } }];
    case 'node_cancelled':
      return [{ type: 'USER_TASK_CANCEL', payload: { run, node: event.node } }];
    case 'gate_overridden': {
      if (event.taken_back) return [];
      const type = event.gate === 'inspector' ? 'USER_IGNORE_INSPECTOR' : 'USER_IGNORE_TESTER';
      return [{ type, payload: { run, node: event.node } }];
    }
    default:
      return [];
  }
}

type Answered = RunEvent & { type: 'answered' };

function ofAnswer({ before, state }: FoldedEvent, event: Answered): RunMessage[] {
  const { run } = state;
  const { outcome } = event;
  const command = before?.open.find(({ id }) => id === event.command);
  if (!command) return [];
  const { kind, node } = command;
  const { result } = outcome;
  const text = 'text' in outcome ? outcome.text : 'message' in outcome ? outcome.message : '';
  if (kind === 'inspect_all') return [{ type: 'INSPECTION_RESULTS', payload: { run, result, text } }];
  if (kind === 'test_all') return [{ type: 'TEST_RESULTS', payload: { run, result, text } }];
  if (node === undefined) return [];
  const findings = result === 'findings' ? { run, node, text } : undefined;
  if (kind === 'test') return findings ? [{ type: 'TESTER_FEEDBACK', payload: findings }] : [];
  if (kind === 'inspect') {
    const verdict: RunMessage = { type: 'VALIDATION_RESULT', payload: { run, node, result } };
    return findings ? [verdict, { type: 'INSPECTOR_FEEDBACK', payload: findings }] : [verdict];
  }
  return ofWork(run, node, command, outcome, text);
}

/** An answer of somebody who works at a node. */
function ofWork(
  run: string,
  node: string,
  command: Command,
  outcome: Answered['outcome'],
  text: string,
): RunMessage[] {
  const { result } = outcome;
  if (outcome.result === 'asks')
    return [{ type: 'TASK_HELP', payload: { run, node, text: outcome.question } }];
  if (result === 'context_full') return [{ type: 'HANDOFF_REQUEST', payload: { run, node } }];
  if (result === 'done') return [{ type: 'TASK_COMPLETE', payload: { run, node } }];
  if (result === 'failed') return [{ type: 'TASK_FAILED', payload: { run, node, text } }];
  if (command.subject === 'clarification')
    return [{ type: 'CLARIFICATION_RESPONSE', payload: { run, node, text } }];
  return [];
}

function ofCommand(
  { run, nodes }: RunState,
  { kind, node, leg = 0, subject, purpose, message = '' }: Command,
): RunMessage[] {
  if (kind === 'plan')
    return [{ type: 'PLAN_REQUEST', payload: { run, purpose: purpose ?? 'first', text: message } }];
  if (kind === 'plan_tests') return [{ type: 'TEST_PLAN_REQUEST', payload: { run } }];
  if (kind === 'inspect_all') return [{ type: 'INSPECTION_REQUEST', payload: { run } }];
  if (node === undefined) return [];
  if (kind === 'inspect') return [{ type: 'VALIDATE_TASK', payload: { run, node } }];
  if (subject === 'clarification')
    return [{ type: 'CLARIFICATION_REQUEST', payload: { run, node, text: message } }];
  if (kind !== 'work' && kind !== 'consult') return [];
  const agent = nodes.find(({ id }) => id === node)?.spec.agent ?? '';
  return [{ type: 'TASK_DISPATCH', payload: { run, node, agent, leg } }];
}

/** What is another than before: the proposal, the stages of nodes, the state of the run. */
function ofChanges({ before, state }: FoldedEvent): RunMessage[] {
  const { run, status, phase, proposal, revision } = state;
  const messages: RunMessage[] = [];
  if (proposal && proposal.revision !== before?.proposal?.revision) {
    const { purpose, plan } = proposal;
    const type = purpose === 'tests' ? 'TEST_PLAN_RESPONSE' : 'PLAN_RESPONSE';
    const nodes = plan.nodes.map(({ id }) => id);
    messages.push({ type, payload: { run, revision: proposal.revision, purpose, nodes } });
  }
  if (status === 'running' && before?.status !== 'running')
    messages.push({ type: 'DAG_EXECUTE', payload: { run, revision } });
  const changed = state.nodes.filter(
    ({ id, stage }) => before?.nodes.find((node) => node.id === id)?.stage !== stage,
  );
  messages.push(...changed.flatMap((node) => ofEnd(run, node)));
  if (changed.length > 0 || status !== before?.status || phase !== before.phase) {
    const nodes = changed.map(({ id, stage }) => ({ id, stage }));
    messages.push({ type: 'DAG_STATUS', payload: { run, status, phase, nodes } });
  }
  if (status === 'completed' && before?.status !== 'completed') {
    const { summary = '', deferred, spent } = state;
    messages.push({ type: 'WORKFLOW_COMPLETE', payload: { run, summary, deferred, spent } });
  }
  return messages;
}

function ofEnd(run: string, { id: node, stage, merged, error = '' }: NodeState): RunMessage[] {
  if (stage === 'done' && merged !== undefined)
    return [{ type: 'PIPELINE_COMPLETE', payload: { run, node, commit: merged } }];
  if (stage === 'failed') return [{ type: 'PIPELINE_FAILED', payload: { run, node, text: error } }];
  return [];
}

/** How a node is addressed: by its place in the run, which stays the same across hand-overs and processes. */
export const addressOf = ({ run, nodes }: RunState, id: string): string =>
  `task:${run}/${nodes.findIndex((node) => node.id === id) + 1}`;

interface Copies {
  /** Told of the whole message: whoever watches the product. */
  events: Pick<EventLog, 'publish'>;
  bus: () => Promise<Pick<Bus, 'tell'>>;
}

/** Tells of what has happened, on the bus and to whoever watches the product. Copies leave after the commit. */
export function copyEvents(
  runs: { onEvent(listener: (folded: FoldedEvent) => void): void },
  { events, bus }: Copies,
): void {
  runs.onEvent((folded) => {
    const copies = messagesOf(folded).map(({ type, payload }): NewMessage => {
      const metadata = 'node' in payload ? { pipeline_id: addressOf(folded.state, payload.node) } : undefined;
      return { type, payload, session_id: folded.state.session, source: 'orchestrator', metadata };
    });
    for (const copy of copies) events.publish('run', copy);
    // The event holds, whether or not anybody can be told of it.
    void bus()
      .then(({ tell }) => copies.forEach(tell))
      .catch(() => undefined);
  });
}
