import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';
import { launcher } from '../support/program.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const hook = (words: string[], payload: unknown, cwd: string, env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(launcher(), ['hook', ...words], {
    cwd,
    input: typeof payload === 'string' ? payload : JSON.stringify(payload),
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
};

test('two conversations of one client: the second is told what the first decided', async () => {
  const { repository, agent } = conversations();
  const first = agent('claude-code');
  await first.call('store_entry', {
    content: 'Attempts are counted for each user, because one counter locked everybody out.',
    category: 'decision',
    title: 'counting attempts',
  });
  const cwd = repository.path;
  const ended = hook(['claude-code', 'end'], { session_id: 'one', cwd }, cwd);
  expect(ended).toEqual({ status: 0, stdout: '', stderr: '' });
  // The record is written by a process that the client need not wait for.
  const records = async () =>
    (await first.call<{ entries: unknown[] }>('search_history', { category: 'timeline' })).entries.length;
  await expect.poll(records, { interval: 200, timeout: 30_000 }).toBe(1);

  // A hook that is late says nothing, so that no client waits for it. Here it has the time of one that nobody waits for.
  const patient = { SYLK_HOOK_LEFT_BEHIND: '1' };
  const begun = hook(['claude-code', 'start'], { session_id: 'two', cwd, source: 'startup' }, cwd, patient);
  const { hookSpecificOutput } = JSON.parse(begun.stdout);
  expect(hookSpecificOutput.hookEventName).toBe('SessionStart');
  expect(hookSpecificOutput.additionalContext).toContain('one counter locked everybody out');
});

test('a turn that added nothing leaves no second record, and one that did replaces the first', async () => {
  const { agent, person } = conversations();
  const one = agent('codex-mcp-client');
  await one.call('store_entry', { content: 'first', category: 'insight', title: 'a' });
  const turn = () => person().call('run_client_hook', { client: 'codex', event: 'turn', payload: {} });
  const records = async () =>
    (await one.call<{ entries: unknown[] }>('search_history', { category: 'timeline' })).entries.length;
  await turn();
  await turn();
  expect(await records()).toBe(1);
  await one.call('store_entry', { content: 'second', category: 'insight', title: 'b' });
  await turn();
  expect(await records()).toBe(1);
});

test('a briefing of a hook keeps its limit of tokens and tells nothing of a named session', async () => {
  const { agent, person } = conversations();
  const other = agent('cursor');
  await other.call('create_session', { name: 'private' });
  for (let at = 0; at < 40; at++)
    await other.call('store_entry', { content: `canary ${at} ${'word '.repeat(50)}`, category: 'decision' });
  const { reply } = await person().call<{ reply: string }>('run_client_hook', {
    client: 'opencode',
    event: 'start',
    tier: 'micro',
  });
  expect(reply).not.toContain('canary');
  expect(reply.length).toBeLessThan(200 * 8);
});

test('a hook never fails its client: no repository, no JSON, no such client or moment', () => {
  const nowhere = temporaryDirectory('nowhere');
  for (const [words, payload] of [
    [['claude-code', 'start'], { session_id: 'x' }],
    [['claude-code', 'start'], { cwd: join(nowhere, 'gone') }],
    [['nobody', 'lunch'], 'no json'],
  ] as const)
    expect(hook([...words], payload, nowhere)).toEqual({ status: 0, stdout: '', stderr: '' });
});
