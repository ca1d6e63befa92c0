import { describe, expect, test } from 'vitest';
import { loadTokenCounter } from '../../src/base/tokens.ts';
import { categories } from '../../src/stores/chronicle/index.ts';
import { conversations } from '../support/memory.ts';

interface Stored {
  result: string;
  node_id: string;
  conflicts_with: string[];
  entry: {
    id: string;
    category: string;
    tags: string[];
    promoted: boolean;
    promoted_by: string;
    superseded_by: string | null;
  };
}
interface Found {
  entries: Array<{ id: string; content: string; title: string; category: string; promoted: boolean }>;
  total: number;
}

describe('categories', () => {
  test.each(categories)('%s is stored and found again by its name', async (category) => {
    const one = conversations().agent('client');
    await one.call('store_entry', { content: `something about ${category} and walnuts`, category });
    const { entries } = await one.call<Found>('search_history', { query: 'walnut', categories: [category] });
    expect(entries).toHaveLength(1);
  });

  test.each([
    ['task_completion', 'timeline'],
    ['decision', 'decision'],
    ['failure', 'failure'],
    ['pattern', 'pattern'],
    ['refactoring', 'timeline'],
    ['bug_fix', 'timeline'],
    ['feature', 'timeline'],
  ])('store_summary of type %s becomes %s and keeps its type as a tag', async (summary_type, category) => {
    const one = conversations().agent('client');
    const stored = await one.call<Stored>('store_summary', {
      content: 'did it',
      summary_type,
      code_references: ['src/index.ts'],
    });
    expect([stored.entry.category, stored.entry.tags]).toEqual([category, [summary_type]]);
    expect(await one.call('get_code_for_history', { history_id: stored.node_id })).toMatchObject({
      code: [{ ref: 'file:src/index.ts' }],
    });
  });
});

