import { expect, test } from 'vitest';
import { busWorld, held, settled, watched } from '../../../tests/support/bus.ts';
import { SylkError } from '../../base/errors.ts';
import type { Message } from '../../stores/messages/index.ts';

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
  const hops = watched(bus);
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
  expect(hops).toMatchObject([
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
  const { open, messages } = busWorld();
  const bus = open();
  const first = await bus.send({ ...store, id: 'm1' });
  expect(first).toEqual({
    id: 'm1',
    status: 'queued',
    target: 'archivalist',
    durable: true,
    expires_at: '2026-01-08T00:00:00.000Z',
  });
  expect(await messages.pendingOf('ses_a')).toMatchObject([{ id: 'm1', status: 'queued', attempt: 0 }]);
  let acted = 0;
  bus.listen({ agent: 'archivalist', respond: (_message, delivery) => delivery.act(async () => ++acted) });
  await settled();
  expect(acted).toBe(1);
  expect(await messages.pendingOf('ses_a')).toEqual([]);
  expect(await bus.send({ ...store, id: 'm1' })).toMatchObject({ id: 'm1', status: 'done' });
  await settled();
  expect(acted).toBe(1);
});

test('an attempt that fails is made again after half a second and after a second, then the message is dead', async () => {
  const { open, time } = busWorld();
  const bus = open();
  const at: number[] = [];
  const from = time.now();
  bus.listen({
    agent: 'librarian',
    respond: async () => {
      at.push(time.now() - from);
      throw new Error('no');
    },
  });
  await bus.send({ ...ask, id: 'q1' });
  await time.advance(5000);
  expect(at).toEqual([0, 500, 1500]);
  expect(await bus.deadLetters()).toMatchObject({
    total: 1,
    items: [{ id: 'q1', status: 'dead', attempt: 3, error: expect.stringContaining('no') }],
  });
  expect(bus.statistics()).toMatchObject({ accepted: 1, dead: 1, retried: 2, waiting: 0 });
});

