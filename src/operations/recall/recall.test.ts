import { expect, onTestFinished, test } from 'vitest';
import { fixtureRepository } from '../../../tests/support/fixture-repository.ts';
import { openApp } from '../../app.ts';
import { runOperation } from '../run.ts';

function shop(flags: string[] = []) {
  const repository = fixtureRepository();
  const app = openApp({ directory: repository.path, flags });
  onTestFinished(() => app.close());
  const call = async <T = Record<string, unknown>>(name: string, input: Record<string, unknown>) => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'test' } });
    if (!outcome.ok) throw Object.assign(new Error(outcome.error.message), outcome.error);
    return outcome.output as T;
  };
  return { repository, app, call };
}

interface Files {
  status: string;
  results: Array<{ path: string; tags: string[]; score: number }>;
  others?: Array<{ domain: string; ref: string }>;
  total: number;
  next_cursor?: string;
}

test('search ranks files by every signal, keeps tags and folders, and a page walk gives each file once', async () => {
  const { call } = shop();
  const all = await call<Files>('search', { query: 'rate limiting of logins' });
  expect(all.results[0]!.path).toBe('src/auth/rate-limit.ts');
  expect(all.results[0]!.tags).toContain('auth');
  const tagged = await call<Files>('search', { query: 'start session login', tags: 'auth' });
  expect(tagged.results.every((file) => file.tags.includes('auth'))).toBe(true);
  const below = await call<Files>('search', { query: 'start', path: 'docs' });
  expect(below.results.map((file) => file.path)).toEqual(['docs/start.md']);
  const walked: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call<Files>('search', {
      query: 'rate limiting of logins',
      limit: 2,
      ...(cursor ? { cursor } : {}),
    });
    walked.push(...page.results.map((file) => file.path));
    cursor = page.next_cursor;
    if (!cursor) break;
  }
  expect(walked).toEqual(all.results.map((file) => file.path));
});

