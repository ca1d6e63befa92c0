import { countTokens as countNewer } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../../bench/random.ts';
import { loadTokenCounter } from '../tokens.ts';
import { countedBy, mostInputTokens } from './estimate.ts';
import type { ModelMessage } from './message.ts';
import type { ModelReply, ModelRequest } from './model.ts';

const random = randomNumbers(20261117);
const alphabets = ['abc \n', '{"a":[1]}\\', '€ßñ漢字', '🏴󠁧󠁢👩‍💻', '\u0001\u200b\u0300', '𒀀𓀀ꙮ﷽'];
const randomText = (): string => {
  const signs = [...(alphabets[Math.floor(random() * alphabets.length)] ?? '')];
  return Array.from({ length: 200 }, () => signs[Math.floor(random() * signs.length)]).join('');
};
const conversation = (length: number): ModelMessage[] =>
  Array.from({ length }, (_, at) =>
    at % 2 === 0
      ? { role: 'user', text: randomText() }
      : {
          role: 'assistant',
          text: randomText(),
          toolCalls: [{ id: `c${at}`, name: 'x', input: { y: randomText() } }],
        },
  );
const request = (messages: ModelMessage[]): ModelRequest => ({
  instructions: randomText(),
  messages,
  tools: [{ name: 'x', description: randomText(), inputSchema: {} }],
});
const all = ({ instructions, messages, tools }: ModelRequest) =>
  JSON.stringify([instructions, messages, tools]);

test('no tokenizer counts more for a request than its bound, whatever signs are in it', async () => {
  const counters = [await loadTokenCounter(), (text: string) => countNewer(text)];
  for (let at = 0; at < 60; at++) {
    const asked = request(conversation(1 + (at % 7)));
    for (const count of counters)
      expect(mostInputTokens(asked, 1e9)).toBeGreaterThanOrEqual(count(all(asked)));
  }
});

test('what the provider has counted is not counted again by bytes, and a window is the most', async () => {
  const count = await loadTokenCounter();
  const messages = conversation(9);
  const first = { ...request(messages.slice(0, 7)) };
  const usage = {
    inputTokens: count(all(first)),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: count(JSON.stringify(messages[7])),
    measured: true,
  };
  const next = { ...first, messages, counted: countedBy(first, { usage } as ModelReply) };
  const bound = mostInputTokens(next, 1e9);
  expect(bound).toBeGreaterThanOrEqual(count(all(next)));
  expect(bound).toBeLessThan(mostInputTokens({ ...next, counted: undefined }, 1e9) * 0.8);
  const otherTools = { ...next, tools: [] };
  expect(mostInputTokens(otherTools, 1e9)).toBeGreaterThan(bound);
  expect(mostInputTokens(next, 500)).toBe(500);
  expect(countedBy(first, { usage: { ...usage, measured: false } } as ModelReply)).toBeUndefined();
});