test('a dead letter is sent again under its own id, and works when its agent does', async () => {
  const { open, time } = busWorld();
  const bus = open();
  let well = false;
  const done: string[] = [];
  bus.listen({
    agent: 'librarian',
    respond: async ({ id }) => {
      if (!well) throw new Error('not yet');
      done.push(id);
    },
  });
  await bus.send({ ...ask, id: 'q1' });
  await time.advance(5000);
  well = true;
  expect(await bus.replay('q1')).toMatchObject({ id: 'q1', status: 'queued' });
  await settled();
  expect(done).toEqual(['q1']);
  expect(await bus.deadLetters()).toMatchObject({ total: 0 });
  await expect(bus.replay('q1')).rejects.toMatchObject({ code: 'INVALID_OPERATION' });
  await expect(bus.replay('q2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('five failed messages within thirty seconds open the breaker, one trial after fifteen closes it', async () => {
  const { open, time } = busWorld();
  const bus = open();
  let well = false;
  let calls = 0;
  bus.listen({
    agent: 'librarian',
    respond: async () => {
      calls++;
      if (!well) throw new Error('down');
    },
  });
  for (let at = 0; at < 5; at++) await bus.send({ ...ask, max_attempts: 1 });
  await settled();
  expect(bus.health()).toMatchObject([{ state: 'open', breaker: 'open', failed: 5 }]);
  await expect(bus.send(ask)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('is paused'),
  });
  expect(calls).toBe(5);
  await time.advance(15_000);
  expect(bus.health()).toMatchObject([{ breaker: 'half_open' }]);
  well = true;
  await bus.send(ask);
  await settled();
  expect(bus.health()).toMatchObject([{ breaker: 'closed', done: 1 }]);
});

test('messages that wait behind an open breaker are tried one by one, each after another rest', async () => {
  const { open, time } = busWorld();
  const bus = open();
  const tried: string[] = [];
  bus.listen({
    agent: 'archivalist',
    respond: async ({ id }) => {
      tried.push(id);
      throw new Error('down');
    },
  });
  for (const id of ['1', '2', '3', '4', '5']) await bus.send({ ...store, id, max_attempts: 1 });
  await settled();
  for (const id of ['6', '7']) await bus.send({ ...store, id, max_attempts: 1 });
  await time.advance(14_000);
  expect(tried).toHaveLength(5);
  await time.advance(2000);
  expect(tried).toHaveLength(6);
  await time.advance(16_000);
  expect(tried).toHaveLength(7);
});

test('messages of one session that fail open the breaker for that session alone', async () => {
  const { open } = busWorld();
  const bus = open();
  bus.listen({
    agent: 'librarian',
    respond: async ({ session_id }) => {
      if (session_id === 'ses_a') throw new Error('poison');
      return 'well';
    },
  });
  await bus.request({ ...ask, session_id: 'ses_b' });
  for (let at = 0; at < 5; at++) await bus.send({ ...ask, max_attempts: 1 });
  await settled();
  await expect(bus.send(ask)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect((await bus.request({ ...ask, session_id: 'ses_b' })).payload).toBe('well');
});

test('a message whose time is over expires, in the queue or before its next attempt, and the sender is told', async () => {
  const { open, time } = busWorld();
  const bus = open();
  const stuck = held();
  bus.listen({ agent: 'librarian', concurrency: 1, respond: () => stuck.promise });
  await bus.send({ ...ask, id: 'first' });
  const waiting = bus.request({ ...ask, id: 'late', ttl: 1000 });
  waiting.catch(() => {});
  await time.advance(1500);
  await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT', data: { message_id: 'late' } });
  expect(bus.statistics()).toMatchObject({ expired: 1, in_flight: 1 });
});

test('an agent that is stuck loses its turn after its time, and is told so', async () => {
  const { open, time } = busWorld();
  const bus = open();
  const signals: AbortSignal[] = [];
  bus.listen({
    agent: 'librarian',
    timeout: 2000,
    respond: (_message, { signal }) => {
      signals.push(signal);
      return held().promise;
    },
  });
  await bus.send({ ...ask, id: 'q1' });
  await time.advance(3000);
  expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  // It may have acted: what may be lost is not tried twice.
  expect(await bus.deadLetters()).toMatchObject({
    items: [{ id: 'q1', attempt: 1, error: expect.stringContaining('TIMEOUT') }],
  });
});

test('a full queue refuses by name and loses nothing', async () => {
  const { open } = busWorld();
  const bus = open({ limits: { perSession: 3 } });
  const stuck = held();
  const seen: string[] = [];
  bus.listen({
    agent: 'librarian',
    concurrency: 1,
    respond: async ({ id }) => void seen.push(id, String(await stuck.promise)),
  });
  for (const id of ['1', '2', '3']) await bus.send({ ...ask, id });
  await expect(bus.send({ ...ask, id: '4' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await bus.send({ ...ask, id: 'other', session_id: 'ses_b' });
  expect(bus.statistics()).toMatchObject({ accepted: 4, refused: 1 });
  stuck.resolve('ok');
  await settled();
  expect(seen.filter((one) => one !== 'ok').sort()).toEqual(['1', '2', '3', 'other']);
});

test('higher priorities go first and the lowest still gets its turn', async () => {
  const { open } = busWorld();
  const bus = open();
  const gate = held();
  const order: string[] = [];
  bus.listen({
    agent: 'librarian',
    concurrency: 1,
    respond: async ({ priority, id }) => {
      if (id === 'gate') await gate.promise;
      else order.push(priority);
    },
  });
  await bus.send({ ...ask, id: 'gate' });
  for (const priority of ['low', 'normal', 'high', 'critical'] as const)
    for (let at = 0; at < 20; at++) await bus.send({ ...ask, priority });
  gate.resolve(0);
  await settled();
  await bus.idle();
  expect(order.slice(0, 8)).toEqual(Array(8).fill('critical'));
  expect(order.slice(0, 15).filter((one) => one === 'low')).toHaveLength(1);
  expect(order).toHaveLength(80);
});

test('sessions take turns: one that floods waits behind itself', async () => {
  const { open } = busWorld();
  const bus = open();
  const gate = held();
  const order: string[] = [];
  bus.listen({
    agent: 'librarian',
    concurrency: 1,
    respond: async ({ session_id, id }) => {
      if (id === 'gate') await gate.promise;
      else order.push(session_id);
    },
  });
  await bus.send({ ...ask, id: 'gate' });
  for (let at = 0; at < 200; at++) await bus.send(ask);
  for (let at = 0; at < 5; at++) await bus.send({ ...ask, session_id: 'ses_b' });
  gate.resolve(0);
  await settled();
  await bus.idle();
  expect(order.slice(0, 10).filter((one) => one === 'ses_b')).toHaveLength(5);
});

test('a session that is not active refuses by name and state, and takes what resumes it', async () => {
  const { open, change } = busWorld();
  const bus = open();
  bus.listen({ agent: 'librarian', respond: async () => 1 });
  await change(bus, 'ses_a', 'suspended');
  await expect(bus.send(ask)).rejects.toMatchObject({
    code: 'INVALID_OPERATION',
    message: expect.stringMatching(/"work ses_a" \(ses_a\) is not active \(state: suspended\)/),
  });
  expect(
    await bus.send({ type: 'SESSION_RESUME', source: 'user', session_id: 'ses_a', payload: {} }),
  ).toMatchObject({ target: 'sessions' });
  await expect(bus.send({ ...ask, session_id: 'ses_none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(bus.send({ ...ask, session_id: '' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('agents of one session are neither senders nor targets in another', async () => {
  const { open } = busWorld();
  const bus = open();
  const got: string[] = [];
  bus.listen({
    agent: 'engineer:1',
    session: 'ses_a',
    respond: async ({ session_id }) => void got.push(session_id),
  });
  bus.listen({ agent: 'orchestrator', respond: async () => undefined });
  const task = { type: 'TASK_DISPATCH', source: 'orchestrator', target: 'engineer:1', payload: {} } as const;
  await bus.send({ ...task, session_id: 'ses_a' });
  await expect(bus.send({ ...task, session_id: 'ses_b' })).rejects.toMatchObject({ code: 'DENIED' });
  await expect(
    bus.send({ type: 'TASK_COMPLETE', source: 'engineer:1', session_id: 'ses_b', payload: {} }),
  ).rejects.toMatchObject({ code: 'DENIED' });
  await expect(bus.send({ ...task, target: 'librarain', session_id: 'ses_a' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: expect.stringContaining('librarian'),
  });
  await settled();
  expect(got).toEqual(['ses_a']);
});

test('messages that wait for a suspended session are in its snapshot and go on in another process', async () => {
  const { open, change, sessions, messages } = busWorld();
  const first = open();
  const stuck = held();
  first.listen({ agent: 'librarian', concurrency: 1, respond: () => stuck.promise });
  await first.send({ ...ask, id: 'gate' });
  await first.send({ ...ask, id: 'waits' });
  await settled();
  await change(first, 'ses_a', 'suspended');
  const pending = await messages.pendingOf('ses_a');
  expect(pending.filter(({ id }) => id !== 'gate').map(({ id, status }) => `${id} ${status}`)).toEqual([
    'waits queued',
  ]);
  const second = open();
  const seen: string[] = [];
  second.listen({ agent: 'librarian', respond: async ({ id }) => void seen.push(id) });
  await settled();
  expect(seen).toEqual([]);
  sessions.set('ses_a', { ...sessions.get('ses_a')!, state: 'active' });
  await second.sessionChanged('ses_a', 'active');
  await settled();
  expect(seen).toEqual(['waits']);
  for (const message of pending) expect(await messages.accept(message, '')).toBeDefined();
  await second.recover();
  await settled();
  expect(seen).toEqual(['waits']);
});

test('a process that is asked to recover takes what nobody has, and says how many', async () => {
  const { open } = busWorld();
  await open().send({ ...store, id: 'm1' });
  const bus = open({ onlyWhenAsked: true });
  const seen: string[] = [];
  bus.listen({ agent: 'archivalist', respond: async ({ id }) => void seen.push(id) });
  await settled();
  expect(seen).toEqual([]);
  expect([await bus.recover(), await bus.recover()]).toEqual([1, 0]);
  await settled();
  expect(seen).toEqual(['m1']);
});

test('a sender gets the answer of an agent that acted and then ran out of time', async () => {
  const { open, time } = busWorld();
  const bus = open();
  const late = held();
  bus.listen({
    agent: 'archivalist',
    timeout: 1000,
    respond: async (_message, { act }) => {
      await act(async () => 'stored');
      return late.promise;
    },
  });
  const reply = bus.request({ ...store, id: 'm1' });
  await time.advance(2000);
  expect((await reply).payload).toBe('stored');
  expect(bus.statistics()).toMatchObject({ done: 1, dead: 0, retried: 0 });
});

test('what waits for a session that ends is expired, not lost from sight', async () => {
  const { open, change, messages } = busWorld();
  const bus = open();
  const stuck = held();
  const hops = watched(bus);
  bus.listen({ agent: 'librarian', concurrency: 1, respond: () => stuck.promise });
  await bus.send({ ...ask, id: 'gate' });
  await bus.send({ ...ask, id: 'waits' });
  await bus.send({ ...store, id: 'kept' });
  await change(bus, 'ses_a', 'completed');
  expect(bus.statistics()).toMatchObject({ expired: 1 });
  expect(hops.filter(({ message_id }) => message_id === 'waits')).toMatchObject([
    { status: 'expired', error: expect.stringContaining('completed') },
  ]);
  expect(await messages.pendingOf('ses_a')).toEqual([]);
});

test('what is sent inside a transaction is there if and only if the transaction holds', async () => {
  const { open } = busWorld();
  const bus = open();
  const seen: string[] = [];
  bus.listen({ agent: 'orchestrator', respond: async ({ id }) => void seen.push(id) });
  let fails = true;
  bus.listen({
    agent: 'archivalist',
    respond: (_message, { act }) =>
      act(async () => {
        await bus.send({
          id: fails ? 'undone' : 'told',
          type: 'TASK_COMPLETE',
          source: 'archivalist',
          session_id: 'ses_a',
          payload: {},
        });
        if (fails) throw new SylkError('INVARIANT_VIOLATION', 'no');
      }),
  });
  await bus.send({ ...store, id: 'one' });
  await settled();
  fails = false;
  await bus.send({ ...store, id: 'two' });
  await settled();
  expect(seen).toEqual(['told']);
  expect(await bus.deadLetters()).toMatchObject({ items: [{ id: 'one' }] });
});

test('a late answer of an attempt that was given up changes nothing', async () => {
  const { open, time } = busWorld();
  const bus = open();
  const late = held();
  let attempts = 0;
  const acted: number[] = [];
  bus.listen({
    agent: 'archivalist',
    timeout: 1000,
    respond: async (message, { act }) => {
      attempts++;
      if (message.attempt === 1) await late.promise;
      return act(async () => acted.push(attempts));
    },
  });
  await bus.send({ ...store, id: 'm1' });
  await time.advance(2500);
  late.resolve(0);
  await settled();
  expect(attempts).toBe(2);
  expect(acted).toEqual([2]);
  expect(bus.statistics()).toMatchObject({ done: 1, dead: 0 });
});

test('a broadcast reaches every agent of the session but its sender; what is refused is told', async () => {
  const { open } = busWorld();
  const bus = open();
  const got: string[] = [];
  for (const agent of ['librarian', 'archivalist', 'architect'])
    bus.listen({ agent, respond: async () => void got.push(agent) });
  bus.listen({ agent: 'engineer:1', session: 'ses_b', respond: async () => void got.push('engineer') });
  const note = { type: 'DAG_STATUS', source: 'architect', session_id: 'ses_a', payload: 1 } as const;
  expect((await bus.broadcast(note)).items).toHaveLength(2);
  await settled();
  expect(got.sort()).toEqual(['archivalist', 'librarian']);
  expect(await bus.broadcast(note, ['librarian', 'tester'])).toMatchObject({
    items: [{ target: 'librarian' }],
    problems: [{ target: 'tester', message: expect.stringContaining('No agent listens') }],
  });
});

test('like requests of one session that wait together are answered by one call', async () => {
  const { open } = busWorld();
  const bus = open();
  const gate = held();
  const calls: number[] = [];
  bus.listen({
    agent: 'librarian',
    concurrency: 1,
    respond: async ({ id, payload }) => {
      if (id === 'gate') await gate.promise;
      else calls.push(1);
      return payload;
    },
    batch: {
      key: ({ id, type }) => (id === 'gate' ? undefined : type),
      limit: 10,
      respond: async (messages) => {
        calls.push(messages.length);
        return messages.map(({ payload }) => payload);
      },
    },
  });
  void bus.request({ ...ask, id: 'gate' });
  const answers = Promise.all([
    ...[1, 2, 3].map((payload) => bus.request({ ...ask, payload })),
    bus.request({ ...ask, session_id: 'ses_b', payload: 4 }),
  ]);
  await settled();
  gate.resolve(0);
  expect((await answers).map(({ payload }) => payload)).toEqual([1, 2, 3, 4]);
  expect(calls.sort()).toEqual([1, 3]);
  expect(bus.statistics().batched).toBe(3);
});

test('a hop tells who, when, how long, which tier and at what cost', async () => {
  const { open } = busWorld();
  const bus = open();
  const hops = watched(bus);
  bus.listen({
    agent: 'librarian',
    respond: async (_message, { note }) => note({ tier: 'rules', cost: 0.25 }),
  });
  for (let at = 0; at < 5; at++) await bus.request({ ...ask, id: `q${at}` });
  expect(hops.map(({ message_id }) => message_id)).toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
  expect(hops[0]).toMatchObject({ tier: 'rules', cost: 0.25, waited_ms: 0, ran_ms: 0, status: 'done' });
  expect(bus.statistics()).toMatchObject({ by_tier: { rules: 5 }, cost: 1.25 });
});

test('a hop says how long its message waited for the agent and how long the agent took', async () => {
  const { open, time } = busWorld();
  const bus = open();
  const hops = watched(bus);
  const gates = [held(), held()];
  let calls = 0;
  bus.listen({ agent: 'librarian', concurrency: 1, respond: () => gates[calls++]!.promise });
  await bus.send({ ...ask, id: 'first' });
  await bus.send({ ...ask, id: 'second' });
  await time.advance(1000);
  gates[0]!.resolve(1);
  await time.advance(200);
  gates[1]!.resolve(2);
  await settled();
  expect(hops).toMatchObject([
    { message_id: 'first', waited_ms: 0, ran_ms: 1000 },
    { message_id: 'second', waited_ms: 1000, ran_ms: 200 },
  ]);
});

test('a secret in a durable message is neither kept nor delivered', async () => {
  const { open } = busWorld();
  const bus = open();
  const got: unknown[] = [];
  bus.listen({ agent: 'archivalist', respond: async ({ payload }) => void got.push(payload) });
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  await bus.request({ ...store, payload: { content: `key ${secret}` } });
  expect(JSON.stringify(got)).not.toContain(secret);
});

test('a message to an agent that does not run expires, by its own time or after a week, and says so', async () => {
  const { open, messages, time } = busWorld();
  const bus = open();
  await bus.send({ ...store, id: 'm1', ttl: 5000 });
  await bus.send({ ...store, id: 'm2' });
  await time.advance(6000);
  const expired = { message: { status: 'expired', error: 'no agent took it in time' } };
  expect(await bus.find('m1')).toMatchObject(expired);
  expect(await bus.stored()).toMatchObject([
    { target: 'archivalist', status: 'expired', count: 1 },
    { target: 'archivalist', status: 'queued', count: 1 },
  ]);
  await time.advance(8 * 86_400_000);
  await bus.recover();
  expect(await messages.pendingOf('ses_a')).toEqual([]);
  expect(await messages.find('m2')).toMatchObject(expired);
  let got = 0;
  bus.listen({ agent: 'archivalist', respond: async () => ++got });
  await bus.recover();
  await bus.idle();
  expect(got).toBe(0);
});

test('a sender gets the reply with the receipt, or the reason why there is none', async () => {
  const { open } = busWorld();
  const bus = open();
  bus.listen({ agent: 'archivalist', respond: async ({ payload }) => ({ kept: payload }) });
  bus.listen({
    agent: 'librarian',
    respond: async () => {
      throw new SylkError('VALIDATION_ERROR', 'Nothing is asked.');
    },
  });
  expect(await bus.exchange({ ...store, id: 'm1' })).toMatchObject({
    status: 'done',
    reply: { kept: { content: 'x' } },
  });
  expect(await bus.find('m1')).toMatchObject({ reply: { kept: { content: 'x' } } });
  expect(await bus.exchange({ ...ask, id: 'q1' })).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Nothing is asked.'),
  });
  const waiting = await bus.exchange({ ...store, target: 'engineer', type: 'TASK_DISPATCH', id: 'm3' });
  expect(waiting).toMatchObject({ status: 'queued', expires_at: expect.any(String) });
  expect(waiting).not.toHaveProperty('reply');
});
