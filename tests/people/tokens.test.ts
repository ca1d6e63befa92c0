import { expect, test } from 'vitest';
import { teamServer } from '../support/team-server.ts';

test('stolen, expired, narrowed and replayed: a token opens what it was made for, as long as it holds', async () => {
  let at = Date.now();
  const team = await teamServer({ settings: ['team.calls_per_minute=40'], now: () => at });
  const ada = await team.join('Ada', 'reviewer');
  await team.people.add({ name: 'claude', kind: 'agent', person: 'Ada', by: 'test' });
  const make = async (input: object) =>
    JSON.parse((await team.call(ada, 'create_token', { label: 'x', ...input })).text) as {
      id: string;
      token: string;
    };
  const status = async (token: string | undefined, name: string, input: object = {}) =>
    (await team.call(token, name, input)).status;

  const narrow = await make({
    right: 'reader',
    operations: ['who_am_i', 'list_files', 'create_token', 'store_entry'],
  });
  expect(await status(narrow.token, 'who_am_i')).toBe(200);
  expect(await status(narrow.token, 'list_people')).toBe(403);
  expect(await status(narrow.token, 'store_entry', { content: 'x' })).toBe(403);
  // A narrow token makes no wider one.
  const child = JSON.parse((await team.call(narrow.token, 'create_token', { right: 'admin' })).text) as {
    token: string;
    right: string;
    operations: string[];
  };
  expect([child.right, child.operations.includes('list_people')]).toEqual(['reader', false]);
  expect(await status(child.token, 'list_people')).toBe(403);
  // An agent's token is nobody's signature.
  const agent = await make({ name: 'claude' });
  for (const name of ['approve', 'trust_repository', 'create_token', 'add_person'])
    expect(await status(agent.token, name, { name: 'x', approval_id: 'apr_0' }), name).toBe(403);
  expect((await team.send(agent.token, '/api/gesture', { operation: 'approve', input: {} })).status).toBe(
    403,
  );
  // A gesture of one token is worth nothing with another one, and nothing twice.
  const input = { approval_id: 'apr_0' };
  const { gesture } = JSON.parse(
    (await team.send(ada, '/api/gesture', { operation: 'approve', input })).text,
  ) as {
    gesture: string;
  };
  const other = await make({});
  const decide = (token: string) => team.send(token, '/api/approve', input, { 'x-sylk-gesture': gesture });
  expect((await decide(other.token)).status).toBe(403);
  expect((await decide(ada)).status).toBe(404);
  expect((await decide(ada)).status).toBe(409);
  // Ended: at once, and told like a token that never was.
  expect(await status(ada, 'revoke_token', { id: other.id })).toBe(200);
  const ended = await team.call(other.token, 'who_am_i');
  const never = await team.call(`sylk_000000000000_${'a'.repeat(43)}`, 'who_am_i');
  expect([ended.status, ended.text]).toEqual([401, never.text]);
  for (const twisted of [
    ada.replace('sylk_', 'sylk_0').slice(0, -1),
    ada.toUpperCase(),
    `${ada}=`,
    ada.slice(0, 30),
  ])
    expect(await status(twisted, 'who_am_i')).toBe(401);
  // In a URL or a cookie it opens nothing.
  expect((await team.send(undefined, `/api/who_am_i?token=${ada}&access_token=${ada}`)).status).toBe(401);
  expect((await team.send(undefined, '/api/who_am_i', {}, { cookie: `token=${ada}` })).status).toBe(401);
  // The token of the hub opens the hub, that of a reader fetches and does not push.
  expect(await status(team.hubToken(), 'who_am_i')).toBe(401);
  const refs = (token: string, service: string) =>
    team.send(token, `/git/hub.git/info/refs?service=${service}`, {}, { method: 'GET' });
  expect((await refs(narrow.token, 'git-receive-pack')).status).toBe(403);
  expect((await refs(ada, 'git-receive-pack')).status).toBe(200);
  // Too many calls are told when to come back, and harm nobody else.
  let last = 0;
  for (let call = 0; call < 45 && last !== 429; call++) last = await status(agent.token, 'who_am_i');
  expect(last).toBe(429);
  const told = await team.call(agent.token, 'who_am_i');
  expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0);
  at += 61_000;
  expect(await status(agent.token, 'who_am_i')).toBe(200);
});
