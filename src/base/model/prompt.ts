import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { redact } from '../redact.ts';
import type { AssistantMessage, ModelMessage } from './message.ts';
import type { ModelRequest } from './model.ts';

/** Anthropic caches up to a marked place: the instructions, and the conversation so far. The others cache by themselves. */
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };

function assistantContent(message: AssistantMessage, provider: string) {
  if (message.native?.provider === provider) return message.native.content;
  const text = message.text ? [{ type: 'text' as const, text: message.text }] : [];
  const calls = message.toolCalls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }));
  return [...text, ...calls];
}

function messageFor(provider: string, message: ModelMessage): LanguageModelV4Message {
  if (message.role === 'user')
    return { role: 'user', content: [{ type: 'text', text: redact(message.text) }] };
  if (message.role === 'assistant')
    return { role: 'assistant', content: assistantContent(message, provider) };
  return {
    role: 'tool',
    content: message.results.map(({ id, name, text, isError }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: name,
      output: { type: isError ? 'error-text' : 'text', value: redact(text) },
    })),
  };
}

/** The request in the words of the SDK. No text of ours goes out with a secret in it. */
export function callOptions(
  provider: string,
  request: ModelRequest,
  maxOutputTokens: number,
): LanguageModelV4CallOptions {
  const messages = request.messages.map((message) => messageFor(provider, message));
  const last = messages.at(-1);
  if (last) last.providerOptions = cached;
  return {
    prompt: [{ role: 'system', content: redact(request.instructions), providerOptions: cached }, ...messages],
    tools: request.tools?.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema,
    })),
    maxOutputTokens,
    // The provider keeps no copy of the conversation.
    providerOptions: { openai: { store: false } },
  };
}
