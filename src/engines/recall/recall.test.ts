import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeEmbedder, testRecall } from '../../../tests/support/recall.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import { searchAll } from './search-all.ts';
import { similarTo } from './similar.ts';
import { smartSearch } from './smart-search.ts';
import type { RecallSource } from './source.ts';

const files = {
  'src/auth/session.ts':
    'export function openSession(user) {\n  authenticate(user);\n  return { user };\n}\n\nexport function closeSession(session) {\n  session.user = undefined;\n}\n',
  'src/auth/guard.ts':
    'export function check(user) {\n  if (!openSession(user)) throw new Error("too many attempts!");\n  openSession(user); openSession(user); openSession(user);\n}\n',
  'src/net/again.ts': 'export function again(work, times) {\n  for (let n = 0; n < times; n++) work();\n}\n',
  'src/ui/palette.ts': 'export function paint(hue) {\n  return hue;\n}\n',
  'docs/start.md': '# Start\n\nRun the program and open the page.\n',
};

async function filled(own: Record<string, string> = files, options: Parameters<typeof testRecall>[1] = {}) {
  const made = testRecall(own, options);
  await made.recall.refreshAll();
  await made.queue.run();
  return made;
}

const order = async (recall: Awaited<ReturnType<typeof filled>>['recall'], text: string) => {
  const asked = await recall.question(text, true);
  return (await recall.rankDomain({ domain: 'code', ...asked, limit: 10 })).map((file) => file.owner);
};

it('a request to stop is heard while many files are cut, and what was written stays', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`src/m${at}.ts`, `export const m${at} = ${at};\n`]),
  );
  const { recall } = testRecall(many);
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  await expect(recall.refreshAll(stop.signal)).rejects.toThrow();
  const { owners } = recall.parts.passages.counts('code');
  expect([owners > 0, owners < 400]).toEqual([true, true]);
});

describe('names, strings and paths come first', () => {
  it('the file that defines a name stands before one that mentions it more often', async () => {
    const { recall } = await filled();
    expect((await order(recall, 'openSession'))[0]).toBe('src/auth/session.ts');
  });

  it('a quoted text is found letter by letter, with its marks', async () => {
    const { recall } = await filled();
    expect((await order(recall, '"too many attempts!"'))[0]).toBe('src/auth/guard.ts');
    expect((await order(recall, 'n < times; n++'))[0]).toBe('src/net/again.ts');
  });

  it('a path or the end of one is found as such', async () => {
    const { recall } = await filled();
    expect((await order(recall, 'ui/palette.ts'))[0]).toBe('src/ui/palette.ts');
    expect((await order(recall, 'guard.ts'))[0]).toBe('src/auth/guard.ts');
  });

  it('every defined name is the first answer to itself', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `src/m${at}.ts`,
        `export function handleThing${at}(x) {\n  return handleThing${(at + 1) % 30}(handleThing${(at + 2) % 30}(x));\n}\n`,
      ]),
    );
    const { recall } = await filled(many);
    for (let at = 0; at < 30; at++)
      expect((await order(recall, `handleThing${at}`))[0]).toBe(`src/m${at}.ts`);
  });
});

describe('meaning', () => {
  it('finds what shares no word with the question', async () => {
    const { recall } = await filled();
    expect((await order(recall, 'repeat it when broken'))[0]).toBe('src/net/again.ts');
    expect((await order(recall, 'which colour'))[0]).toBe('src/ui/palette.ts');
  });

  it('does not disturb an identifier', async () => {
    const own = { ...files, 'src/hue.ts': 'export function hue() {\n  return 1;\n}\n' };
    const { recall } = await filled(own);
    expect((await order(recall, 'hue'))[0]).toBe('src/hue.ts');
  });
});

