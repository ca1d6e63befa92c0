import * as acp from '@agentclientprotocol/sdk';
import type { CallEvent } from '../../operations/operation.ts';
import { eventText } from '../shared/text.ts';

const kinds: Record<string, acp.ToolKind> = {
  read_file: 'read',
  Read: 'read',
  read: 'read',
  write_file: 'edit',
  edit_file: 'edit',
  Edit: 'edit',
  Write: 'edit',
  edit: 'edit',
  run_command: 'execute',
  Bash: 'execute',
  execute: 'execute',
  search_project: 'search',
};

/** Ids are the kinds of the protocol. */
const optionIds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;
export type PermissionChoice = (typeof optionIds)[number];

function optionsFor(offers: string[]): acp.PermissionOption[] {
  const names: Record<PermissionChoice, string> = {
    allow_once: 'Allow once',
    allow_always: `Always allow in this repository: ${offers.join('; ')}`,
    reject_once: 'Reject',
    reject_always: `Never allow in this repository: ${offers.join('; ')}`,
  };
  return optionIds
    .filter((id) => offers.length > 0 || id.endsWith('_once'))
    .map((id) => ({ optionId: id, name: names[id], kind: id }));
}

/** Shows events of a call as updates of a session, in order; what waits for a person becomes a permission request. */
export function eventUpdates({
  sessionId,
  to,
  decide,
  offers,
}: {
  sessionId: string;
  to: acp.AgentContext;
  decide(approval: string, choice: PermissionChoice): Promise<void>;
  /** What an answer for always would be about; empty where each time has to be asked for. */
  offers(approval: string): Promise<string[]>;
}) {
  const update = (body: acp.SessionUpdate) =>
    to.notify(acp.methods.client.session.update, { sessionId, update: body });
  const say = (text: string) =>
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${text}\n` } });
  let last: Promise<unknown> = Promise.resolve();
  let lastCall = 'call';

  const ask = async (approval: string, title: string) => {
    const { outcome } = await to.request(acp.methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: lastCall, title },
      options: optionsFor(await offers(approval)),
    });
    const choice = optionIds.find((id) => outcome.outcome === 'selected' && outcome.optionId === id);
    if (choice) await decide(approval, choice);
  };
  const send = async (event: CallEvent): Promise<unknown> => {
    if (event.type === 'plan')
      return update({
        sessionUpdate: 'plan',
        entries: event.entries.map((entry) => ({ ...entry, priority: 'medium' })),
      });
    if (event.type === 'tool_call') return update(callUpdate(event));
    if (event.type === 'tool_result')
      return update({
        sessionUpdate: 'tool_call_update',
        toolCallId: event.id,
        status: event.is_error ? 'failed' : 'completed',
        content: [{ type: 'content', content: { type: 'text', text: event.text } }],
      });
    return say(eventText(event));
  };
  const inOrder = (task: () => Promise<unknown>) => {
    last = last.then(task).catch(() => undefined);
    return last;
  };
  return {
    say: (text: string) => inOrder(() => say(text)),
    show: (event: CallEvent) => {
      if (event.type === 'tool_call') lastCall = event.id ?? lastCall;
      // A person may take minutes: the rest does not wait for them.
      if (event.type === 'approval')
        void inOrder(async () => undefined).then(() =>
          ask(event.approval_id, event.message).catch(() => undefined),
        );
      else void inOrder(() => send(event));
    },
  };
}

function callUpdate({
  id,
  name,
  input,
  change,
}: Extract<CallEvent, { type: 'tool_call' }>): acp.SessionUpdate {
  return {
    sessionUpdate: 'tool_call',
    toolCallId: id ?? name,
    title: name,
    kind: kinds[name] ?? 'other',
    status: 'in_progress',
    rawInput: input,
    content: change
      ? [{ type: 'diff', path: change.path, oldText: change.old_text ?? null, newText: change.new_text }]
      : [],
    locations: change ? [{ path: change.path }] : [],
  };
}
