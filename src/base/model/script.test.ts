import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import {
  costOf,
  type ModelMessage,
  modelErrorKind,
  modelMessageSchema,
  openModel,
  retryAtOf,
} from './index.ts';

function scriptModel(script: unknown, now = 1_000) {
  const path = join(temporaryDirectory('script'), 'answers.json');
  writeFileSync(path, JSON.stringify(script));
  return openModel(`script:${path}`, { clock: { now: () => now } });
}

const user = (text: string): ModelMessage => ({ role: 'user', text });
const rename = {
  price: { input: 3, cached_input: 0.3, output: 15 },
  conversations: [
    {
      when: 'rename',
      steps: [
        {
          text: 'Reading.',
          calls: [{ name: 'read_file', input: { path: 'a.ts' } }],
          usage: { input: 1_000, cached: 600, output: 20 },
        },
        { expect: 'export', text: 'Done.' },
      ],
    },
    { when: 'stop there', steps: [{ text: 'Stopped.' }] },
  ],
};

test('a script goes on by the conversation it is given, not by what it remembers', async () => {
  const messages = [user('please rename it')];
  const first = await scriptModel(rename).stream({ instructions: '', messages });
  expect(first).toMatchObject({
    text: 'Reading.',
    finish: 'tool_calls',
    toolCalls: [{ name: 'read_file', input: { path: 'a.ts' } }],
    usage: { inputTokens: 1_000, cachedInputTokens: 600, outputTokens: 20, measured: true },
  });
  const [call] = first.toolCalls;
  messages.push(first.message, {
    role: 'tool',
    results: [{ id: call?.id ?? '', name: 'read_file', text: 'export const a = 1;', isError: false }],
  });
  const stored: unknown = JSON.parse(JSON.stringify(messages));
  const replayed = modelMessageSchema.array().parse(stored);
  expect(replayed).toEqual(messages);
  const second = await scriptModel(rename).stream({ instructions: '', messages: replayed });
  expect(second).toMatchObject({ text: 'Done.', finish: 'stop', usage: { measured: false } });
  const third = await scriptModel(rename).stream({
    instructions: '',
    messages: [...replayed, second.message, user('stop there')],
  });
  expect(third.text).toBe('Stopped.');
});

test('a script answers nothing that it was not told', async () => {
  const model = scriptModel(rename);
  const kindOf = (messages: ModelMessage[]) =>
    model.stream({ instructions: '', messages }).then(() => 'answered', modelErrorKind);
  expect(await kindOf([user('something else')])).toBe('malformed');
  const answered = (await model.stream({ instructions: '', messages: [user('rename')] })).message;
  expect(await kindOf([user('rename'), answered, user('no source')])).toBe('malformed');
});

test('a step fails as often as the script says, with the time of the next attempt', async () => {
  const model = scriptModel({
    conversations: [
      { steps: [{ text: 'Now.', fail: { kind: 'rate_limited', times: 2, retry_after_ms: 500 } }] },
    ],
  });
  const call = () => model.stream({ instructions: '', messages: [user('go')] });
  const failures = [await call().catch((error) => error), await call().catch((error) => error)];
  expect(failures.map(modelErrorKind)).toEqual(['rate_limited', 'rate_limited']);
  expect(failures.map(retryAtOf)).toEqual([1_500, 1_500]);
  expect((await call()).text).toBe('Now.');
});

test('a call that thinks ends when it is cancelled', async () => {
  const model = scriptModel({ think_ms: 600_000, conversations: [{ steps: [{ text: 'late' }] }] });
  const controller = new AbortController();
  const call = model.stream({
    instructions: '',
    messages: [{ role: 'user', text: 'a' }],
    signal: controller.signal,
  });
  controller.abort();
  await expect(call).rejects.toThrow('cancelled');
});

test('a call that hangs ends when it is cancelled', async () => {
  const model = scriptModel({ conversations: [{ steps: [{ hang: true }] }] });
  const controller = new AbortController();
  const call = model.stream({ instructions: '', messages: [user('go')], signal: controller.signal });
  controller.abort();
  expect(await call.catch(modelErrorKind)).toBe('cancelled');
});

test('cached input costs what cached input costs', async () => {
  const model = scriptModel(rename);
  const { usage } = await model.stream({ instructions: '', messages: [user('rename')] });
  expect(costOf(model.price, usage)).toBeCloseTo((400 * 3 + 600 * 0.3 + 20 * 15) / 1e6, 12);
  expect(costOf(undefined, usage)).toBeUndefined();
});