describe('explanations', () => {
  it('the parts of a score add up to it', async () => {
    const { recall } = await filled();
    const asked = await recall.question('open a session', true);
    for (const file of await recall.rankDomain({ domain: 'code', ...asked, limit: 10 })) {
      const sum = file.parts.reduce((total, part) => total + part.points, 0);
      expect(Math.abs(sum - file.score)).toBeLessThan(0.01);
    }
  });

  it('a card says where, why and how far to trust it', async () => {
    const { recall } = await filled();
    const [code] = (await searchAll(recall, 'close the session', {})).results;
    expect(code!.results[0]).toMatchObject({
      ref: 'file:src/auth/session.ts',
      path: 'src/auth/session.ts',
      trust: 100,
      reason: expect.stringMatching(/./),
      lines: expect.stringMatching(/^\d+-\d+$/),
      snippet: expect.stringContaining('closeSession'),
    });
  });
});

describe('a source that another store registers', () => {
  const notes: Record<string, string> = { a: 'Sessions expire at midnight.', b: 'Bananas are yellow.' };
  const source: RecallSource = {
    name: 'notes',
    domain: 'chronicle',
    trust: 60,
    owners: () => Object.entries(notes).map(([owner, text]) => ({ owner, hash: text })),
    chunks: (owner) =>
      notes[owner]
        ? [{ path: '', startLine: 1, endLine: 1, heading: [], kind: 'prose', text: notes[owner] }]
        : undefined,
    text: (owner) => notes[owner],
    ref: (owner) => `entry:${owner}`,
    search: (text) => (/special/.test(text) ? [{ owner: 'b', signals: { starred: 1 } }] : []),
    freshness: () => ({ state: 'stale', detail: 'one behind' }),
  };

  it('takes part in every search, with signals of its own, its refs and its freshness', async () => {
    const made = testRecall(files);
    made.recall.register(source);
    await made.recall.refreshAll();
    const found = await searchAll(made.recall, 'when do sessions expire', {});
    const answer = found.results.find((each) => each.domain === 'chronicle')!;
    expect(answer.results[0]).toMatchObject({ ref: 'entry:a', trust: 60 });
    const asked = await made.recall.question('special things');
    const ranked = await made.recall.rankDomain({ domain: 'chronicle', ...asked, limit: 5 });
    expect(ranked.find((each) => each.owner === 'b')!.parts.map((part) => part.signal)).toContain('starred');
    expect(await made.recall.freshness()).toContainEqual({
      domain: 'chronicle',
      source: 'notes',
      state: 'stale',
      detail: 'one behind',
    });
  });

  it('that fails is a note in the answer, and the others still answer', async () => {
    const made = testRecall(files);
    made.recall.register({ ...source, search: () => Promise.reject(new Error('store is locked')) });
    await made.recall.refreshAll();
    const found = await searchAll(made.recall, 'open session', {});
    expect(found.notes.join()).toContain('notes did not answer');
    expect(found.results.find((each) => each.domain === 'code')!.results.length).toBeGreaterThan(0);
  });
});

describe('search_all (Multi-Domain Search)', () => {
  it('groups by domain with a status each, five results at most unless asked otherwise', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`src/f${at}.ts`, `export function session${at}() {}\n`]),
    );
    const { recall } = await filled(many);
    const found = await searchAll(recall, 'session files', {});
    expect(found.results.map((each) => [each.domain, each.status, each.results.length])).toEqual([
      ['code', 'ok', 5],
    ]);
    expect(
      (await searchAll(recall, 'session files', { limitPerDomain: 2 })).results[0]!.results,
    ).toHaveLength(2);
    expect((await searchAll(recall, 'zzzunknown qqqnothing', {})).results[0]!.status).toBe('no_matches');
  });

  it('stays within its tokens', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `src/f${at}.ts`,
        `export function session${at}() {\n  ${'const text = "session session"; '.repeat(20)}\n}\n`,
      ]),
    );
    const { recall } = await filled(long);
    const found = await searchAll(recall, 'session text', { limitPerDomain: 30, maxTokens: 600 });
    const count = await loadTokenCounter();
    expect(count(JSON.stringify(found.results[0]!.results))).toBeLessThanOrEqual(660);
  });
});

