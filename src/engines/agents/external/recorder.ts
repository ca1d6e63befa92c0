import type { ContentBlock, SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { isObject, objectOf } from '../../../base/json.ts';
import type { Step } from '../../../stores/transcripts/index.ts';

/** A call of the agent's own tools, as far as it has told of it. */
export interface AgentCall {
  id: string;
  name: string;
  kind: string;
  title: string;
  input: Record<string, unknown>;
  paths: string[];
  isAnnounced: boolean;
  isEnded: boolean;
}

export interface EndedCall {
  call: AgentCall;
  text: string;
  isError: boolean;
}

const mostOfSaid = 100_000;
const mostOfResult = 8000;
const mostOfNote = 2000;
/** Told again and again, or what we said ourselves. */
const left = new Set(['user_message_chunk', 'available_commands_update']);

/** Turns what an agent tells of itself into steps, in the order in which it came. */
export function createRecorder(record: (...steps: Step[]) => Promise<void>) {
  const calls = new Map<string, AgentCall>();
  let said = '';
  let thought = '';
  let lastSaid = '';

  const flush = async () => {
    const [words, idea] = [said, thought];
    said = '';
    thought = '';
    if (idea.trim() !== '') await record({ kind: 'note', about: 'thought', text: idea });
    if (words.trim() === '') return;
    lastSaid = words.trim();
    await record({ kind: 'said', text: words, calls: [], finish: 'stop' });
  };

  /** Some agents only ever send updates of a call: the first one of any kind opens it. */
  const merge = (update: ToolCallUpdate): AgentCall => {
    const { toolCallId: id, kind, title, rawInput, locations, content } = update;
    const call = calls.get(id) ?? {
      id,
      name: '',
      kind: 'other',
      title: '',
      input: {},
      paths: [],
      isAnnounced: false,
      isEnded: false,
    };
    calls.set(id, call);
    call.kind = kind ?? call.kind;
    call.title = title ?? call.title;
    call.name = toolName(update) ?? (call.name || call.kind);
    if (isObject(rawInput) && Object.keys(rawInput).length > 0) call.input = rawInput;
    const places = [
      ...(locations ?? []).map(({ path }) => path),
      ...(content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : [])),
    ];
    call.paths = [...new Set([...call.paths, ...places])];
    return call;
  };

  const announce = async (call: AgentCall) => {
    if (call.isAnnounced) return;
    call.isAnnounced = true;
    await flush();
    const input = Object.keys(call.input).length > 0 ? call.input : { title: call.title, paths: call.paths };
    await record({ kind: 'calling', call: call.id, name: call.name, input });
  };

  const onCall = async (update: ToolCallUpdate): Promise<EndedCall | undefined> => {
    const call = merge(update);
    const hasEnded = update.status === 'completed' || update.status === 'failed';
    if (call.isEnded || !hasEnded) return undefined;
    call.isEnded = true;
    await announce(call);
    const text = resultText(update).slice(0, mostOfResult);
    const isError = update.status === 'failed';
    await record({ kind: 'result', call: call.id, name: call.name, text, isError, untrusted: true });
    return { call, text, isError };
  };

  return {
    flush,
    merge,
    announce,
    lastSaid: () => lastSaid,
    knows: (id: string) => calls.has(id),
    /** Whether a call has begun and not ended. */
    isBusy: () => [...calls.values()].some(({ isEnded }) => !isEnded),
    /** Answers the call that has ended with this update. */
    add: async (update: SessionUpdate): Promise<EndedCall | undefined> => {
      const kind = update.sessionUpdate;
      if (update.sessionUpdate === 'agent_message_chunk') said = grown(said, update.content);
      else if (update.sessionUpdate === 'agent_thought_chunk') thought = grown(thought, update.content);
      else if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update')
        return onCall(update);
      else if (update.sessionUpdate === 'plan') {
        const lines = update.entries.map(({ content, status }) => `[${status}] ${content}`);
        await record({ kind: 'note', about: 'plan', text: lines.join('\n') });
      } else if (!left.has(kind)) {
        const { sessionUpdate: _, ...body } = update;
        await record({ kind: 'note', about: kind, text: JSON.stringify(body).slice(0, mostOfNote) });
      }
      return undefined;
    },
  };
}

/** Words that never end are cut. */
const grown = (text: string, content: ContentBlock): string =>
  text.length > mostOfSaid ? text : (text + textOf(content)).slice(0, mostOfSaid + 1);

const textOf = (content: ContentBlock): string =>
  content.type === 'text' ? content.text : `(${content.type})`;

function toolName({ name, _meta }: ToolCallUpdate): string | undefined {
  const { toolName: own } = objectOf(objectOf(_meta).claudeCode);
  if (typeof own === 'string' && own !== '') return own;
  return name || undefined;
}

function resultText({ content, rawOutput }: ToolCallUpdate): string {
  const parts = (content ?? []).map(contentText).filter((part) => part !== '');
  if (parts.length > 0) return parts.join('\n');
  if (rawOutput === undefined || rawOutput === null) return '';
  return typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput);
}

function contentText(part: ToolCallContent): string {
  if (part.type === 'diff') return `changed ${part.path}`;
  return part.type === 'content' ? textOf(part.content) : '';
}
