import type { Step } from './step.ts';

/** What steps took, summed. Any part that nobody measured makes the whole an "at least". */
export interface Spending {
  /** US dollars, of the answers whose price is known. */
  cost: number;
  /** Answers and turns whose price is unknown. */
  unpriced: number;
  /** Answers and turns whose tokens are an estimate or were not reported. */
  unmeasured: number;
  tokens: { input: number; cached: number; output: number };
}

export function spendingOf(steps: Step[]): Spending {
  const spending: Spending = {
    cost: 0,
    unpriced: 0,
    unmeasured: 0,
    tokens: { input: 0, cached: 0, output: 0 },
  };
  for (const step of steps) {
    if (!('usage' in step) || step.usage === undefined) continue;
    const { usage, cost } = step;
    spending.tokens.input += usage.inputTokens;
    spending.tokens.cached += usage.cachedInputTokens;
    spending.tokens.output += usage.outputTokens;
    if (cost === undefined) spending.unpriced += 1;
    else spending.cost += cost;
    if (!usage.measured) spending.unmeasured += 1;
  }
  return spending;
}
