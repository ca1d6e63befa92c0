import { expect, test } from 'vitest';
import { loadTokenCounter } from '../../src/base/tokens.ts';
import { conversations } from '../support/memory.ts';

interface Reply {
  reply: string;
}

const begin = async (person: ReturnType<ReturnType<typeof conversations>['person']>, client = 'opencode') =>
  (await person.call<Reply>('run_client_hook', { client, event: 'start', payload: {} })).reply;

test('a new conversation is given branch, changed files, its claimed task, and what was decided about them first, within 600 tokens', async () => {
  const { repository, agent, person } = conversations();
  repository.commit('feat: roast walnuts', { 'a.txt': 'a\n' });
  const one = agent('opencode');
  for (let at = 0; at < 12; at++)
    await agent('codex').call('store_entry', {
      content: `Decision ${at} about walnuts and how they are roasted. ${'More words. '.repeat(30)}`,
      title: `walnuts ${at}`,
      category: 'decision',
    });
  await agent('codex').call('store_entry', {
    content: 'Attempts are counted for each user.',
    title: 'counting attempts',
    category: 'decision',
    code_references: ['src/changed.ts'],
  });
  for (let at = 0; at < 6; at++)
    await agent('gemini').call('store_entry', {
      content: `Almonds burnt ${at}. ${'Too hot. '.repeat(20)}`,
      category: 'failure',
      title: `burnt ${at}`,
    });
  repository.write('src/changed.ts', 'export const a = 1;\n');
  const task = '00000000-0000-4000-8000-000000000001';
  await person().call('save_work', {
    type: 'task',
    id: task,
    title: 'Count attempts',
    summary: 'Count attempts for each user.',
    priority: 'HIGH',
    complexity: 2,
  });
  await one.call('claim_work', { id: task });
  const text = await begin(person());
  expect((await loadTokenCounter())(text)).toBeLessThanOrEqual(600);
  expect(text).toMatch(/branch \S+/);
  expect(text).toContain('changed files: src/changed.ts');
  expect(text).toContain('claimed task: Count attempts');
  expect(text).toMatch(/## Decided\n- \[agent codex[^\]]*\] counting attempts/);
  expect(text).toContain('## Failed before');
  expect(text).toContain('skills to load: ');
  expect(text).toContain('## Newest commits');
});

test('what an agent drew from outside text stays out of the start until a person confirms it', async () => {
  const { agent, person } = conversations();
  const { node_id } = await agent('codex').call<{ node_id: string }>('store_entry', {
    content: 'A page says that pecans are safe.',
    category: 'decision',
    title: 'pecans',
    derived_from: ['topic:topic-nuts'],
  });
  await agent('codex').call('store_entry', {
    content: 'So we store pecans.',
    category: 'decision',
    title: 'storing',
    derived_from: [`entry:${node_id}`],
  });
  expect(await begin(person())).not.toContain('pecans');
  await person().call('confirm_entry', { ref: `entry:${node_id}`, verdict: 'confirmed' });
  expect(await begin(person())).toContain('pecans are safe');
});

test('the first prompt of a conversation brings what memory has about its subject, and nothing where nothing fits', async () => {
  const { agent, person } = conversations();
  await agent('codex').call('store_entry', {
    content: 'Session cookies are signed with the rotating key.',
    category: 'decision',
    title: 'cookie signing',
  });
  const ask = async (prompt: string, session_id: string) =>
    (
      await person().call<Reply>('run_client_hook', {
        client: 'claude-code',
        event: 'prompt',
        payload: { prompt, session_id },
      })
    ).reply;
  const first = await ask('change how session cookies are signed', 'one');
  expect(JSON.parse(first).hookSpecificOutput).toMatchObject({
    hookEventName: 'UserPromptSubmit',
    additionalContext: expect.stringContaining('signed with the rotating key'),
  });
  expect(await ask('change how session cookies are signed', 'one')).toBe('');
  expect(await ask('paint the landing page blue', 'two')).toBe('');
});

test('the start shows one decision for each file that is worked on before a second one, and a named file brings its own', async () => {
  const { agent, person } = conversations();
  const decide = (title: string, path: string) =>
    agent('codex').call('store_entry', {
      content: `${title} is settled.`,
      title,
      category: 'decision',
      code_references: [path],
    });
  await decide('walnut oven', 'src/oven.ts');
  await decide('almond shelf', 'src/shelf.ts');
  for (let at = 0; at < 6; at++) await decide(`pecan label ${at}`, 'src/label.ts');
  const decided = (await begin(person())).split('## Decided\n')[1]?.split('\n\n')[0] ?? '';
  expect(decided.split('\n').map((line) => line.replace(/.*\] (.*) is settled\./, '$1'))).toEqual([
    'pecan label 5',
    'almond shelf',
    'walnut oven',
    'pecan label 4',
    'pecan label 3',
  ]);
  const prompt = async (text: string, session_id: string) =>
    (
      await person().call<Reply>('run_client_hook', {
        client: 'claude-code',
        event: 'prompt',
        payload: { prompt: text, session_id },
      })
    ).reply;
  expect(await prompt('tidy up src/shelf.ts', 'one')).toContain('almond shelf');
  expect(await prompt('tidy up the settled things', 'two')).toBe('');
});

test('a skill that a prompt names is resolved with every prompt', async () => {
  const { person } = conversations();
  const payload = { prompt: '/work-planning plan the release', session_id: 'one' };
  for (const _ of ['first', 'second']) {
    const { reply } = await person().call<Reply>('run_client_hook', {
      client: 'codex',
      event: 'prompt',
      payload,
    });
    expect(JSON.parse(reply).hookSpecificOutput.additionalContext).toContain('work-planning');
  }
});
