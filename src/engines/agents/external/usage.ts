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
  let characters = 0;

  const costOfTurn = (): number | undefined => {
    if (total === undefined) return undefined;
    const cost = Math.max(0, total - settled);
    settled = total;
    return cost;
  };
  return {
    /** What was sent to the agent or came from it: all that is known where it reports nothing. */
    addText: (text: string) => {
      characters += text.length;
    },
    onUpdate: (update: SessionUpdate) => {
      if (update.sessionUpdate === 'usage_update' && update.cost?.currency === 'USD')
        total = update.cost.amount;
    },
    /** A loaded session reports what it cost before: that was counted by whoever opened it. */
    settle: () => {
      settled = total ?? 0;
    },
    /** Dollars since the last turn ended. */
    running: (): number => (total ?? 0) - settled,
    turn: (response: PromptResponse | undefined): Spent => {
      const reported = response && reportedUsage(from, response);
      const estimated = Math.ceil(characters / 4);
      characters = 0;
      const usage = {
        inputTokens: reported?.input ?? estimated,
        cachedInputTokens: reported?.cached ?? 0,
        cacheWriteTokens: reported?.written ?? 0,
        outputTokens: reported?.output ?? 0,
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

const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
