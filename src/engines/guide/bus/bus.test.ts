import { expect, test } from 'vitest';
import { busWorld, settled } from '../../../../tests/support/bus.ts';
import type { Message } from '../../../stores/messages/index.ts';

const ask = {
  type: 'CONTEXT_REQUEST',
  source: 'architect',
  session_id: 'ses_a',
  payload: { query: 'x' },
} as const;
const store = {
  type: 'STORE_REQUEST',
  source: 'user',
  session_id: 'ses_a',
  payload: { content: 'x' },
} as const;

test('a request finds its agent by its type, and the answer comes back under its correlation', async () => {
  const { open } = busWorld();
  const bus = open();
  bus.listen({ agent: 'librarian', respond: async ({ payload }) => ({ found: payload }) });
  const reply = await bus.request({ ...ask, id: 'q1', priority: 'high' });
  expect(reply).toMatchObject({
    type: 'CONTEXT_RESPONSE',
    source: 'librarian',
    target: 'architect',
    session_id: 'ses_a',
    correlation_id: 'q1',
    parent_id: 'q1',
    payload: { found: { query: 'x' } },
    priority: 'high',
    status: 'done',
  });
  expect(bus.hops()).toMatchObject([
    { message_id: 'q1', source: 'architect', target: 'librarian', status: 'done', attempt: 1 },
  ]);
});

test('an answer that nobody waits for arrives in the inbox of the agent that asked', async () => {
  const { open } = busWorld();
  const bus = open();
  const got: Message[] = [];
  bus.listen({ agent: 'librarian', respond: async () => 'here' });
  bus.listen({ agent: 'architect', respond: async (message) => void got.push(message) });
  await bus.send({ ...ask, id: 'q1' });
  await bus.idle();
  await settled();
  expect(got).toMatchObject([{ type: 'CONTEXT_RESPONSE', correlation_id: 'q1', payload: 'here' }]);
});

test('a durable message is in the library when it is acknowledged, and is done exactly once', async () => {
  const { open } = busWorld();
  const bus = open();
  const first = await bus.send({ ...store, id: 'm1' });
  expect(first).toEqual({ id: 'm1', status: 'queued', target: 'archivalist', durable: true });
  expect(await bus.pendingOf('ses_a')).toMatchObject([{ id: 'm1', status: 'queued', attempt: 0 }]);
  let acted = 0;
  bus.listen({ agent: 'archivalist', respond: (_message, delivery) => delivery.act(async () => ++acted) });
  await settled();
  expect(acted).toBe(1);
  expect(await bus.pendingOf('ses_a')).toEqual([]);
  expect(await bus.send({ ...store, id: 'm1' })).toMatchObject({ id: 'm1', status: 'done' });
  await settled();
  expect(acted).toBe(1);
});
