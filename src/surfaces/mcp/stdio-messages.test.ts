import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { messagesOnly } from './stdio-messages.ts';

function pass(messages: object[]) {
  const errors: Array<{ id: unknown; code: number }> = [];
  const stream = messagesOnly({
    answer: ({ id, error }) => errors.push({ id, code: error.code }),
    request: () => {},
  });
  stream.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const lines = `${stream.read() ?? ''}`.split('\n').filter(Boolean);
  return { errors, passed: lines.map((line) => JSON.parse(line).id) };
}

test('a request before initialize is an error; a ping, a look at the server and what comes afterwards are not', () => {
  const { errors, passed } = pass([
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'tools/call', params: { name: 'search', arguments: {} } },
    { id: 3, method: 'ping' },
    { id: 4, method: 'server/discover' },
    { id: 5, method: 'initialize', params: {} },
    { id: 6, method: 'tools/list' },
  ]);
  expect(errors).toEqual([
    { id: 1, code: -32600 },
    { id: 2, code: -32600 },
  ]);
  expect(passed).toEqual([3, 4, 5, 6]);
});

test('a request that names its version of the protocol needs no handshake', () => {
  const params = { _meta: { [PROTOCOL_VERSION_META_KEY]: '2026-06-18' } };
  expect(pass([{ id: 1, method: 'tools/list', params }])).toEqual({ errors: [], passed: [1] });
});
