import type { AssistantMessage, ModelMessage, ToolCall } from './message.ts';
import type { ModelUsage, Price } from './price.ts';

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
}

export type ModelDelta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; id: string; name: string }
  /** The attempt failed and the next one starts at `at` (milliseconds): drop the deltas that came before. */
  | { type: 'retry'; kind: string; at: number };

export interface ModelRequest {
  instructions: string;
  messages: ModelMessage[];
  tools?: ModelTool[] | undefined;
  /** At most `model.maxOutput`, which is also the default. */
  maxOutputTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  /** What the provider counted for the first messages, with these instructions and tools; bounds what the call can cost. */
  counted?: { messages: number; tokens: number; head: string } | undefined;
  onDelta?: ((delta: ModelDelta) => void) | undefined;
}

/** `tool_calls` whenever there is a call to answer, whatever word the provider used. */
export type ModelFinish = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'error';

export interface ModelReply {
  text: string;
  toolCalls: ToolCall[];
  finish: ModelFinish;
  /** Failed attempts of the same call included, as far as the provider reported them. */
  usage: ModelUsage;
  /** The part of the attempt that was answered, where others failed before it. */
  lastAttempt?: ModelUsage | undefined;
  /** What to append to `messages` before the results of its calls. */
  message: AssistantMessage;
  /** The provider's id of this response, for its support. */
  responseId?: string | undefined;
  /** How often the provider was asked, 1 where nothing failed. */
  attempts: number;
}

export interface Model {
  /** `provider/model`, or `script:FILE`. */
  readonly id: string;
  /** Tokens of one conversation, output included. */
  readonly window: number;
  readonly maxOutput: number;
  /** Unknown where no table has the model: tokens are counted, money is not. */
  readonly price: Price | undefined;
  /** One step: asks once, retries what the provider says can be retried, throws a model error otherwise. */
  stream(request: ModelRequest): Promise<ModelReply>;
}
