import { modelErrorKind, openModel } from '../../src/base/model/index.ts';
import {
  type Dialect,
  dialects,
  type ScriptedReply,
  startModelServer,
} from '../../tests/support/model-server/index.ts';
import type { BenchOptions } from '../run-named.ts';

const ids: Record<Dialect, string> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  openai: 'openai/gpt-5.2-codex',
  google: 'google/gemini-2.5-pro',
  compatible: 'local/some-model',
};
const answer: ScriptedReply = { text: ['One ', 'two ', 'three ', 'four.'] };
const call = (at: number) => ({ id: `c${at}`, name: 'read_file', input: { path: `${at}.ts` } });
const tools = [{ name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } }];

/** What a server does, and how the step has to end: the finish, or the kind of failure. */
const cases: Array<{ name: string; replies: ScriptedReply[]; expected: string; attempts?: number }> = [
  { name: 'text', replies: [answer], expected: 'stop' },
  { name: 'one tool', replies: [{ calls: [call(1)] }], expected: 'tool_calls' },
  {
    name: 'eight parallel tools',
    replies: [{ calls: Array.from({ length: 8 }, (_, at) => call(at)) }],
    expected: 'tool_calls',
  },
  { name: 'text and tools', replies: [{ ...answer, calls: [call(1), call(2)] }], expected: 'tool_calls' },
  { name: 'length stop', replies: [{ ...answer, finish: 'length' }], expected: 'length' },
  { name: 'refusal', replies: [{ ...answer, finish: 'refusal' }], expected: 'refusal' },
  {
    name: '429 with Retry-After',
    replies: [{ status: 429, headers: { 'retry-after': '0' } }, answer],
    expected: 'stop',
    attempts: 2,
  },
  {
    name: '429 with a long wait',
    replies: [{ status: 429, headers: { 'retry-after': '600' } }],
    expected: 'rate_limited',
  },
  { name: '500 twice', replies: [{ status: 500 }, { status: 503 }, answer], expected: 'stop', attempts: 3 },
  { name: '500 for ever', replies: [{ status: 500 }], expected: 'overloaded' },
  { name: '401', replies: [{ status: 401 }], expected: 'authentication' },
  {
    name: 'full context',
    replies: [{ status: 400, body: '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}' }],
    expected: 'context_full',
  },
  { name: 'cut stream', replies: [{ ...answer, breaks: 'end' }, answer], expected: 'stop', attempts: 2 },
  { name: 'reset stream', replies: [{ ...answer, breaks: 'reset' }, answer], expected: 'stop', attempts: 2 },
  {
    name: 'malformed JSON',
    replies: [{ ...answer, breaks: 'garbage' }, answer],
    expected: 'stop',
    attempts: 2,
  },
  { name: 'malformed JSON for ever', replies: [{ ...answer, breaks: 'garbage' }], expected: 'malformed' },
  { name: 'keep-alives only', replies: [{ ...answer, breaks: 'keep-alive' }], expected: 'network' },
];

const policy = {
  retries: { attempts: 3, first: 5, longest: 1_000 },
  timeouts: { first: 5_000, between: 400, total: 20_000 },
};

async function open(dialect: Dialect, replies: ScriptedReply[]) {
  const server = await startModelServer(dialect, replies);
  const id = ids[dialect];
  const environment = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' };
  const model = openModel(id, {
    environment,
    endpoints: { [id.split('/')[0] ?? '']: server.url },
    ...policy,
  });
  return { server, model };
}

const ask = {
  instructions: 'You are an engineer.',
  messages: [{ role: 'user' as const, text: 'Go.' }],
  tools,
};

/** Milliseconds from cancelling, in the middle of a stream, to the failure that the caller sees. */
async function cancelTimes(dialect: Dialect, times: number): Promise<number[]> {
  const { server, model } = await open(dialect, [{ ...answer, breaks: 'silence' }]);
  const waits: number[] = [];
  for (let at = 0; at < times; at++) {
    const controller = new AbortController();
    let cancelled = 0;
    const onDelta = () => {
      if (cancelled) return;
      cancelled = performance.now();
      controller.abort();
    };
    await model.stream({ ...ask, signal: controller.signal, onDelta }).catch(() => {});
    waits.push(performance.now() - cancelled);
  }
  await server.stop();
  return waits.sort((a, b) => a - b);
}

/** Every way in which a step ends, against scripted servers of four providers, and how fast it can be cancelled. */
export async function providers({ cases: count = '200' }: BenchOptions): Promise<boolean> {
  let wrong = 0;
  for (const dialect of Object.keys(dialects) as Dialect[]) {
    for (const { name, replies, expected, attempts = 1 } of cases) {
      const { server, model } = await open(dialect, replies);
      const ended = await model.stream(ask).then(
        (reply) => ({ kind: reply.finish, attempts: reply.attempts }),
        (error: unknown) => ({ kind: modelErrorKind(error) ?? 'unexpected', attempts }),
      );
      await server.stop();
      if (ended.kind === expected && ended.attempts === attempts) continue;
      wrong += 1;
      console.log(`${dialect}, ${name}: ${JSON.stringify(ended)}, not ${expected} after ${attempts}`);
    }
    const times = await cancelTimes(dialect, Number(count));
    const [median = 0, most = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
    if (most >= 200) wrong += 1;
    console.log(
      `${dialect}: ${cases.length} endings; ${times.length} cancels, median ${median.toFixed(1)} ms, slowest ${most.toFixed(1)} ms`,
    );
  }
  return wrong === 0;
}