describe('smart_search (Smart Search with Budget Control)', () => {
  it('never exceeds the budget, says what it used, and stops sooner when asked to be quick', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `src/f${at}.ts`,
        `export function openSession${at}(user) {\n  return user;\n}\n`,
      ]),
    );
    const { recall } = await filled(many);
    const count = await loadTokenCounter();
    for (const tokenBudget of [150, 400, 1000, 3000]) {
      const reply = await smartSearch(recall, 'open session user', { tokenBudget, thoroughness: 'thorough' });
      expect(reply.tokens_used).toBeLessThanOrEqual(tokenBudget);
      expect(reply.tokens_used).toBe(
        reply.results.reduce((sum, card) => sum + count(JSON.stringify(card)), 0),
      );
      expect(reply.budget).toBe(tokenBudget);
    }
    const quick = await smartSearch(recall, 'open session user', {
      thoroughness: 'quick',
      tokenBudget: 3000,
    });
    const thorough = await smartSearch(recall, 'open session user', {
      thoroughness: 'thorough',
      tokenBudget: 3000,
    });
    expect(quick.results.length).toBeLessThan(thorough.results.length);
  });

  it('the budget is 1000 tokens unless said otherwise', async () => {
    const { recall } = await filled();
    expect((await smartSearch(recall, 'session')).budget).toBe(1000);
  });

  it('with no match says so, with a hint', async () => {
    const { recall } = await filled();
    expect(await smartSearch(recall, 'zzzunknown')).toMatchObject({
      status: 'no_matches',
      results: [],
      tokens_used: 0,
      hint: expect.stringContaining('zzzunknown'),
    });
  });

  it('names other domains that have something (Search with Inline Domain Hints)', async () => {
    const { recall } = await filled();
    const reply = await smartSearch(recall, 'open session', { domains: ['commits'] });
    expect(reply).toMatchObject({
      status: 'no_matches',
      also_exists_in: ['code'],
      suggestions: ['Related content in: code'],
    });
  });
});

describe('similar', () => {
  it('answers what is near in meaning, without the thing itself', async () => {
    const own = { ...files, 'src/ui/hues.ts': 'export function palette(colour) {\n  return colour;\n}\n' };
    const { recall } = await filled(own);
    const found = similarTo(recall, 'code', 'src/ui/palette.ts', { limit: 3 });
    expect(found[0]!.path).toBe('src/ui/hues.ts');
    expect(found.map((each) => each.path)).not.toContain('src/ui/palette.ts');
  });

  it('of something unknown is an error with a next step', async () => {
    const { recall } = await filled();
    expect(() => similarTo(recall, 'code', 'nope.ts', { limit: 3 })).toThrow(/nope\.ts/);
  });
});

