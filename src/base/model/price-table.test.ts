import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { costOf } from './price.ts';
import { lookUpModel } from './price-table.ts';

const now = Date.UTC(2026, 10, 17);

test.each(['anthropic', 'openai', 'google'])(
  '%s: a call costs what the table itself says, tier by tier',
  (provider) => {
    const timestamp = new Date(now);
    let compared = 0;
    for (const { id } of findProvider({ providerId: provider })?.models ?? []) {
      const { price } = lookUpModel(provider, id, now);
      if (!price) continue;
      for (const input of [1_000, 199_999, 200_000, 200_001, 300_000, 900_000]) {
        const usage = { inputTokens: input, cachedInputTokens: 400, cacheWriteTokens: 100, outputTokens: 50 };
        const said = calcPrice(
          { input_tokens: input, cache_read_tokens: 400, cache_write_tokens: 100, output_tokens: 50 },
          id,
          { providerId: provider, timestamp },
        );
        expect([id, input, costOf(price, { ...usage, measured: true })?.toFixed(9)]).toEqual([
          id,
          input,
          said?.total_price.toFixed(9),
        ]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(100);
  },
);

test.each([
  ['anthropic', 'claude-opus-4-5', 'anthropic/claude-opus-4-5'],
  ['anthropic', 'claude-opus-4-5-20251101', 'anthropic/claude-opus-4-5'],
  ['openai', 'gpt-5.2-codex', 'openai/gpt-5.2'],
  ['google', 'gemini-3.8-flash', 'google/gemini-3.8-flash'],
])('%s/%s has a price, and the id that it was found under is shown', (provider, model, matchedId) => {
  expect(lookUpModel(provider, model, now).price?.matchedId).toBe(matchedId);
});

test.each([
  ['anthropic', 'claude-sonnet-5-9-foo', 'anthropic/claude-sonnet-5'],
  ['openai', 'nobody-knows-it', undefined],
  ['local', 'qwen', undefined],
])('%s/%s has no price: a name that only begins alike is another model', (provider, model, nearest) => {
  expect(lookUpModel(provider, model, now)).toMatchObject({ price: undefined, nearest });
});
