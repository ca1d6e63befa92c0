import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import { objectOf } from '../../../base/json.ts';
import type { Step } from '../../../stores/transcripts/index.ts';
import type { KnownAgent } from './known-agents.ts';

type Spent = Extract<Step, { kind: 'spent' }>;

/**
 * What turns of one agent process took. Agents differ in what they report; where it is known to be a part only, or nothing,
 * the figures say that they are no less than the truth at best.
 */
export function createUsage({ from, isPartial }: KnownAgent['usage']) {
  /** Dollars of the whole session so far, as the agent counts them. */
  let total: number | undefined;
  let settled = 0;
  let [sent, answered] = [0, 0];
  /** Of calls, by their id: each is told of several times. */
  const inputs = new Map<string, number>();

  const costOfTurn = (): number | undefined => {
    if (total === undefined) return undefined;
    const cost = Math.max(0, total - settled);
    settled = total;
    return cost;
  };
  return {
    /** What was sent to the agent: all that is known of its input where it reports nothing. */
    addSent: (text: string) => {
      sent += text.length;
    },
    /** What its model wrote: words, thoughts and calls. What calls gave back, the model read. */
    addUpdate: (update: SessionUpdate) => {
      const kind = update.sessionUpdate;
      if (kind === 'agent_message_chunk' || kind === 'agent_thought_chunk')
        answered += update.content.type === 'text' ? update.content.text.length : 0;
      if (kind !== 'tool_call' && kind !== 'tool_call_update') return;
      const input = update.rawInput === undefined ? 0 : JSON.stringify(update.rawInput).length;
      inputs.set(update.toolCallId, Math.max(input, inputs.get(update.toolCallId) ?? 0));
      if (update.status !== 'completed' && update.status !== 'failed') return;
      for (const part of update.content ?? [])
        if (part.type === 'content' && part.content.type === 'text') sent += part.content.text.length;
    },
    onUpdate: (update: SessionUpdate) => {
      if (update.sessionUpdate !== 'usage_update' || update.cost?.currency !== 'USD') return;
      // What a session cost never shrinks.
      if (update.cost.amount >= (total ?? 0)) total = update.cost.amount;
    },
    /** A loaded session reports what it cost before: that was counted by whoever opened it. */
    settle: () => {
      settled = total ?? 0;
    },
    /** Dollars since the last turn ended. */
    running: (): number => (total ?? 0) - settled,
    turn: (response: PromptResponse | undefined): Spent => {
      const reported = response && reportedUsage(from, response);
      const called = [...inputs.values()].reduce((sum, length) => sum + length, 0);
      const estimated = { input: Math.ceil(sent / 4), output: Math.ceil((answered + called) / 4) };
      [sent, answered] = [0, 0];
      inputs.clear();
      const usage = {
        inputTokens: reported?.input ?? estimated.input,
        cachedInputTokens: reported?.cached ?? 0,
        cacheWriteTokens: reported?.written ?? 0,
        outputTokens: reported?.output ?? estimated.output,
        measured: reported !== undefined && !isPartial,
      };
      return { kind: 'spent', usage, cost: costOfTurn() };
    },
  };
}

interface Reported {
  input: number;
  cached: number;
  written: number;
  output: number;
}

function reportedUsage(from: KnownAgent['usage']['from'], response: PromptResponse): Reported | undefined {
  if (from === 'none') return undefined;
  if (from === 'quota') return quotaUsage(objectOf(objectOf(response._meta).quota));
  const usage = objectOf(objectOf(response).usage);
  const output = number(usage.outputTokens) + number(usage.thoughtTokens);
  // Some count what was cached within the input, some beside it: the total has it once.
  const input = number(usage.totalTokens) - output;
  if (input <= 0) return undefined;
  return { input, output, cached: number(usage.cachedReadTokens), written: number(usage.cachedWriteTokens) };
}

function quotaUsage({ token_count: count }: Record<string, unknown>): Reported | undefined {
  const { input_tokens: input, output_tokens: output } = objectOf(count);
  if (number(input) === 0) return undefined;
  return { input: number(input), output: number(output), cached: 0, written: 0 };
}

const number = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
