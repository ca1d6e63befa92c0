import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';
import { launcher } from '../support/program.ts';

interface Found {
  entries: Array<{ id: string; content: string; source: string }>;
}
interface Session {
  id: string;
  kind: string;
  state: string;
}
const approach = 'flush effects with requestAnimationFrame in a test';

describe('the main session is one memory for every client', () => {
  test.each(['decision', 'failure', 'pattern', 'insight', 'open_thread'])(
    'a %s written in the main session is found by every other client and the person at once, with its author',
    async (category) => {
      const { agent, person } = conversations();
      const content = 'walnuts are cached for an hour';
      await agent('claude-code').call('store_entry', { content, category, title: 'walnut cache' });
      for (const reader of [agent('codex'), agent('gemini'), person()]) {
        const { entries } = await reader.call<Found>('search_history', { query: 'walnuts' });
        expect(entries).toMatchObject([{ content, source: 'claude-code' }]);
        const { text } = await reader.call<{ text: string }>('get_briefing', { tier: 'full' });
        expect(text).toMatch(/\[agent claude-code, .*walnuts are cached/);
      }
    },
  );

  test('what is remembered without a category is shared, too, and the reply says so', async () => {
    const { agent, person } = conversations();
    const { entry } = await person().call<{ entry: { category: string; promoted: boolean } }>('store_entry', {
      content: 'walnuts are cached for an hour',
    });
    expect(entry).toMatchObject({ category: 'insight', promoted: true });
    const { entries } = await agent('codex').call<Found>('search_history', { query: 'walnuts' });
    expect(entries).toHaveLength(1);
  });

  test('an entry is corrected in its place: the new words keep its kind, title and files, and the old ones give way', async () => {
    const { person } = conversations();
    const ada = person();
    const { node_id } = await ada.call<{ node_id: string }>('store_entry', {
      content: 'walnuts are cached for an hour',
      category: 'decision',
      title: 'walnut cache',
      code_references: ['src/walnuts.ts'],
    });
    await ada.call('edit_entry', { id: node_id, content: 'walnuts are cached for a day' });
    const { entries } = await ada.call<{ entries: object[] }>('list_entries', {});
    expect(entries).toMatchObject([
      {
        title: 'walnut cache',
        category: 'decision',
        content: 'walnuts are cached for a day',
        refs: ['file:src/walnuts.ts'],
      },
    ]);
    const { linked } = await ada.call<{ linked: string[] }>('ask', { question: 'why are walnuts cached?' });
    expect(linked.join()).toContain('for a day');
    expect(linked.join()).not.toContain('for an hour');
  });

  test('what is deleted is named, and what was never there is an error', async () => {
    const { person } = conversations();
    const ada = person();
    const { node_id } = await ada.call<{ node_id: string }>('store_entry', {
      content: 'walnuts are cached for an hour',
      title: 'walnut cache',
    });
    expect(await ada.call('delete_entry', { id: node_id })).toMatchObject({
      entries: 1,
      titles: ['walnut cache'],
    });
    await expect(ada.call('delete_entry', { id: node_id })).rejects.toThrow('Nothing is remembered as');
    await expect(ada.call('forget', { what: 'ses_none' })).rejects.toThrow('Nothing is remembered as');
  });

  test.each(['general', 'timeline', 'task_state', 'hypothesis', 'user_voice'])(
    'a %s stays with its client until it is promoted, and the person sees it',
    async (category) => {
      const { agent, person } = conversations();
      const { node_id } = await agent('claude-code').call<{ node_id: string }>('store_entry', {
        content: 'walnuts are cached',
        category,
      });
      const found = async (reader: ReturnType<typeof agent>) =>
        (await reader.call<Found>('search_history', { query: 'walnuts' })).entries.length;
      expect([await found(agent('codex')), await found(person())]).toEqual([0, 1]);
      await person().call('promote', { id: node_id });
      expect(await found(agent('codex'))).toBe(1);
    },
  );

  test('"similar past failures" lists what was recorded, whoever asks, and says when nothing was', async () => {
    const { agent, person } = conversations();
    const asked = async (question: string) =>
      (await person().call<{ answer: string }>('ask', { question })).answer;
    expect(await asked('Similar past failures')).toContain('No failures or mistakes are recorded');
    const failure = { approach, reason: 'the frame never comes', resolution: 'call act' };
    await agent('codex').call('record_failure', failure);
    await agent('gemini').call('report_mistake', {
      pattern: 'walnuts in the cache',
      error: 'they rot',
      fix: 'freeze them',
    });
    const answer = await asked('Have we seen this error before?');
    expect(answer).toMatch(/\[1\] flush effects.*solved: call act.*\n\[2\] walnuts in the cache.*freeze/);
    expect(await asked('what failed before with effects')).not.toContain('walnuts');
  });

  test('notes, checkpoints and context of the main session stay with the client that wrote them', async () => {
    const { agent } = conversations();
    const one = agent('claude-code');
    await one.call('scratchpad_write', { key: 'a', note: 'walnuts' });
    await one.call('save_checkpoint', { summary: 'walnuts', completed: [], next_steps: [] });
    await one.call('update_session_context', { context: { current_task: 'walnuts' } });
    const other = agent('codex');
    expect(await other.call('scratchpad_read', { key: 'a' })).toEqual({ exists: false });
    expect(await other.call('resume_task', { task_id: 'latest' })).toMatchObject({ found: false });
    expect(JSON.stringify(await other.call('get_session'))).not.toContain('walnuts');
    expect(await one.call('resume_task', { task_id: 'latest' })).toMatchObject({ found: true });
  });

  test('it never suspends, completes, fails, closes or times out, and a switch moves only the caller', async () => {
    const { agent, person, clock } = conversations();
    const [one, two] = [agent('one'), agent('two')];
    await one.call('scratchpad_write', { key: 'a', note: 'b' });
    await two.call('scratchpad_write', { key: 'a', note: 'b' });
    const own = async (reader: typeof one) =>
      (await reader.call<{ session: Session }>('get_session')).session;
    const { id } = await own(one);
    for (const change of ['suspend', 'complete', 'fail', 'close'])
      await expect(one.call('update_session', { id, change })).rejects.toMatchObject({
        code: 'INVALID_OPERATION',
      });
    clock.advance(400 * 86_400_000);
    const { sessions } = await person().call<{ sessions: Session[] }>('list_sessions');
    expect(sessions.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['main active', 'main active']);
    await one.call('create_session', { name: 'a named one' });
    expect([(await own(one)).kind, (await own(two)).kind]).toEqual(['named', 'main']);
    await one.call('update_session', { id: 'main', change: 'switch' });
    expect(await own(one)).toMatchObject({ id, kind: 'main', state: 'active' });
  });

  test('what a named session decides stays there until the session is completed', async () => {
    const { agent, person } = conversations();
    const one = agent('claude-code');
    await one.call('create_session', { name: 'experiment' });
    await one.call('record_failure', {
      approach: 'Used requestAnimationFrame to flush effects in tests',
      reason: 'jsdom never paints',
      resolution: 'act()',
    });
    const found = async () =>
      (await agent('codex').call<Found>('search_history', { query: 'requestAnimationFrame' })).entries;
    expect(await found()).toEqual([]);
    expect(
      (await person().call<Found>('search_history', { query: 'requestAnimationFrame' })).entries,
    ).toHaveLength(1);
    await one.call('update_session', { change: 'complete' });
    expect(await found()).toHaveLength(1);
    expect(await agent('codex').call('check_mistakes', { approach })).toMatchObject({ known_issues: true });
  });

  test('first writes of five processes at once all succeed, in one session', async () => {
    const { repository, person } = conversations();
    const run = promisify(execFile);
    const write = (at: number) =>
      run(launcher(), ['memory', 'add', `walnut ${at}`, '--category', 'decision'], { cwd: repository.path });
    await Promise.all([1, 2, 3, 4, 5].map(write));
    const { sessions } = await person().call<{ sessions: Session[] }>('list_sessions');
    expect(sessions.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['main active']);
    const { entries } = await person().call<Found>('search_history', { query: 'walnut' });
    expect(entries).toHaveLength(5);
  });

  test('a refused first call after a completed session leaves one active session', async () => {
    const { agent, person } = conversations();
    const [one, two] = [agent('one'), agent('two')];
    await two.call('lock_files', { paths: ['a.ts'] });
    await one.call('create_session', { name: 'x' });
    await one.call('update_session', { change: 'complete' });
    await expect(one.call('lock_files', { paths: ['a.ts'] })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'a.ts is locked for write by two.',
      data: { client: 'two' },
    });
    await one.call('scratchpad_write', { key: 'a', note: 'b' });
    const { sessions } = await person().call<{ sessions: Session[] }>('list_sessions', { state: 'active' });
    expect(sessions).toHaveLength(2);
  });
});

