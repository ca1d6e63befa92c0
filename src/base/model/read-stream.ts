import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { isObject, parseJson } from '../json.ts';
import { modelError } from './errors.ts';
import type { NativePart, ToolCall } from './message.ts';
import type { ModelDelta, ModelFinish, ModelReply } from './model.ts';
import type { ModelUsage } from './price.ts';

type Metadata = NativePart['providerOptions'];
type TextPart = Extract<NativePart, { text: string }>;

/** Collects the parts of one response. */
export function createStreamReader(provider: string, onDelta: ((delta: ModelDelta) => void) | undefined) {
  const content: NativePart[] = [];
  const open = new Map<string, TextPart>();
  const toolCalls: ToolCall[] = [];
  let finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
  let failure: { error: unknown } | undefined;
  let responseId: string | undefined;

  const start = (type: TextPart['type'], id: string, metadata: Metadata) => {
    const part: TextPart = { type, text: '', providerOptions: metadata };
    content.push(part);
    open.set(id, part);
  };
  const add = (type: TextPart['type'], id: string, text: string, metadata: Metadata) => {
    if (!open.has(id)) start(type, id, undefined);
    const part = open.get(id);
    if (part) {
      part.text += text;
      part.providerOptions = metadata ?? part.providerOptions;
    }
    if (text) onDelta?.({ type, text });
  };
  const end = (id: string, metadata: Metadata) => {
    const part = open.get(id);
    if (part) part.providerOptions = metadata ?? part.providerOptions;
    open.delete(id);
  };
  const call = (part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>) => {
    const { toolCallId: id, toolName: name } = part;
    const input = part.input === '' ? {} : parseJson(part.input);
    if (isObject(input)) toolCalls.push({ id, name, input });
    else toolCalls.push({ id, name, input: {}, malformed: part.input });
    content.push({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: isObject(input) ? input : {},
      providerOptions: metadataOf(part),
    });
    onDelta?.({ type: 'tool_call', id, name });
  };

  return {
    /** True where the part is something of the answer: signs of life are not. */
    take(part: LanguageModelV4StreamPart): boolean {
      if (part.type === 'text-start') start('text', part.id, metadataOf(part));
      else if (part.type === 'reasoning-start') start('reasoning', part.id, metadataOf(part));
      else if (part.type === 'text-delta') add('text', part.id, part.delta, metadataOf(part));
      else if (part.type === 'reasoning-delta') add('reasoning', part.id, part.delta, metadataOf(part));
      else if (part.type === 'text-end' || part.type === 'reasoning-end') end(part.id, metadataOf(part));
      else if (part.type === 'tool-call') call(part);
      else if (part.type === 'response-metadata') responseId = part.id;
      else if (part.type === 'finish') finish = part;
      else if (part.type === 'error') failure ??= { error: part.error };
      return !['ping', 'raw', 'stream-start', 'response-metadata'].includes(part.type);
    },
    /** What was received before the stream broke, as far as it costs something. */
    received: () => content.map((part) => ('text' in part ? part.text : JSON.stringify(part.input))).join(''),
    reported: () => usageOf(finish?.usage),
    /** The reply, once the stream has ended. Throws where it ended too early. */
    reply(estimate: () => ModelUsage): ModelReply {
      if (failure) throw failure.error;
      if (!finish || isCut(finish.finishReason))
        throw modelError('network', 'The provider broke off in the middle of its answer.');
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      const isNative = content.some((part) => part.type === 'reasoning' || part.providerOptions);
      return {
        text,
        toolCalls,
        finish: finishOf(finish.finishReason, toolCalls),
        usage: usageOf(finish.usage) ?? estimate(),
        message: {
          role: 'assistant',
          text,
          toolCalls,
          native: isNative ? { provider, content } : undefined,
        },
        responseId,
        attempts: 1,
      };
    },
  };
}

/** Metadata is JSON by the SDK's own type; a field that is left out is not kept. */
function metadataOf(part: { providerMetadata?: object }): Metadata {
  return part.providerMetadata && JSON.parse(JSON.stringify(part.providerMetadata));
}

/** Without a word of the provider the stream ended by itself. */
const isCut = ({ unified, raw }: LanguageModelV4FinishReason): boolean =>
  raw === undefined && ['interrupted', 'other', 'error'].includes(unified);

function finishOf({ unified }: LanguageModelV4FinishReason, calls: ToolCall[]): ModelFinish {
  if (unified === 'length') return 'length';
  if (unified === 'content-filter') return 'refusal';
  if (unified === 'error') return 'error';
  // Some servers name another reason, and then nobody would answer the call.
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function usageOf(usage: LanguageModelV4Usage | undefined): ModelUsage | undefined {
  const input = usage?.inputTokens.total;
  const output = usage?.outputTokens.total;
  if (usage === undefined || input === undefined || output === undefined) return undefined;
  return {
    inputTokens: input,
    cachedInputTokens: usage.inputTokens.cacheRead ?? 0,
    cacheWriteTokens: usage.inputTokens.cacheWrite ?? 0,
    outputTokens: output,
    measured: true,
  };
}
