import { z } from 'zod';

export const modelUsageSchema = z.object({
  /** All input, cached input included. */
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  /** Written to the provider's cache, where the provider charges for it. */
  cacheWriteTokens: z.number(),
  /** Reasoning included. */
  outputTokens: z.number(),
  /** False where the provider did not report and the figures are an estimate. */
  measured: z.boolean(),
});
export type ModelUsage = z.infer<typeof modelUsageSchema>;

/** US dollars for a million tokens. */
export interface Rates {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
}

export interface Price extends Rates {
  /** The id in the table that this price was found under. */
  matchedId: string;
  /** Where the price comes from: the table, a file, or the person's settings. */
  source: string;
  /** Rates of a request whose input is larger, by size. */
  tiers?: Array<Rates & { above: number }>;
}

/** US dollars; undefined where the price is unknown. */
export function costOf(price: Price | undefined, usage: ModelUsage): number | undefined {
  if (!price) return undefined;
  const rates = price.tiers?.findLast(({ above }) => usage.inputTokens > above) ?? price;
  const fresh = usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens;
  return (
    (Math.max(0, fresh) * rates.input +
      usage.cachedInputTokens * rates.cachedInput +
      usage.cacheWriteTokens * rates.cacheWrite +
      usage.outputTokens * rates.output) /
    1_000_000
  );
}
