import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { busWorld, settled } from '../../../tests/support/bus.ts';
import {
  isDurable,
  type Message,
  messageSchema,
  messageTypeAliases,
  messageTypes,
  typeRow,
} from '../../stores/messages/index.ts';
import { roles } from './session-access.ts';

const listed = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'fixtures', 'guide', 'message-types.txt'),
  'utf8',
)
  .trim()
  .split('\n');

test('the types of messages are those of the design: the list, the pipeline, the hand-over and the flow patterns', () => {
  expect([...messageTypes, ...Object.keys(messageTypeAliases)].sort()).toEqual([...listed].sort());
});

test('every type constructs, validates, is routed to its agent and arrives as a whole envelope', async () => {
  const { open, sessions } = busWorld();
  const bus = open();
  const arrived = new Map<string, Message>();
  for (const agent of roles.filter((role) => role !== 'client'))
    bus.listen({ agent, respond: async (message) => void arrived.set(message.id, message) });
  for (const name of listed) {
    const type = messageTypeAliases[name] ?? (name as Message['type']);
    const { to, states, sessionless } = typeRow(type);
    sessions.set(`ses_${name}`, { id: `ses_${name}`, name, state: states?.[0] ?? 'active', agents: [] });
    const receipt = await bus.send({
      id: name,
      type: name as Message['type'],
      source: 'orchestrator',
      session_id: sessionless ? '' : `ses_${name}`,
      payload: { of: name },
      deadline: '2026-01-02T00:00:00Z',
      ttl: 60_000,
      max_attempts: 2,
      priority: 'high',
      correlation_id: 'c',
      parent_id: 'p',
      metadata: { pipeline_id: 'pipe_1' },
      ...(to === 'sender' ? { target: 'designer' } : {}),
    });
    expect(receipt.target).toBe(to === 'sender' ? 'designer' : to === 'guide' ? 'librarian' : to);
    expect(receipt.durable).toBe(isDurable(type));
  }
  await settled();
  await bus.idle();
  expect(listed.filter((name) => !arrived.has(name))).toEqual([]);
  for (const name of listed) {
    const message = messageSchema.parse(arrived.get(name));
    expect(Object.keys(message).sort()).toEqual(
      [
        ...[
          'attempt',
          'correlation_id',
          'deadline',
          'id',
          'max_attempts',
          'metadata',
          'parent_id',
          'payload',
        ],
        ...[
          'priority',
          'processed_at',
          'session_id',
          'source',
          'status',
          'target',
          'timestamp',
          'ttl',
          'type',
        ],
      ].sort(),
    );
    expect(message).toMatchObject({ type: messageTypeAliases[name] ?? name, status: 'done', attempt: 1 });
  }
});

test('only what stores, decides, changes a session or carries a task is durable', () => {
  const durable = messageTypes.filter(isDurable);
  expect(
    durable.filter(
      (type) =>
        !/STORE|APPROVED|MODIFIED|OVERRIDE|IGNORE|SESSION|TASK|PIPELINE|HANDOFF|STARTED|CLOSE_NOW/.test(type),
    ),
  ).toEqual([]);
  expect(durable).toEqual(
    expect.arrayContaining(['STORE_REQUEST', 'PLAN_APPROVED', 'SESSION_SUSPEND', 'TASK_DISPATCH']),
  );
  expect(messageTypes.filter((type) => /_REQUEST$|_RESPONSE$/.test(type) && isDurable(type))).toEqual([
    'STORE_REQUEST',
    'HANDOFF_REQUEST',
  ]);
});

test('what agents of a pipeline say to each other is refused without the pipeline', async () => {
  const { open } = busWorld();
  const bus = open();
  for (const agent of ['engineer', 'orchestrator']) bus.listen({ agent, respond: async () => undefined });
  const inside = ['INSPECTOR_FEEDBACK', 'TESTER_FEEDBACK', 'PIPELINE_COMPLETE', 'PIPELINE_FAILED'] as const;
  for (const type of inside) {
    const message = { type, source: 'inspector', session_id: 'ses_a', payload: {} };
    await expect(bus.send(message), type).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await bus.send({ ...message, metadata: { pipeline_id: 'pipe_1' } });
  }
});

test('results of inspections and tests go to the Architect, and the person gets a copy', async () => {
  const { open } = busWorld();
  const bus = open();
  const got: string[] = [];
  for (const agent of ['architect', 'user'])
    bus.listen({ agent, respond: async ({ type }) => void got.push(`${agent} ${type}`) });
  await bus.send({ type: 'TEST_RESULTS', source: 'tester', session_id: 'ses_a', payload: {} });
  await bus.send({ type: 'VALIDATION_FULL' as never, source: 'inspector', session_id: 'ses_a', payload: {} });
  await settled();
  expect(got.sort()).toEqual([
    'architect INSPECTION_RESULTS',
    'architect TEST_RESULTS',
    'user INSPECTION_RESULTS',
    'user TEST_RESULTS',
  ]);
});