test('with embedding.enabled off words answer, the reply says so, and no vector is made', async () => {
  const { call, app } = shop(['embedding.enabled=false']);
  const found = await call<Files & { notes: string[] }>('search', { query: 'rate limiting of logins' });
  expect(found.results[0]!.path).toBe('src/auth/rate-limit.ts');
  expect(found.notes).toEqual(['answered by words only: embedding.enabled is false']);
  const recall = await app.recall();
  expect(recall.meaning.space('code').state().count).toBe(0);
  expect(await recall.queue.run()).toMatchObject({ state: 'paused', problem: 'embedding.enabled is false' });
  await expect(call('similar', { ref: 'file:src/auth/rate-limit.ts' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    hint: expect.stringContaining('embedding.enabled'),
  });
});

test('a cursor of another question is refused', async () => {
  const { call } = shop();
  const { next_cursor } = await call<Files>('search', { query: 'session', limit: 1 });
  await expect(call('search', { query: 'other words', cursor: next_cursor })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});

test('search --in names domains, history means the chronicle, and an unknown domain is refused with the list', async () => {
  const { call } = shop();
  const found = await call<Files>('search', { query: 'locked out after a minute', in: 'commits' });
  expect(found.results).toEqual([]);
  expect(found.others![0]).toMatchObject({
    domain: 'commits',
    ref: expect.stringMatching(/^commit:[0-9a-f]{40}$/),
  });
  expect(await call('search_all', { query: 'session', domains: ['history'] })).toMatchObject({
    results: [{ domain: 'chronicle' }],
  });
  await expect(call('search', { query: 'x', in: 'planets' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    hint: expect.stringContaining('code, commits'),
  });
});

test('enough commits of the same words do not end a search before the code', async () => {
  const { call, repository } = shop();
  const filler = Array.from({ length: 30 }, (_, at) => `// line ${at} about something else entirely\n`).join(
    '',
  );
  repository.commit('add a till', { 'src/till.ts': `${filler}export const colour = 'red';\n` });
  for (let at = 0; at < 8; at++)
    repository.commit(`feat: colour of the till window ${at}`, { 'notes.txt': `${at}\n` });
  const { results } = await call<{ results: Array<{ domain: string; path?: string }> }>('smart_search', {
    query: 'colour of the till window',
  });
  expect(results.slice(0, 2)).toContainEqual(
    expect.objectContaining({ domain: 'code', path: 'src/till.ts' }),
  );
});

test('what was saved but not committed is found', async () => {
  const { call, repository } = shop();
  await call('search', { query: 'session' });
  repository.write('src/penguin.ts', 'export function waddle(): string {\n  return "penguin";\n}\n');
  // Files are looked at every two seconds, and a question waits for such a look a moment only.
  const first = async () => (await call<Files>('search', { query: 'waddle' })).results[0]?.path;
  await expect.poll(first, { interval: 200 }).toBe('src/penguin.ts');
});

test('search_code answers symbols, says where else to look, and what to do when nothing matches', async () => {
  const { call } = shop();
  const found = await call<{ status: string; results: Array<{ name: string }>; also_exists_in?: string[] }>(
    'search_code',
    { query: 'login' },
  );
  expect(found.results[0]!.name).toBe('login');
  const limit = await call<{ also_exists_in?: string[]; suggestions?: string[] }>('search_code', {
    query: 'rate limiting',
  });
  expect(limit).toMatchObject({ also_exists_in: ['commits'], suggestions: ['Related content in: commits'] });
  expect(await call('search_code', { query: 'zzzunknown' })).toMatchObject({
    status: 'no_matches',
    hint: expect.stringContaining('zzzunknown'),
  });
});

test('ask answers with numbered places, its level and what it cost', async () => {
  const { call } = shop();
  const answer = await call<{
    answer: string;
    level: number;
    citations: Array<{ n: number; place: string }>;
  }>('ask', { question: 'where do users log in?' });
  expect(answer.level).toBe(2);
  expect(answer.citations[0]!.place).toMatch(/^src\/auth\/session\.ts:/);
  expect(answer.answer).toContain('[1]');
  expect((await call<{ level: number }>('ask', { question: 'where do users log in?' })).level).toBe(1);
});

test('explain_ranking shows every signal with its weight, and refuses a file that nothing leads to', async () => {
  const { call } = shop();
  const explained = await call<{ explained: Array<{ path: string; position: number; parts: unknown[] }> }>(
    'explain_ranking',
    { query: 'rate limiting' },
  );
  expect(explained.explained[0]).toMatchObject({ position: 1, path: 'src/auth/rate-limit.ts' });
  expect(explained.explained[0]!.parts.length).toBeGreaterThan(2);
  await expect(call('explain_ranking', { query: 'rate limiting', file: 'nope.ts' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('signs without a letter find only the files that hold them', async () => {
  const { call } = shop();
  for (const query of ['   ', '"', '🚀'])
    expect(await call('search', { query })).toMatchObject({ status: 'no_matches', results: [] });
  expect(await call<{ results: unknown[] }>('search', { query: '()' })).toMatchObject({ status: 'ok' });
});

test('an agent may bring the index up to date, and only a person starts a rebuild', async () => {
  const { app, call } = shop();
  const caller = { kind: 'agent' as const, name: 'agent' };
  const asked = await runOperation(app, { name: 'index_repository', input: { rebuild: true }, caller });
  expect(asked).toMatchObject({ ok: false, error: { code: 'DENIED' } });
  expect(await runOperation(app, { name: 'index_repository', input: {}, caller })).toMatchObject({
    ok: true,
  });
  expect(await call('index_repository', { rebuild: true, only: 'code' })).toHaveProperty('items');
});

test('similar and find_similar_symbols compare by meaning and do not answer the thing itself', async () => {
  const { call } = shop();
  const files = await call<{ similar: Array<{ ref: string }> }>('similar', {
    ref: 'file:src/auth/session.ts',
    domains: 'code',
  });
  expect(files.similar.map((each) => each.ref)).not.toContain('file:src/auth/session.ts');
  expect(files.similar.length).toBeGreaterThan(0);
  const symbols = await call<{ similar: Array<{ ref: string; heading?: string }> }>('find_similar_symbols', {
    symbol_id: 'symbol:src/auth/session.ts#login',
  });
  expect(symbols.similar.length).toBeGreaterThan(0);
  expect(symbols.similar.every((each) => each.heading !== undefined)).toBe(true);
  expect(symbols.similar.map((each) => each.ref.split(':')[0])).toEqual(symbols.similar.map(() => 'symbol'));
  await expect(call('similar', { ref: 'planet:x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('without weights every search still answers by words and says so', async () => {
  const repository = fixtureRepository();
  const app = openApp({ directory: repository.path, flags: ['embedding.weights=/nowhere'] });
  onTestFinished(() => app.close());
  for (const [name, input] of [
    ['ask', { question: 'how do we limit attempts' }],
    ['search', { query: 'limit attempts of users' }],
    ['search_all', { query: 'limit attempts of users' }],
    ['smart_search', { query: 'limit attempts of users' }],
    ['search_code', { query: 'allow users attempts' }],
  ] as const) {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'test' } });
    expect(outcome.ok, JSON.stringify(outcome)).toBe(true);
    expect(JSON.stringify(outcome), name).toContain('no weights');
    expect(JSON.stringify(outcome), name).toContain('rate-limit.ts');
  }
});