describe('failures and mistakes warn', () => {
  test('a failure that was recorded a second ago is a known issue for every client', async () => {
    const { agent } = conversations();
    await agent('claude-code').call('record_failure', {
      approach: 'Used requestAnimationFrame to flush effects in tests',
      reason: 'jsdom never paints',
      resolution: 'act()',
    });
    expect(await agent('codex').call('check_mistakes', { approach })).toMatchObject({
      known_issues: true,
      safe_to_proceed: false,
      warnings: [{ fix: 'act()' }],
    });
    expect(await agent('codex').call('check_mistakes', { approach: 'draw the sky in blue' })).toMatchObject({
      known_issues: false,
      safe_to_proceed: true,
    });
  });

  test("a named session's words stay there when another reports the same mistake; the person's are kept in full", async () => {
    const { agent, person } = conversations();
    const one = agent('opencode');
    await one.call('create_session', { name: 'private' });
    const report = { error: 'agent error', fix: 'agent fix' };
    await one.call('report_mistake', { pattern: 'quokka storing api keys in localStorage', ...report });
    await person().call('report_mistake', {
      pattern: 'storing api keys in localStorage',
      error: 'person error',
      fix: 'person fix',
      context: 'person context',
    });
    const { warnings } = await agent('zed').call<{ warnings: unknown[] }>('check_mistakes', {
      approach: 'storing api keys in localStorage',
    });
    expect(warnings).toMatchObject([
      {
        pattern: 'storing api keys in localStorage',
        error: 'person error',
        fix: 'person fix',
        occurrences: 2,
      },
    ]);
    expect(JSON.stringify(warnings)).not.toMatch(/quokka|agent error/);
  });
});

