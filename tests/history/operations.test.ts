import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { sections } from '../../src/config.ts';
import { runOperation } from '../../src/operations/run.ts';
import { type TestRepository, testRepository } from '../support/repository.ts';

const person = { kind: 'person', name: 'test' } as const;

function open(repository: TestRepository): App {
  const app = openApp({ directory: repository.path });
  onTestFinished(() => app.close());
  return app;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into outputs of every shape
async function ask(app: App, name: string, input: object = {}, caller: object = person): Promise<any> {
  const outcome = await runOperation(app, { name, input, caller: caller as typeof person });
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message} · ${outcome.error.hint}`);
  return outcome.output;
}

function busyRepository(commits = 30) {
  const repository = testRepository();
  for (let at = 0; at < commits; at++) {
    repository.commit(`fix(auth): change ${at}`, {
      'src/auth/login.ts': String(at),
      [`src/auth/part${at % 3}.ts`]: String(at),
    });
  }
  return repository;
}

describe('operations of seed §3.4', () => {
  test('get_provenance: the newest 20, oldest first, with a total; the cursor goes back in time', async () => {
    const app = open(busyRepository());
    const first = await ask(app, 'get_provenance', { path: 'src/auth/login.ts' });
    const subjects = (reply: { commits: Array<{ message: string }> }) =>
      reply.commits.map((each) => each.message);
    expect(first.total).toBe(30);
    expect(subjects(first)).toEqual(Array.from({ length: 20 }, (_, at) => `fix(auth): change ${at + 10}`));
    const second = await ask(app, 'get_provenance', { path: 'src/auth/login.ts', cursor: first.next_cursor });
    expect(subjects(second)).toEqual(Array.from({ length: 10 }, (_, at) => `fix(auth): change ${at}`));
    expect(second.next_cursor).toBeUndefined();
    expect(Object.keys(JSON.parse(JSON.stringify(first.commits[0]))).sort()).toEqual([
      'author',
      'commit',
      'message',
      'tags_at_commit',
      'timestamp',
    ]);
  });

  test('get_provenance: a line is told with the commit that wrote it and its earlier shapes, the file by reasons', async () => {
    const repository = testRepository();
    repository.commit('Add login (#1)', { 'src/login.ts': 'one\ntwo\nlimit = 1\n' });
    repository.commit('fix: raise the limit (#2)\n\nThree tries were refused because of it.', {
      'src/login.ts': 'one\ntwo\nlimit = 3\n',
    });
    repository.commit('docs: explain', {
      'src/login.ts': '// why\none\ntwo\nlimit = 3\n',
      'docs/adr/1-limit.md': 'login.ts has a limit\n',
    });
    const app = open(repository);
    const why = await ask(app, 'get_provenance', { path: 'src/login.ts:4' });
    const subjects = (commits: Array<{ message: string }>) =>
      commits.map(({ message }) => message.split('\n')[0]);
    expect(why.line).toMatchObject({ number: 4, text: 'limit = 3', uncommitted: false });
    expect(subjects(why.line.commits)).toEqual(['fix: raise the limit (#2)', 'Add login (#1)']);
    expect(why.reasons).toMatchObject([
      { reason: 'documentation' },
      { reason: 'fix', issues: ['#2'] },
      { reason: 'feature', issues: ['#1'] },
    ]);
    expect(why.decisions).toEqual([{ ref: 'file:docs/adr/1-limit.md', title: 'docs/adr/1-limit.md' }]);
    const beyond = await runOperation(app, {
      name: 'get_provenance',
      input: { path: 'src/login.ts:99' },
      caller: person,
    });
    expect(beyond).toMatchObject({ ok: false, error: { code: 'NOT_FOUND', hint: 'The file has 4 lines.' } });
    const asked = await ask(app, 'ask', { question: 'why is src/login.ts:4 so' });
    expect(asked.citations.map(({ place }: { place: string }) => place)).toEqual([
      'fix: raise the limit (#2)',
      'Add login (#1)',
    ]);
    expect(asked.citations[0].reason).toContain('Three tries were refused because of it.');
  });

  test('list_artifacts: offset paging with total and next_offset; pages are full and meet without gaps', async () => {
    const repository = testRepository();
    repository.commit('x', Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`src/f${at}.ts`, '1'])));
    const app = open(repository);
    const seen: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const reply = await ask(app, 'list_artifacts', { limit: '10', offset });
      seen.push(...reply.artifacts.map((each: { path: string }) => each.path));
      expect(reply.total).toBe(25);
      offset = reply.next_offset;
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toHaveLength(25);
  });

  test('list_artifacts: alive and not ignored by default; source_only, include_ignored and include_deleted widen or narrow', async () => {
    const repository = testRepository();
    repository.commit('x', {
      'src/a.ts': '1',
      'b.ts': '1',
      'gone.ts': '1',
      'kept.log': '1',
      'lib/src/c.ts': '1',
    });
    repository.commit('y', { 'gone.ts': null, '.gitignore': '*.log\n' });
    const app = open(repository);
    const list = async (input: object) =>
      (await ask(app, 'list_artifacts', input)).artifacts.map((each: { path: string }) => each.path);
    expect(await list({})).toEqual(['.gitignore', 'b.ts', 'lib/src/c.ts', 'src/a.ts']);
    expect(await list({ source_only: 'true' })).toEqual(['lib/src/c.ts', 'src/a.ts']);
    expect(await list({ include_ignored: true })).toContain('kept.log');
    expect(await list({ include_deleted: true })).toContain('gone.ts');
  });

  test('get_artifact: content from git at HEAD or ref, five newest commits, tags; an old name leads to the new one', async () => {
    const repository = testRepository();
    const first = repository.commit('one', { 'src/auth/a.ts': 'first\n'.repeat(9) });
    for (let at = 0; at < 7; at++)
      repository.commit(`edit ${at}`, { 'src/auth/a.ts': `${'first\n'.repeat(9)}${at}\n` });
    repository.commit('move', { 'src/auth/a.ts': null, 'src/auth/b.ts': `${'first\n'.repeat(9)}6\n` });
    const app = open(repository);
    const now = await ask(app, 'get_artifact', { path: 'src/auth/a.ts' });
    expect(now).toMatchObject({
      moved_to: 'src/auth/b.ts',
      total_commits: 9,
      commits_truncated: true,
      tags: ['auth'],
    });
    expect(now.commits).toHaveLength(5);
    expect(now.content).toBe(`${'first\n'.repeat(9)}6\n`);
    const then = await ask(app, 'get_artifact', { path: 'src/auth/a.ts', ref: first });
    expect(then.content).toBe('first\n'.repeat(9));
    const outside = await runOperation(app, {
      name: 'get_artifact',
      input: { path: 'a', ref: '--upload-pack=x' },
      caller: person,
    });
    expect(outside.ok).toBe(false);
  });

  test('get_artifact pages long content by lines', async () => {
    const repository = testRepository();
    repository.commit('long', { a: Array.from({ length: 3000 }, (_, at) => `line ${at}`).join('\n') });
    const app = open(repository);
    let text = '';
    let cursor: string | undefined;
    do {
      const reply = await ask(app, 'get_artifact', { path: 'a', cursor });
      expect(reply.total_lines).toBe(3000);
      text += reply.content;
      cursor = reply.next_cursor;
    } while (cursor);
    expect(text.split('\n')).toHaveLength(3000);
  });

  test('get_cochange: count, jaccard and support both ways; bulk commits teach nothing; min_jaccard narrows', async () => {
    const repository = testRepository();
    repository.commit('bulk', Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}.ts`, '0'])));
    for (let at = 1; at <= 4; at++) repository.commit(`pair ${at}`, { 'f0.ts': `${at}`, 'f1.ts': `${at}` });
    repository.commit('once', { 'f0.ts': 'x', 'f2.ts': 'x' });
    const app = open(repository);
    const { cochanges } = await ask(app, 'get_cochange', { path: 'f0.ts', guesses: false });
    expect(cochanges.map((each: { path: string; count: number }) => [each.path, each.count])).toEqual([
      ['f1.ts', 4],
      ['f2.ts', 1],
    ]);
    expect(cochanges[0]).toMatchObject({
      jaccard: 0.5714,
      support: 0.6667,
      reverse_support: 0.8,
      total_commits: 5,
    });
    const strong = await ask(app, 'get_cochange', { path: 'f0.ts', min_jaccard: 0.5 });
    expect(strong.cochanges).toHaveLength(1);
  });

  test('get_cochange: bots and commits of .git-blame-ignore-revs count less', async () => {
    const repository = testRepository();
    repository.commit('start', { a: '0', b: '0', c: '0', d: '0' });
    for (let at = 1; at <= 3; at++) {
      repository.commit(
        `bump ${at}`,
        { a: `${at}`, b: `${at}` },
        { author: 'dependabot[bot] <bot@example.org>' },
      );
      repository.commit(`fix ${at}`, { a: `x${at}`, c: `${at}` });
    }
    const { cochanges } = await ask(open(repository), 'get_cochange', { path: 'a', guesses: false });
    expect(cochanges.map((each: { path: string }) => each.path).slice(0, 2)).toEqual(['c', 'b']);
  });

  test('get_commit: a branch, a tag and a commit before another name a commit; nothing else does', async () => {
    const repository = busyRepository(3);
    repository.git('tag', 'v1', 'HEAD~1');
    const app = open(repository);
    const messages = await Promise.all(
      ['main', 'HEAD~2', 'v1'].map(async (commit) => (await ask(app, 'get_commit', { commit })).message),
    );
    expect(messages).toEqual([2, 0, 1].map((at) => `fix(auth): change ${at}`));
    await expect(ask(app, 'get_commit', { commit: 'no-such' })).rejects.toThrow(
      'Unknown commit, branch or tag',
    );
    await expect(ask(app, 'get_commit', { commit: '--all' })).rejects.toThrow('Invalid revision');
  });

  test('get_commit: the files of a commit, with the names they have now (seed §7, reverse query)', async () => {
    const repository = testRepository();
    const sha = repository.commit('feat(auth)!: one\n\nwhy\n\nReviewed-by: Ada', { 'a.ts': 'x\n'.repeat(9) });
    repository.commit('move', { 'a.ts': null, 'b.ts': 'x\n'.repeat(9) });
    const found = await ask(open(repository), 'get_commit', { commit: sha.slice(0, 8) });
    expect(found).toMatchObject({ commit: sha, type: 'feat', scope: 'auth', breaking: true });
    expect(found.files).toEqual([{ path: 'a.ts', status: 'added', now: 'b.ts' }]);
    expect(found.trailers).toEqual([{ key: 'Reviewed-by', value: 'Ada' }]);
  });

  test('any string is a safe search', async () => {
    const app = open(busyRepository(3));
    const odd = [
      'rate-limiting',
      'AND',
      '"',
      "'; DROP TABLE commits; --",
      'NEAR(a b)',
      '*',
      '😀',
      'a'.repeat(10_000),
    ];
    for (const query of odd) expect(await ask(app, 'search', { query })).toHaveProperty('results');
    await expect(ask(app, 'search', { query: '\0' })).rejects.toThrow('NUL character');
    expect((await ask(app, 'search', { query: 'login' })).results[0].path).toBe('src/auth/login.ts');
  });

  test('search: the tag filter is applied before the search', async () => {
    const repository = testRepository();
    repository.commit('session handling', { 'src/auth/session.ts': '1', 'src/web/session.ts': '1' });
    const { results } = await ask(open(repository), 'search', { query: 'session', tags: 'web' });
    expect(results.map((each: { path: string }) => each.path)).toEqual(['src/web/session.ts']);
  });

  test('an unknown path is told with what was probably meant', async () => {
    const app = open(busyRepository(2));
    const outcome = await runOperation(app, {
      name: 'get_provenance',
      input: { path: 'src/login.ts' },
      caller: person,
    });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND', hint: 'Did you mean src/auth/login.ts?' },
    });
  });

  test('rebuilding is not for agents; every other question is', async () => {
    const app = open(busyRepository(2));
    const agent = { kind: 'agent', name: 'test' } as const;
    const outcome = await runOperation(app, { name: 'index_history', input: {}, caller: agent });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'DENIED' } });
    expect(await ask(app, 'list_tags', {}, agent)).toMatchObject({ freshness: 'fresh' });
  });

  test('get_repository_summary: counts, busiest areas, and what changed since last time', async () => {
    const repository = busyRepository(5);
    const app = open(repository);
    expect(await ask(app, 'get_repository_summary')).toMatchObject({
      commits: 5,
      artifacts_alive: 4,
      changes: { since: null },
    });
    repository.commit('feat: more', { 'src/web/x.ts': '1' });
    const again = await ask(app, 'get_repository_summary');
    expect(again.changes).toMatchObject({ commits: 1, files: expect.arrayContaining(['src/web/x.ts']) });
    expect(again.hottest[0]).toEqual({ area: 'src/auth', commits: 5 });
  });
});