describe('when something is missing, words still answer and the answer says so', () => {
  it('no weights or no runtime', async () => {
    const { recall } = await filled(files, {
      model: fakeEmbedder({ fail: () => 'The embedding model has no weights' }),
    });
    const reply = await smartSearch(recall, 'open a session');
    expect(reply.results[0]!.path).toBe('src/auth/session.ts');
    expect(reply.notes.join()).toContain('answered by words only: The embedding model has no weights');
  });

  it('a damaged graph file', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `src/f${at}.ts`,
        `export function paint${at}(hue) {\n  return hue + ${at};\n}\n`,
      ]),
    );
    const made = await filled(many);
    await made.recall.meaning.space('code').compact();
    const directory = join(made.directory, 'vectors');
    for (const name of readdirSync(directory)) writeFileSync(join(directory, name), 'garbage');
    const again = testRecall(many, { directory: made.directory });
    expect((await order(again.recall, 'which colour is painted')).length).toBeGreaterThan(0);
    expect(again.recall.meaning.space('code').state().problem).toBe('damaged');
  });

  it('vectors of another fingerprint are left alone, not compared', async () => {
    const made = await filled();
    const other = testRecall(files, {
      directory: made.directory,
      model: fakeEmbedder({ fingerprint: 'fake/2/64' }),
    });
    const asked = await other.recall.question('open a session', true);
    const ranked = await other.recall.rankDomain({ domain: 'code', ...asked, limit: 5 });
    expect(ranked[0]!.owner).toBe('src/auth/session.ts');
    expect(ranked.every((file) => !file.parts.some((part) => part.signal === 'meaning'))).toBe(true);
    await other.queue.run();
    expect(other.recall.meaning.space('code').state().count).toBeGreaterThan(0);
    expect(made.recall.meaning.space('code').state().count).toBeGreaterThan(0);
  });

  it('a full disk: the queue pauses and says why, and answers go on', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`src/f${at}.ts`, `const n${at} = ${at};\n`]),
    );
    const made = testRecall({ ...many, ...files });
    await made.recall.refreshAll();
    made.sqlite.exec(
      `PRAGMA max_page_count = ${Number(made.sqlite.get<{ page_count: number }>('PRAGMA page_count')!.page_count)}`,
    );
    const end = await made.queue.run();
    expect(end.state).toBe('paused');
    expect(end.problem).toMatch(/full/i);
    expect((await smartSearch(made.recall, 'close session')).results[0]!.path).toBe('src/auth/session.ts');
    made.sqlite.exec('PRAGMA max_page_count = 1073741823');
    expect((await made.queue.run()).state).toBe('idle');
  });
});

describe('what changed', () => {
  it('is cut anew, what is gone is gone, and the rest is not touched', async () => {
    const own: Record<string, string> = { ...files };
    const made = await filled(own);
    own['src/net/again.ts'] = 'export function banana() {\n  return "yellow fruit";\n}\n';
    delete own['docs/start.md'];
    const [report] = await made.recall.refreshAll();
    expect(report).toMatchObject({ added: 1, removed: 1, problems: [] });
    expect((await order(made.recall, 'yellow fruit'))[0]).toBe('src/net/again.ts');
    expect(await order(made.recall, 'start.md')).not.toContain('docs/start.md');
  });

  it('a source that has not moved is not read again, not even by another process; one that failed is', async () => {
    const made = testRecall(files);
    const source = made.recall.parts.sources[0]!;
    const again = testRecall(files, { directory: made.directory });
    const other = again.recall.parts.sources[0]!;
    source.generation = () => 'first';
    other.generation = () => 'first';
    const { chunks } = source;
    source.chunks = () => {
      throw new Error('cannot read');
    };
    expect((await made.recall.refreshAll())[0]!.problems).not.toEqual([]);
    source.chunks = chunks;
    expect(await made.recall.refreshAll()).toMatchObject([{ added: 5 }]);
    expect(await made.recall.refreshAll()).toEqual([]);
    expect(await again.recall.refreshAll()).toEqual([]);
    other.generation = () => 'second';
    expect(await again.recall.refreshAll()).toMatchObject([{ added: 0 }]);
  });

  it('a file that cannot be read is a problem of its own', async () => {
    const made = testRecall(files);
    made.recall.parts.sources[0]!.chunks = (path) => {
      if (path.endsWith('guard.ts')) throw new Error('cannot read');
      return [
        {
          path,
          startLine: 1,
          endLine: 1,
          heading: [],
          kind: 'code',
          text: files[path as keyof typeof files],
        },
      ];
    };
    const [report] = await made.recall.refreshAll();
    expect(report!.problems).toEqual([
      { owner: 'src/auth/guard.ts', message: expect.stringContaining('cannot read') },
    ]);
    expect(report!.added).toBe(Object.keys(files).length - 1);
  });

  it('a secret in a file is neither stored as a word nor shown', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const made = await filled({ 'src/a.ts': `export function connect() {\n  return "${token}";\n}\n` });
    const terms = JSON.stringify(made.passages.sqlite().all('SELECT term FROM words_code_terms'));
    expect(terms).not.toContain(token.toLowerCase());
    expect(JSON.stringify(await smartSearch(made.recall, 'connect'))).not.toContain(token);
  });
});
