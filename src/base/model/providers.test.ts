import { expect, onTestFinished, test } from 'vitest';
import {
  type Dialect,
  dialects,
  type ScriptedReply,
  startModelServer,
} from '../../../tests/support/model-server/index.ts';
import { type ModelDelta, type ModelRequest, modelErrorKind, openModel, retryAtOf } from './index.ts';

const models: Record<Dialect, string> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  openai: 'openai/gpt-5.2-codex',
  google: 'google/gemini-2.5-pro',
  compatible: 'local/some-model',
};
const all = Object.keys(dialects) as Dialect[];
const key = 'canary-4f1e9c27d0b84a3f';
const environment = { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key, GEMINI_API_KEY: key, LOCAL_API_KEY: key };
const now = 1_700_000_000_000;

async function serve(dialect: Dialect, replies: ScriptedReply[], more: object = {}) {
  const server = await startModelServer(dialect, replies);
  onTestFinished(server.stop);
  const provider = models[dialect].split('/')[0] ?? '';
  const model = openModel(models[dialect], {
    environment,
    endpoints: { [provider]: server.url },
    clock: { now: () => now },
    retries: { attempts: 3, first: 1, longest: 1_000 },
    ...more,
  });
  return { server, model };
}

const ask: ModelRequest = { instructions: 'You are an engineer.', messages: [{ role: 'user', text: 'Go.' }] };
const tools = [
  {
    name: 'read_file',
    description: 'Reads.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
];
const kindOf = (call: Promise<unknown>) => call.then(() => 'answered', modelErrorKind);

test.each(all)('%s: text comes in pieces, with usage and cached tokens', async (dialect) => {
  const { model, server } = await serve(dialect, [{ text: ['Hel', 'lo.'] }]);
  const deltas: ModelDelta[] = [];
  const reply = await model.stream({ ...ask, onDelta: (delta) => deltas.push(delta) });
  expect(reply).toMatchObject({
    text: 'Hello.',
    toolCalls: [],
    finish: 'stop',
    attempts: 1,
    usage: { inputTokens: 120, cachedInputTokens: 80, outputTokens: 9, measured: true },
  });
  expect(deltas).toEqual([
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo.' },
  ]);
  expect(JSON.stringify(server.requests[0]?.headers)).toContain(key);
});

test.each(all)('%s: parallel calls come back with their results, in the next step', async (dialect) => {
  const { model, server } = await serve(dialect, [
    {
      text: ['Reading.'],
      calls: [
        { id: 'c1', name: 'read_file', input: { path: 'a.ts' } },
        { id: 'c2', name: 'read_file', input: { path: 'b.ts' } },
      ],
    },
    { text: ['Done.'] },
  ]);
  const first = await model.stream({ ...ask, tools });
  expect(first).toMatchObject({ text: 'Reading.', finish: 'tool_calls' });
  expect(first.toolCalls.map(({ name, input }) => [name, input.path])).toEqual([
    ['read_file', 'a.ts'],
    ['read_file', 'b.ts'],
  ]);
  const results = first.toolCalls.map(({ id, name, input }) => ({
    id,
    name,
    text: `text of ${input.path}`,
    isError: input.path === 'b.ts',
  }));
  const stored: typeof first.message = JSON.parse(JSON.stringify(first.message));
  const second = await model.stream({
    ...ask,
    tools,
    messages: [...ask.messages, stored, { role: 'tool', results }],
  });
  expect(second).toMatchObject({ text: 'Done.', finish: 'stop' });
  const sent = JSON.stringify(server.requests[1]?.body);
  for (const part of ['Reading.', 'a.ts', 'text of a.ts', 'text of b.ts']) expect(sent).toContain(part);
});

test.each(all)('%s: a stop at the length and a refusal are said, never taken for an end', async (dialect) => {
  const { model } = await serve(dialect, [
    { text: ['Half a sen'], finish: 'length' },
    { text: ['I will not.'], finish: 'refusal' },
  ]);
  expect(await model.stream(ask)).toMatchObject({ finish: 'length', text: 'Half a sen' });
  expect(await model.stream(ask)).toMatchObject({ finish: 'refusal' });
});

test.each(all)('%s: 429 and 500 are tried again when the provider says so', async (dialect) => {
  const { model, server } = await serve(dialect, [
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 500 },
    { text: ['At last.'] },
  ]);
  const deltas: ModelDelta[] = [];
  const reply = await model.stream({ ...ask, onDelta: (delta) => deltas.push(delta) });
  expect(reply).toMatchObject({ text: 'At last.', attempts: 3, usage: { inputTokens: 120 } });
  expect(deltas.flatMap((delta) => (delta.type === 'retry' ? [delta.kind] : []))).toEqual([
    'rate_limited',
    'overloaded',
  ]);
  expect(server.requests).toHaveLength(3);
});

test.each(all)('%s: whoever has to wait long is told until when', async (dialect) => {
  const { model, server } = await serve(dialect, [{ status: 429, headers: { 'retry-after': '90' } }]);
  const failure = await model.stream(ask).catch((error: unknown) => error);
  expect(modelErrorKind(failure)).toBe('rate_limited');
  expect(retryAtOf(failure)).toBe(now + 90_000);
  expect(server.requests).toHaveLength(1);
});

