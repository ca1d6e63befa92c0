import type { ModelReply, ModelRequest } from './model.ts';

/** Everything of a request that a provider counts as input. */
export const requestText = ({ instructions, messages, tools = [] }: ModelRequest): string =>
  instructions + JSON.stringify(messages) + JSON.stringify(tools);

/** About as many tokens as a provider counts, for figures that nobody reported. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/** What providers add by themselves: the frame of a conversation, and a text that explains tools. */
const frameTokens = 1_000;
const frameOfMessage = 16;

/**
 * The most tokens that a provider can count for the input of a request. No tokenizer makes more tokens of a text than it has
 * bytes, and JSON is never shorter than what it says. Where the provider has counted the beginning of the conversation, only
 * what came since is taken by bytes. A model takes no more than its window.
 */
export function mostInputTokens(request: ModelRequest, window: number): number {
  const { messages, counted } = request;
  const head = headOf(request);
  const isCounted = counted !== undefined && counted.messages <= messages.length;
  const rest = isCounted ? messages.slice(counted.messages) : messages;
  const text = JSON.stringify(rest) + (isCounted && counted.head === head ? '' : head);
  const most =
    (isCounted ? counted.tokens : 0) +
    Buffer.byteLength(text) +
    rest.length * frameOfMessage +
    (isCounted ? 0 : frameTokens);
  return Math.min(most, window);
}

const headOf = ({ instructions, tools = [] }: ModelRequest): string => instructions + JSON.stringify(tools);

/** What an answer says about the size of the conversation that it ends, for the next request. */
export const countedBy = (request: ModelRequest, reply: ModelReply): ModelRequest['counted'] =>
  reply.usage.measured
    ? { messages: request.messages.length + 1, tokens: contextTokens(reply), head: headOf(request) }
    : undefined;

/** Tokens of the conversation with its last answer, without what failed attempts cost besides. */
export const contextTokens = ({
  usage,
  lastAttempt = usage,
}: Pick<ModelReply, 'usage' | 'lastAttempt'>): number => lastAttempt.inputTokens + lastAttempt.outputTokens;
