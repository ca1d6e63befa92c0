import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionOptionKind } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { openEditor } from '../support/acp-editor.ts';
import { testRepository } from '../support/repository.ts';
import { sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const task = 'rename the flag --foo to --bar';
const call = (name: string, input: object) => ({ calls: [{ name, input }] });
const edit = call('edit_file', { path: 'cli.js', old_content: '--foo', new_content: '--bar' });
const complete = call('signal_complete', { result: 'Renamed it.' });

async function startWork(steps: object[], choice: PermissionOptionKind = 'allow_once') {
  const repository = testRepository();
  repository.commit('first', {
    'cli.js': "const on = process.argv.includes('--foo');\n",
    'package.json': '{"name":"tool","scripts":{"test":"node --test"}}\n',
    'cli.test.js': "require('node:test')('loads', () => require('./cli.js'));\n",
  });
  const home = temporaryDirectory('home');
  const script = join(home, 'script.json');
  writeFileSync(script, JSON.stringify({ conversations: [{ when: task, steps }] }));
  const env = { SYLK_HOME: join(home, 'sylk') };
  const words = ['--model', `script:${script}`];
  const editor = await openEditor(repository.path, words, env, { choose: () => choice });
  const { sessionId } = await editor.open();
  await editor.setMode(sessionId, 'work');
  const standing = (): Array<{ decision: string }> =>
    JSON.parse(sylk(repository.path, ['approvals', 'always', '--json'], { env }).out).permissions;
  return { editor, sessionId, repository, standing };
}

test('work is shown as plan, calls and diffs, and ends in a branch', async () => {
  const { editor, sessionId, repository } = await startWork([
    call('read_file', { path: 'cli.js' }),
    edit,
    complete,
  ]);
  expect(await editor.prompt(sessionId, task)).toEqual({ stopReason: 'end_turn' });
  const plans = editor.updates.flatMap((update) => (update.sessionUpdate === 'plan' ? [update.entries] : []));
  expect(plans[0]?.map(({ status }) => status)).toEqual(['in_progress', 'pending', 'pending', 'pending']);
  expect(plans.at(-1)?.every(({ status }) => status === 'completed')).toBe(true);
  const calls = editor.updates.flatMap((update) => (update.sessionUpdate === 'tool_call' ? [update] : []));
  expect(calls.find(({ kind }) => kind === 'edit')?.content).toEqual([
    { type: 'diff', path: 'cli.js', oldText: '--foo', newText: '--bar' },
  ]);
  const ended = editor.updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call_update' ? [update.toolCallId] : [],
  );
  expect(calls.map(({ toolCallId }) => toolCallId).every((id) => ended.includes(id))).toBe(true);
  const [, branch = ''] = /Branch (\S+) at/.exec(editor.said()) ?? [];
  expect(repository.git('show', `${branch}:cli.js`)).toContain('--bar');
  await editor.close();
}, 300_000);

test.each<[PermissionOptionKind, number, string[]]>([
  ['allow_once', 1, []],
  ['allow_always', 1, ['approved']],
  ['reject_once', 2, []],
  ['reject_always', 1, ['denied']],
])(
  'what the rules ask about is asked in the editor: with %s %i times for two calls, and kept as %j',
  async (choice, times, kept) => {
    const isAllowed = choice.startsWith('allow');
    const touch = call('run_command', { command: 'touch made-by-command.txt' });
    const { editor, sessionId, standing } = await startWork([touch, touch, { ...edit }, complete], choice);
    expect(await editor.prompt(sessionId, task)).toEqual({ stopReason: 'end_turn' });
    expect(editor.asked).toHaveLength(times);
    expect(editor.asked[0]).toContain('touch made-by-command.txt');
    const files = /Files: (.*)/.exec(editor.said())?.[1];
    expect(files).toBe(isAllowed ? 'cli.js, made-by-command.txt' : 'cli.js');
    await editor.close();
    expect(standing().map(({ decision }) => decision)).toEqual(kept);
  },
  300_000,
);

test('a cancel ends the turn as the protocol says, and what was done is kept', async () => {
  const { editor, sessionId } = await startWork([
    { ...edit },
    call('run_command', { command: 'touch never.txt' }),
    complete,
  ]);
  const turn = editor.prompt(sessionId, task);
  await editor.until((update) => update.sessionUpdate === 'tool_call' && update.kind === 'edit');
  await editor.cancel(sessionId);
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  expect(await editor.close()).toBe(0);
}, 300_000);