test.each(
  all.flatMap((dialect) =>
    (['end', 'reset', 'garbage'] as const).map((breaks) => [dialect, breaks] as const),
  ),
)('%s: a stream that breaks (%s) is asked again, and what it cost is counted', async (dialect, breaks) => {
  const answer = { text: ['One ', 'two ', 'three ', 'four.'] };
  const { model, server } = await serve(dialect, [{ ...answer, breaks }, answer]);
  const reply = await model.stream(ask);
  expect(reply).toMatchObject({ text: 'One two three four.', attempts: 2 });
  expect(reply.usage.inputTokens).toBeGreaterThan(120);
  expect(server.requests).toHaveLength(2);
});

test.each(all)(
  '%s: a stream that stays silent ends by our clock, whatever signs of life it sends',
  async (dialect) => {
    const timeouts = { first: 60_000, between: 150, total: 60_000 };
    const { model } = await serve(dialect, [{ text: ['One ', 'two'], breaks: 'keep-alive' }], {
      timeouts,
      retries: { attempts: 1, first: 1, longest: 1 },
    });
    expect(await kindOf(model.stream(ask))).toBe('network');
  },
);

test.each(all)('%s: a call is cancelled while it streams and before it starts', async (dialect) => {
  const { model, server } = await serve(dialect, [{ text: ['One ', 'two '], breaks: 'silence' }]);
  const controller = new AbortController();
  const call = model.stream({ ...ask, signal: controller.signal, onDelta: () => controller.abort() });
  expect(await kindOf(call)).toBe('cancelled');
  expect(await kindOf(model.stream({ ...ask, signal: controller.signal }))).toBe('cancelled');
  expect(server.requests).toHaveLength(1);
});

test.each([
  [401, '{"error":{"message":"invalid x-api-key"}}', 'authentication'],
  [400, '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}', 'context_full'],
  [400, '{"error":{"message":"This model\'s maximum context length is 128000 tokens"}}', 'context_full'],
  [404, '{"error":{"message":"model: nobody"}}', 'refused'],
])('a %s is not tried again: %s', async (status, body, kind) => {
  for (const dialect of all) {
    const { model, server } = await serve(dialect, [{ status, body }]);
    expect(await kindOf(model.stream(ask))).toBe(kind);
    expect(server.requests).toHaveLength(1);
  }
});

test.each(['openai', 'compatible', 'anthropic'] as const)(
  '%s: input that is no JSON is handed on as malformed, and the conversation goes on',
  async (dialect) => {
    const { model } = await serve(dialect, [
      { calls: [{ id: 'c1', name: 'read_file', input: '{"path": "a.ts' }], finish: 'length' },
      { text: ['Sorry.'] },
    ]);
    const reply = await model.stream({ ...ask, tools });
    expect(reply.finish).toBe('length');
    expect(reply.toolCalls).toMatchObject([{ input: {}, malformed: '{"path": "a.ts' }]);
    const results = reply.toolCalls.map(({ id, name }) => ({ id, name, text: 'no JSON', isError: true }));
    const messages = [...ask.messages, reply.message, { role: 'tool' as const, results }];
    const next = await model.stream({ ...ask, tools, messages });
    expect(next.text).toBe('Sorry.');
  },
);

test('signed parts go back to the provider that signed them, and to no other', async () => {
  const call = { id: 'c1', name: 'read_file', input: { path: 'a.ts' } };
  const google = await serve('google', [{ calls: [call] }, { text: ['Done.'] }]);
  const { message } = await google.model.stream({ ...ask, tools });
  const results = [{ id: message.toolCalls[0]?.id ?? '', name: 'read_file', text: 'x', isError: false }];
  const messages = [...ask.messages, message, { role: 'tool' as const, results }];
  await google.model.stream({ ...ask, tools, messages });
  expect(JSON.stringify(google.server.requests[1]?.body)).toContain('signed-read_file');
  const other = await serve('anthropic', [{ text: ['Done.'] }]);
  await other.model.stream({ ...ask, tools, messages });
  const sent = JSON.stringify(other.server.requests[0]?.body);
  expect(sent).toContain('a.ts');
  expect(sent).not.toContain('signed-read_file');
});

test.each(all)('%s: a redirect is not followed, because the key would go along', async (dialect) => {
  const thief = await startModelServer(dialect, [{ text: ['Thanks.'] }]);
  onTestFinished(thief.stop);
  const { model } = await serve(dialect, [{ status: 307, headers: { location: thief.url } }]);
  expect(await kindOf(model.stream(ask))).toBe('network');
  expect(thief.requests).toEqual([]);
});

test.each(all)('%s: no failure says the key, and no request a secret of ours', async (dialect) => {
  const secret = 'ghp_0123456789abcdefABCDEF0123456789abcd';
  const { model, server } = await serve(dialect, [
    { status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } }) },
  ]);
  const failure = await model
    .stream({ instructions: `Use ${secret}.`, messages: [{ role: 'user', text: `token: ${secret}` }] })
    .catch((error: unknown) => error);
  const shown =
    failure instanceof Error ? `${failure.stack} ${JSON.stringify({ ...failure })} ${failure.cause}` : '';
  expect(shown).toContain('401');
  expect(shown).not.toContain(key);
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain(secret);
});
