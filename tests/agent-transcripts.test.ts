import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTurns, replayTurns, type Turn } from './support/agent-transcripts.ts';
import { temporaryDirectory } from './support/temporary.ts';

const call = (name: string, input: string, at: number) => ({
  id: `c${at}`,
  type: 'function',
  function: { name, arguments: input },
});
const spoken = (content: string | null, ...calls: object[]) => ({
  role: 'assistant',
  content,
  tool_calls: calls,
});
const result = (content: string, at: number) => ({ role: 'tool', content, tool_call_id: `c${at}` });

/** Everything odd that agents do: the same again, nothing, broken input, tools that are not there. */
const odd = JSON.stringify({
  messages: [
    { role: 'user', content: 'Fix it.' },
    spoken(null, call('bash', '{"command":"ls"}', 1), call('bash', '{"command":"pwd"}', 2)),
    result('a.txt', 1),
    result('/x', 2),
    spoken('Thinking aloud.'),
    spoken(''),
    spoken('Again.', call('bash', '{"command":', 3)),
    spoken(null, call('made_up', '{}', 4)),
    ...[5, 6, 7].flatMap((at) => [
      spoken('Same.', call('bash', '{"command":"true"}', at)),
      result('done', at),
    ]),
    spoken('One.'),
    spoken('Two.'),
    spoken('Three.'),
  ],
});
const claude = [
  {
    type: 'assistant',
    message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'Reading.' }] },
  },
  {
    type: 'assistant',
    message: {
      id: 'm1',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a' } }],
    },
  },
  {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'one' }] }],
    },
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

test('transcripts of other agents are read as answers with what their calls brought', () => {
  expect(readTurns(claude)).toMatchObject([{ text: 'Reading.', calls: [{ name: 'Read', result: 'one' }] }]);
  const action = JSON.stringify({
    history: [
      { role: 'assistant', content: 'Look.', action: 'ls' },
      { role: 'user', content: 'a' },
    ],
  });
  expect(readTurns(action)).toMatchObject([
    { calls: [{ name: 'bash', input: { command: 'ls' }, result: 'a' }] },
  ]);
});

test('a replayed transcript ends by named rules, with every call answered and every token in the ledger', async () => {
  const turns: Turn[] = readTurns(odd);
  const directory = temporaryDirectory('replay');
  for (const dialect of ['anthropic', 'compatible'] as const) {
    const { problems, rules } = await replayTurns(join(directory, dialect), turns, dialect);
    expect(problems).toEqual([]);
    expect(rules).toMatchObject({
      'unknown tool': 1,
      'malformed input': 1,
      'empty answer': 1,
      'same call, same result': 1,
      'answers without a call': 1,
    });
  }
}, 120_000);
