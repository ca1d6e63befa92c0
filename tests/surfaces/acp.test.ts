import { expect, test } from 'vitest';
import { openEditor } from '../support/acp-editor.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

function setUp() {
  const repository = testRepository();
  repository.commit('feat: cap retries', {
    'src/retry.js': 'export function retryLimit() {\n  return 3;\n}\n',
  });
  return { path: repository.path, env: { SYLK_HOME: temporaryDirectory('home') } };
}

test('an editor asks the Guide, and a later one lists the conversation and loads it', async () => {
  const { path, env } = setUp();
  const first = await openEditor(path, [], env);
  expect(first.info).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'sylk' },
    agentCapabilities: { loadSession: true },
  });
  const { sessionId, modes } = await first.open();
  expect(modes).toMatchObject({ currentModeId: 'ask' });
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(['ask', 'work']);
  expect(await first.prompt(sessionId, 'where is retryLimit?')).toEqual({ stopReason: 'end_turn' });
  expect(first.said()).toContain('src/retry.js');
  expect(await first.close()).toBe(0);

  const second = await openEditor(path, [], env);
  const { sessions } = await second.agent.request('session/list', {});
  expect(sessions.map((session) => session.sessionId)).toContain(sessionId);
  await second.agent.request('session/load', { sessionId, cwd: path, mcpServers: [] });
  expect(second.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    'user_message_chunk',
    'agent_message_chunk',
  ]);
  expect(second.said()).toContain('src/retry.js');
  expect(await second.prompt(sessionId, 'where is retryLimit?')).toEqual({ stopReason: 'end_turn' });
  expect(await second.close()).toBe(0);
}, 120_000);

test('what does not exist is an error of the protocol, and the connection goes on', async () => {
  const { path, env } = setUp();
  const editor = await openEditor(path, [], env);
  await expect(
    editor.agent.request('session/load', { sessionId: 'ses_none', cwd: path, mcpServers: [] }),
  ).rejects.toMatchObject({ code: -32002 });
  await expect(editor.prompt('ses_none', 'hello')).rejects.toMatchObject({ code: -32002 });
  const { sessionId } = await editor.open();
  await expect(editor.setMode(sessionId, 'dance')).rejects.toMatchObject({ code: -32602 });
  expect(await editor.prompt(sessionId, 'where is retryLimit?')).toEqual({ stopReason: 'end_turn' });
  await editor.close();
}, 120_000);

test('a conversation belongs to the repository that the editor names, and to no other', async () => {
  const { path, env } = setUp();
  const other = testRepository();
  other.commit('feat: cache', { 'src/cache.js': 'export function cacheSize() {\n  return 7;\n}\n' });
  const editor = await openEditor(path, [], env);
  const open = (cwd: string) => editor.agent.request('session/new', { cwd, mcpServers: [] });
  const { sessionId } = await open(other.path);
  await editor.prompt(sessionId, 'where is cacheSize?');
  expect(editor.said()).toContain('src/cache.js');
  const listed = await editor.agent.request('session/list', { cwd: path });
  expect(listed.sessions.map((session) => session.sessionId)).not.toContain(sessionId);
  for (const cwd of ['relative', temporaryDirectory('no-repository')])
    await expect(open(cwd)).rejects.toMatchObject({ code: -32602 });
  await editor.close();
}, 120_000);
