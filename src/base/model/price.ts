export interface ModelUsage {
  /** All input, cached input included. */
  inputTokens: number;
  cachedInputTokens: number;
  /** Written to the provider's cache, where the provider charges for it. */
  cacheWriteTokens: number;
  /** Reasoning included. */
  outputTokens: number;
  /** False where the provider did not report and the figures are an estimate. */
  measured: boolean;
}

/** US dollars for a million tokens. */
export interface Price {
  /** The id in the table that this price was found under. */
  matchedId: string;
  /** Where the price comes from: a dated table, or the person's settings. */
  source: string;
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
}

/** US dollars; undefined where the price is unknown. */
export function costOf(price: Price | undefined, usage: ModelUsage): number | undefined {
  if (!price) return undefined;
  const fresh = usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens;
  return (
    (Math.max(0, fresh) * price.input +
      usage.cachedInputTokens * price.cachedInput +
      usage.cacheWriteTokens * price.cacheWrite +
      usage.outputTokens * price.output) /
    1_000_000
  );
}