describe('submission results', () => {
  test('new is accepted, the same again is merged, another decision on the same subject is conflicting', async () => {
    const one = conversations().agent('client');
    const first = await one.call<Stored>('store_entry', {
      category: 'decision',
      title: 'token store',
      content: 'Tokens live in Redis.',
    });
    const again = await one.call<Stored>('store_entry', {
      category: 'decision',
      title: 'token store',
      content: 'tokens live in  Redis.',
      tags: ['auth'],
    });
    const other = await one.call<Stored>('store_entry', {
      category: 'decision',
      title: 'The token store',
      content: 'Tokens live in memory.',
    });
    expect([first.result, again.result, other.result]).toEqual(['accepted', 'merged', 'conflicting']);
    expect(again.node_id).toBe(first.node_id);
    expect(other.conflicts_with).toEqual([first.node_id]);
    const { conflicts } = await one.call<{ conflicts: Array<{ id: string; left: string }> }>(
      'list_entry_conflicts',
    );
    expect(conflicts).toHaveLength(1);
    const keep = conflicts[0]!.left === `entry:${first.node_id}` ? 'keep_right' : 'keep_left';
    await one.call('conflict_resolution', { id: conflicts[0]!.id, answer: keep, reason: 'agreed' });
    const { entries } = await one.call<Found>('get_decisions', { query: 'token' });
    expect(entries.map((entry) => entry.id)).toEqual([other.node_id]);
    await expect(
      one.call('resolve_entry_conflict', { id: conflicts[0]!.id, answer: keep, reason: 'again' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('supersession hides the old entry and keeps it reachable', async () => {
    const one = conversations().agent('client');
    const old = await one.call<Stored>('store_entry', {
      category: 'decision',
      content: 'Use callbacks for loading.',
    });
    await one.call('store_entry', {
      category: 'decision',
      content: 'Use promises for loading.',
      supersedes: old.node_id,
    });
    expect((await one.call<Found>('search_history', { query: 'loading' })).total).toBe(1);
    expect(
      (await one.call<Found>('search_history', { query: 'loading', include_superseded: true })).total,
    ).toBe(2);
  });
});

describe('Cross-Session Queries', () => {
  async function world() {
    const { agent, person, clock } = conversations();
    const [a, b] = [agent('a'), agent('b')];
    for (const each of [a, b]) await each.call('create_session', { name: 'private' });
    const mine = await a.call<Stored>('store_entry', {
      category: 'decision',
      title: 'cache',
      content: 'cache walnuts for an hour',
      tags: ['storage'],
    });
    clock.advance(86_400_000);
    const theirs = await b.call<Stored>('store_entry', {
      category: 'failure',
      summary_type: 'bug_fix',
      code_references: ['file:src/retry.ts'],
      title: 'retry',
      content: 'walnuts were retried for ever',
      resolution: 'three times',
    });
    return { a, b, person: person(), mine, theirs, clock };
  }
  const ids = (found: Found) => found.entries.map((entry) => entry.id);

  test('a named session sees its own entries and promoted ones', async () => {
    const { a, b, person, mine, theirs } = await world();
    expect(ids(await a.call<Found>('search_history', { query: 'walnuts' }))).toEqual([mine.node_id]);
    await person.call('promote', { id: theirs.node_id });
    expect(ids(await a.call<Found>('search_history', { query: 'walnuts' })).sort()).toEqual(
      [mine.node_id, theirs.node_id].sort(),
    );
    expect(ids(await b.call<Found>('search_history', { query: 'walnuts' }))).toEqual([theirs.node_id]);
  });

  test('cross_session never widens an agent to private entries; a person sees all', async () => {
    const { a, person, mine } = await world();
    expect(ids(await a.call<Found>('search_history', { query: 'walnuts', cross_session: true }))).toEqual([
      mine.node_id,
    ]);
    expect(
      (await person.call<Found>('search_history', { query: 'walnuts', cross_session: true })).total,
    ).toBe(2);
  });

  /** One entry of each side answers; `both` where the filter lets everything through. */
  const filters: Array<
    [name: string, filter: (session: string) => object, found: 'mine' | 'theirs' | 'both']
  > = [
    ['session_ids', (session) => ({ session_ids: [session] }), 'mine'],
    ['exclude_sessions', (session) => ({ exclude_sessions: [session] }), 'theirs'],
    ['exclude_current', () => ({ exclude_current: 'true' }), 'theirs'],
    ['current_only', () => ({ current_only: true }), 'mine'],
    ['cross_session', () => ({ cross_session: true }), 'both'],
    ['promoted_only', () => ({ promoted_only: true }), 'theirs'],
    ['sources', () => ({ sources: ['b'] }), 'theirs'],
    ['since', () => ({ since: '12h' }), 'theirs'],
    ['since as RFC 3339', () => ({ since: '2026-01-01T12:00:00Z' }), 'theirs'],
    ['until', () => ({ until: '2026-01-01T12:00:00Z' }), 'mine'],
    ['category', () => ({ category: 'failure' }), 'theirs'],
    ['categories', () => ({ categories: ['decision', 'insight'] }), 'mine'],
    ['summary_type', () => ({ summary_type: 'bug_fix' }), 'theirs'],
    ['tags', () => ({ tags: 'storage' }), 'mine'],
    ['ref', () => ({ ref: 'file:src/retry.ts' }), 'theirs'],
    ['search_text', () => ({ query: undefined, search_text: 'retried' }), 'theirs'],
    ['search', () => ({ query: undefined, search: 'hour' }), 'mine'],
  ];
  test.each(filters)('the filter %s finds what it names and nothing else', async (_name, filter, found) => {
    const { a, person, mine, theirs } = await world();
    await person.call('promote', { id: theirs.node_id });
    const { session } = await a.call<{ session: { id: string } }>('get_session');
    const answer = await a.call<Found>('search_history', { query: 'walnuts', ...filter(session.id) });
    const wanted = { mine: [mine.node_id], theirs: [theirs.node_id], both: [mine.node_id, theirs.node_id] };
    expect(ids(answer).sort()).toEqual(wanted[found].sort());
  });

  test('the filter limit bounds an answer, and a moment that is none is refused', async () => {
    const { a, person, theirs } = await world();
    await person.call('promote', { id: theirs.node_id });
    const answer = await a.call<Found>('search_history', { query: 'walnuts', limit: 1 });
    expect([answer.entries.length, answer.total]).toEqual([1, 2]);
    await expect(a.call('search_history', { since: 'soon' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  test('find_failures with resolved_only gives those with a solution; find_patterns counts', async () => {
    const { b, theirs } = await world();
    expect(ids(await b.call<Found>('find_failures', { query: 'walnuts', resolved_only: true }))).toEqual([
      theirs.node_id,
    ]);
    for (const example of ['one', 'two'])
      await b.call('record_pattern', {
        category: 'errors',
        name: 'wrap errors',
        pattern: `wrap errors with context ${example}`,
      });
    const { patterns } = await b.call<{ patterns: Array<{ name: string; occurrences: number }> }>(
      'find_patterns',
      { query: 'wrap errors' },
    );
    expect(patterns).toMatchObject([{ name: 'wrap errors', occurrences: 2 }]);
  });
});

describe('PROMOTION RULES', () => {
  test('session completes successfully: undisputed decisions and patterns that were verified, and failures, are shared; the rest is listed', async () => {
    const { agent, person } = conversations();
    const human = person('ada');
    await human.call('create_session', { name: 'x' });
    const verified = await human.call<Stored>('store_entry', {
      category: 'decision',
      content: 'ship on Fridays, never',
    });
    const { session } = await human.call<{ session: { id: string } }>('get_session');
    const done = await human.call<{ promoted: string[]; waiting: unknown[] }>('complete_session', {
      id: session.id,
    });
    expect(done).toMatchObject({ promoted: [verified.node_id], waiting: [] });
    const bot = agent('bot');
    await bot.call('create_session', { name: 'y' });
    const guess = await bot.call<Stored>('store_entry', {
      category: 'decision',
      content: 'rewrite it in another language',
    });
    const own = await bot.call<{ session: { id: string } }>('get_session');
    const ended = await bot.call<{ promoted: string[]; waiting: Array<{ id: string }> }>('complete_session', {
      id: own.session.id,
    });
    expect([ended.promoted, ended.waiting.map((entry) => entry.id)]).toEqual([[], [guess.node_id]]);
  });

  test('a person promotes explicitly; an agent cannot', async () => {
    const { agent, person } = conversations();
    const bot = agent('bot');
    await bot.call('create_session', { name: 'x' });
    const { node_id } = await bot.call<Stored>('store_entry', {
      category: 'pattern',
      content: 'early returns',
    });
    await expect(bot.call('promote', { id: node_id })).rejects.toMatchObject({ code: 'DENIED' });
    expect(await person().call('promote', { id: node_id })).toMatchObject({
      promoted: true,
      promoted_by: 'person: ada',
    });
  });

  test('an inspection approves', async () => {
    const { agent, person } = conversations();
    const bot = agent('bot');
    await bot.call('create_session', { name: 'x' });
    const { node_id } = await bot.call<Stored>('store_entry', {
      category: 'pattern',
      content: 'early returns',
    });
    expect(await person('inspector').call('approve_entry', { id: node_id })).toMatchObject({
      promoted: true,
      promoted_by: 'inspector: inspector',
    });
  });

  test('a pattern used successfully three times in two sessions is shared; failures and one session are not enough', async () => {
    const { agent, person } = conversations();
    const [one, two] = [agent('one'), agent('two')];
    for (const each of [one, two]) await each.call('create_session', { name: 'x' });
    const { node_id } = await one.call<Stored>('record_pattern', {
      category: 'x',
      name: 'early returns',
      pattern: 'return early',
    });
    await one.call('record_use', { id: node_id, success: false });
    for (let use = 0; use < 3; use++)
      expect(await one.call('record_use', { id: node_id })).toMatchObject({ promoted: false });
    await expect(two.call('record_use', { id: node_id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const human = person();
    await human.call('promote', { id: node_id });
    expect(await two.call('record_use', { id: node_id })).toMatchObject({ promoted: true });
    expect(await human.call('rollback_promotion', { id: node_id })).toMatchObject({ promoted: false });
    await expect(two.call('get_entry', { id: node_id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await one.call('record_use', { id: node_id })).toMatchObject({
      promoted: true,
      promoted_by: expect.stringContaining('used'),
    });
  });
});

describe('briefing', () => {
  test.each([
    ['micro', 200],
    ['standard', 1000],
    ['full', 4000],
  ])('%s stays within %i tokens however much is remembered', async (tier, limit) => {
    const one = conversations().agent('client');
    for (let n = 0; n < 40; n++)
      await one.call('store_entry', {
        category: n % 2 ? 'decision' : 'failure',
        content: `${n} ${'walnut carpet harbour '.repeat(30)}`,
      });
    const briefing = await one.call<{ text: string; tokens: number; left_out: number }>('get_briefing', {
      tier,
    });
    const count = await loadTokenCounter();
    expect(count(briefing.text)).toBeLessThanOrEqual(limit);
    expect(briefing.tokens).toBe(count(briefing.text));
    expect(briefing.text).toContain('## ');
  });

  test('the next conversation of a client knows what the one before decided and where it stopped', async () => {
    const { agent } = conversations();
    const one = agent('client');
    await one.call('store_entry', {
      category: 'decision',
      title: 'auth',
      content: 'JWT with refresh tokens, because mobile clients reconnect.',
    });
    await one.call('save_checkpoint', {
      summary: 'middleware done',
      completed: ['middleware'],
      next_steps: ['login handler'],
    });
    const { text } = await agent('client').call<{ text: string }>('get_briefing');
    expect(text).toContain('JWT with refresh tokens');
    expect(text).toContain('login handler');
  });
});

test('get_session_history tells a session in order, and include chooses decisions, tasks or failures', async () => {
  const { agent, clock } = conversations();
  const one = agent('client');
  for (const [category, content] of [
    ['decision', 'first'],
    ['failure', 'second'],
    ['task_state', 'third'],
  ]) {
    await one.call('store_entry', { category, content });
    clock.advance(1000);
  }
  const told = async (input: object) =>
    (await one.call<Found>('get_session_history', input)).entries.map(({ content }) => content);
  expect(await told({})).toEqual(['first', 'second', 'third']);
  expect(await told({ chronological: false })).toEqual(['third', 'second', 'first']);
  expect(await told({ include: 'decisions' })).toEqual(['first']);
  expect(await told({ include: 'failures' })).toEqual(['second']);
  expect(await told({ include: 'tasks' })).toEqual(['third']);
});

test('get_decisions finds decisions only', async () => {
  const one = conversations().agent('client');
  await one.call('store_entry', { category: 'decision', content: 'walnuts are cached' });
  await one.call('store_entry', { category: 'insight', content: 'walnuts are slow' });
  const { entries } = await one.call<Found>('get_decisions', { query: 'walnuts' });
  expect(entries.map(({ content }) => content)).toEqual(['walnuts are cached']);
});

test('get_code_for_history reads referenced_in, modified, created and deleted; of another session only what it references', async () => {
  const { agent, person } = conversations();
  const one = agent('client');
  const { node_id } = await one.call<Stored>('store_summary', {
    content: 'walnuts are cached',
    summary_type: 'feature',
    code_references: ['symbol:src/cache.ts#put'],
  });
  for (const operation of ['modified', 'created', 'deleted', 'read'])
    await one.call('record_file', { path: `src/${operation}.ts`, operation });
  const { code } = await one.call<{ code: object[] }>('get_code_for_history', { history_id: node_id });
  const referenced = { ref: 'symbol:src/cache.ts#put', relation: 'referenced_in' };
  expect(code).toHaveLength(4);
  for (const relation of ['modified', 'created', 'deleted'])
    expect(code).toContainEqual({ ref: `file:src/${relation}.ts`, relation });
  expect(code).toContainEqual(expect.objectContaining(referenced));
  await person().call('promote', { id: node_id });
  const other = await agent('other').call<{ code: object[] }>('get_code_for_history', {
    history_id: node_id,
  });
  expect(other.code).toEqual([expect.objectContaining(referenced)]);
});

test('forget leaves no trace of an entry, of what was derived from it, or of a session', async () => {
  const { agent, person, repository } = conversations();
  const one = agent('client');
  const source = await one.call<Stored>('store_entry', {
    content: 'pomegranate orchard',
    category: 'insight',
  });
  await one.call('store_entry', {
    content: 'pomegranate summary',
    category: 'insight',
    derived_from: [`entry:${source.node_id}`],
  });
  await one.call('store_entry', {
    content: 'pomegranate page',
    category: 'insight',
    derived_from: ['topic:fruit'],
  });
  await one.call('scratchpad_write', { key: 'k', note: 'pomegranate note' });
  const human = person();
  expect(await human.call('forget', { what: source.node_id })).toMatchObject({ entries: 2 });
  expect(await human.call('forget', { what: 'topic:fruit' })).toMatchObject({ entries: 1 });
  const { session } = await one.call<{ session: { id: string } }>('get_session');
  await human.call('forget', { what: session.id });
  await Promise.all([one.app.close(), human.app.close()]);
  const { execFileSync } = await import('node:child_process');
  const traces = execFileSync(
    'sh',
    ['-c', `cat ${repository.path}/.git/sylk/*.db* | grep -c -a pomegranate || true`],
    { encoding: 'utf8' },
  );
  expect(Number(traces)).toBe(0);
});

test('extract_facts reads statements off entries, each with its sentence', async () => {
  const one = conversations().agent('client');
  await one.call('store_entry', {
    content:
      'The login handler is defined in src/auth/session.ts. The shop uses Redis for tokens. We decided to use JWT instead of cookies because mobile clients reconnect.',
  });
  await one.call('store_entry', { content: 'Reviewed src/list.ts: keyed children are matched by skew.' });
  const { facts } = await one.call<{ facts: Array<{ kind: string; subject: string }> }>('extract_facts');
  expect(facts.map((fact) => fact.kind)).toEqual(['is', 'location', 'uses', 'decision', 'reason']);
  expect(facts[0]?.subject).toBe('keyed children');
});