describe('configuration (seed §5)', () => {
  test('defaults are those of the seed and its tool; every key has its class', () => {
    const keys = sections.history.keys;
    expect(Object.fromEntries(Object.entries(keys).map(([key, declared]) => [key, declared.class]))).toEqual({
      strip_prefixes: 'data',
      stop_tags: 'data',
      exclude: 'acting',
      snapshot_frequency: 'acting',
      bulk_cap: 'data',
      minimum_support: 'data',
      half_life_days: 'data',
      db_path: 'user',
    });
    const config = open(testRepository()).config.history;
    expect(config.strip_prefixes).toEqual(['src', 'lib', 'components', 'app', 'pages']);
    expect(config.snapshot_frequency).toBe(500);
    expect(config.bulk_cap).toBe(30);
    expect(config.exclude).toEqual(['node_modules/**', 'dist/**', '*.lock']);
  });

  test('.kiste.yaml is honoured, .sylk/config.yaml is stronger, and db_path is never taken from a repository', async () => {
    const repository = testRepository();
    repository.commit('x', { 'src/auth/web/a.ts': '1' });
    writeFileSync(
      join(repository.path, '.kiste.yaml'),
      'stop_tags: [auth]\nexclude: []\ndb_path: elsewhere.db\n',
    );
    const app = open(repository);
    expect((await ask(app, 'list_tags')).tags).toEqual([{ tag: 'web', count: 1 }]);
    expect((await app.history()).path).toBe(join(app.repository.state.directory, 'history.db'));
    expect(app.loadedConfig.warnings.join()).toMatch(/db_path is never read from a repository/);
    mkdirSync(join(repository.path, '.sylk'), { recursive: true });
    writeFileSync(join(repository.path, '.sylk', 'config.yaml'), 'history:\n  stop_tags: [web]\n');
    expect((await ask(open(repository), 'list_tags')).tags).toEqual([{ tag: 'auth', count: 1 }]);
  });
});

test('phase 3: what one agent committed tells the next one what its task will touch', async () => {
  const repository = busyRepository(3);
  const first = open(repository);
  await ask(first, 'get_repository_summary', {}, { kind: 'agent', name: 'first' });
  for (let at = 0; at < 3; at++) {
    repository.commit(`feat(limit): sliding window ${at}\n\ntags: rate-limiting`, {
      'src/limit/window.ts': `${at}`,
      'config/redis.yaml': `${at}`,
    });
  }
  const second = open(repository);
  const agent = { kind: 'agent', name: 'second' };
  const { touches } = await ask(
    second,
    'suggest_touches',
    { task: 'make the rate limiting window configurable' },
    agent,
  );
  const found = touches
    .map((each: { path: string }) => each.path)
    .slice(0, 2)
    .sort();
  // A search by name alone never finds the second file.
  expect(found).toEqual(['config/redis.yaml', 'src/limit/window.ts']);
});