test('the same sentence of two clients is one entry, and the person who repeats it confirms it', async () => {
  const { agent, person } = conversations();
  const entry = { content: 'Walnuts are cached for an hour.', category: 'decision', title: 'walnut cache' };
  const first = await agent('claude-code').call<{ node_id: string }>('store_entry', entry);
  const again = await agent('codex').call<{ node_id: string; result: string }>('store_entry', entry);
  expect(again).toMatchObject({ node_id: first.node_id, result: 'merged' });
  const confirmed = await person().call<{ entry: object }>('store_entry', entry);
  expect(confirmed.entry).toMatchObject({ source: 'claude-code', verification: 'by_user' });
});

test('a client that calls itself like the person gets neither their session nor what it keeps to itself', async () => {
  const { agent, person } = conversations();
  const ada = person('ada');
  await ada.call('create_session', { name: 'private' });
  await ada.call('store_entry', { content: 'a zebra that nobody else sees', category: 'decision' });
  await ada.call('scratchpad_write', { key: 'zebra', note: 'hidden' });
  for (const name of ['ada', 'person', 'person:ada', 'person:person:ada']) {
    const impostor = agent(name);
    expect((await impostor.call<Found>('search_history', { query: 'zebra' })).entries).toEqual([]);
    expect(await impostor.call('scratchpad_read', { key: 'zebra' })).toEqual({ exists: false });
  }
});
