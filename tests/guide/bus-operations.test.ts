import { expect, test } from 'vitest';
import { watched } from '../support/bus.ts';
import { conversations } from '../support/memory.ts';

interface Taken {
  id: string;
  status: string;
  target: string;
  durable: boolean;
  session_id: string;
}

test('a stored message becomes one entry of the chronicle, however often it is sent under its id', async () => {
  const { agent } = conversations();
  const { call, app } = agent('coder');
  const hops = watched(await (await app.guide()).bus());
  const message = {
    type: 'STORE_SUMMARY',
    id: 'once',
    payload: { content: 'Prices are kept in cents.', category: 'decision' },
  };
  expect(await call<Taken>('send_message', message)).toMatchObject({ target: 'archivalist', durable: true });
  expect(await call<Taken>('send_message', message)).toMatchObject({ id: 'once', status: 'done' });
  const found = await call<{ total: number }>('search_history', { query: 'prices cents' });
  expect(found.total).toBe(1);
  expect(hops.filter(({ message_id }) => message_id === 'once')).toMatchObject([
    { target: 'archivalist', status: 'done' },
  ]);
});

test('a session is suspended by a message, refuses by name and state, and is resumed by one', async () => {
  const { agent } = conversations();
  const { call } = agent('coder');
  await call('create_session', { name: 'a named one' });
  const { session_id } = await call<Taken>('send_message', { type: 'STORE_REQUEST', payload: 'a note' });
  await call('send_message', { type: 'SESSION_SUSPEND', session: session_id, payload: {} });
  await expect(
    call('send_message', { type: 'STORE_REQUEST', session: session_id, payload: 'later' }),
  ).rejects.toThrow(/is not active \(state: suspended\)/);
  await call('send_message', { type: 'SESSION_RESUME', session: session_id, payload: {} });
  await call('send_message', { type: 'STORE_REQUEST', session: session_id, payload: 'again' });
});

test('a message that cannot be stored is a dead letter of its session only, and says why', async () => {
  const { agent, person } = conversations();
  const mine = agent('coder');
  const { id } = await mine.call<Taken>('send_message', { type: 'STORE_REQUEST', payload: { nothing: 1 } });
  const list = { messages: [{ id, status: 'dead', error: expect.stringContaining('VALIDATION_ERROR') }] };
  expect(await mine.call('list_dead_letters')).toMatchObject(list);
  expect(await person().call('list_dead_letters')).toMatchObject(list);
  const other = agent('stranger');
  expect(await other.call('list_dead_letters')).toMatchObject({ messages: [], total: 0 });
  await expect(other.call('replay_dead_letter', { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(other.call('send_message', { type: 'DAG_EXECUTE', payload: {} })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    hint: expect.stringContaining('agents'),
  });
});

test('messages that wait are part of a snapshot of their session', async () => {
  const { agent } = conversations();
  const { call, app } = agent('coder');
  const { session_id } = await call<Taken>('send_message', {
    type: 'TASK_DISPATCH',
    id: 'task',
    payload: { task: 'limit attempts' },
  });
  const { snapshot_id } = await call<{ snapshot_id: string }>('snapshot_session', { id: session_id });
  const { sessions } = await app.memory();
  expect((await sessions.snapshots.get(snapshot_id)).pending_messages).toMatchObject([
    { id: 'task', type: 'TASK_DISPATCH', status: 'queued', target: 'engineer' },
  ]);
});
