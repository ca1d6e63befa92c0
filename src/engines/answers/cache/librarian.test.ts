import { describe, expect, it } from 'vitest';
import { question, testCaches } from '../../../../tests/support/answer-current.ts';
import type { CacheQuestion, Evidence } from './index.ts';

const minute = 60_000;
const librarian = (intent: CacheQuestion['intent'], text: string, rest: Partial<CacheQuestion> = {}) =>
  question(text, { agent: 'librarian', intent, ...rest });
const cites = (...files: string[]): Evidence => ({ files, refs: [] });

async function kept(asked: CacheQuestion, evidence: Evidence, made = testCaches()) {
  const mark = await made.caches.mark(asked);
  expect(await made.caches.keep(mark, { answer: asked.text, empty: false, evidence, tokens: 3000 })).toEqual({
    kept: true,
  });
  const looked = async (text = asked.text, rest: Partial<CacheQuestion> = {}) =>
    made.caches.look({ ...asked, text, ...rest });
  return { ...made, looked };
}
const count = (made: Awaited<ReturnType<typeof kept>>, intent: string) =>
  made.caches
    .statistics({ session: 'a', seesAll: true })
    .intents.find((each) => each.agent === 'librarian' && each.intent === intent)!;

describe('Cache Invalidation by Intent (Librarian)', () => {
  it('LOCATE: found by the entity name, however it is asked', async () => {
    const { looked } = await kept(
      librarian('LOCATE', 'where can I find the auth code'),
      cites('src/auth.ts'),
    );
    expect(await looked('where is authentication located')).toMatchObject({ hit: true, by: 'subject' });
    expect(await looked('where is the authorization code')).toEqual({ hit: false, reason: 'absent' });
  });

  it('LOCATE: falls when any file in the result changes, and has no TTL', async () => {
    const made = await kept(librarian('LOCATE', 'where is CreateUser'), cites('src/a.ts', 'src/b.ts'));
    made.clock.advance(365 * 24 * 60 * minute);
    expect(await made.looked('find the CreateUser function')).toMatchObject({ hit: true });
    made.current.files['src/b.ts'] = 'other bytes';
    expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
    expect(count(made, 'LOCATE')).toMatchObject({ entries: 0, invalidations: 1 });
  });

  it('LOCATE: falls when something of that name is defined elsewhere as well', async () => {
    const made = await kept(librarian('LOCATE', 'where is CreateUser'), cites('src/a.ts'));
    made.current.places = 'src/new.ts';
    expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
  });

  it('PATTERN: found by the concept, with 60 minutes TTL', async () => {
    const made = await kept(librarian('PATTERN', 'what is our caching strategy'), cites('src/cache.ts'));
    made.clock.advance(60 * minute);
    expect(await made.looked('how do we handle caching')).toMatchObject({ hit: true, ageSeconds: 3600 });
    made.clock.advance(1);
    expect(await made.looked()).toEqual({ hit: false, reason: 'expired' });
    expect(count(made, 'PATTERN')).toMatchObject({ entries: 0, expired: 1, invalidations: 0 });
  });

  it('PATTERN: falls on new, deleted and renamed files in a source directory', async () => {
    for (const names of ['a.ts new.ts', '', 'renamed.ts']) {
      const made = testCaches();
      made.current.directories['src/errors'] = 'a.ts';
      const { looked, current } = await kept(
        librarian('PATTERN', 'how do we handle errors'),
        cites('src/errors/a.ts'),
        made,
      );
      expect(await looked()).toMatchObject({ hit: true });
      current.directories['src/errors'] = names;
      expect(await looked()).toEqual({ hit: false, reason: 'changed' });
    }
  });

  it('PATTERN: falls when a source file itself changed, not when a neighbour did', async () => {
    const made = await kept(librarian('PATTERN', 'how do we handle errors'), cites('src/errors/a.ts'));
    made.current.files['src/errors/b.ts'] = 'other bytes';
    made.caches.filesChanged(['src/errors/b.ts']);
    expect(await made.looked()).toMatchObject({ hit: true });
    made.current.files['src/errors/a.ts'] = 'other bytes';
    expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
  });

  it('EXPLAIN: falls when a referenced file changes, and after 30 minutes', async () => {
    const asked = librarian('EXPLAIN', 'how does the auth flow work');
    const changed = await kept(asked, cites('src/auth.ts'));
    changed.current.files['src/auth.ts'] = 'other bytes';
    expect(await changed.looked('explain the auth flow')).toEqual({ hit: false, reason: 'changed' });
    const old = await kept(asked, cites('src/auth.ts'));
    old.clock.advance(30 * minute);
    expect(await old.looked('explain the auth flow')).toMatchObject({ hit: true });
    old.clock.advance(1);
    expect(await old.looked()).toEqual({ hit: false, reason: 'expired' });
  });

  it('GENERAL: found by meaning, with 15 minutes TTL and no other rule than that its sources stand', async () => {
    const made = await kept(librarian('GENERAL', 'list all API endpoints'), cites('src/api.ts'));
    made.current.directories['src'] = 'new.ts';
    made.current.places = 'elsewhere';
    made.clock.advance(15 * minute);
    expect(await made.looked('list the API endpoints')).toMatchObject({ hit: true, by: 'meaning' });
    made.clock.advance(1);
    expect(await made.looked()).toEqual({ hit: false, reason: 'expired' });
  });

  it('no intent serves an answer whose cited file holds something else now', async () => {
    for (const intent of ['LOCATE', 'PATTERN', 'EXPLAIN', 'GENERAL'] as const) {
      const made = await kept(librarian(intent, 'list all API endpoints'), cites('src/api.ts'));
      made.current.files['src/api.ts'] = 'other bytes';
      expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
    }
  });
});

describe('File Change Detection & Cache Invalidation', () => {
  it('a change drops what cites the file at once and counts it by intent (OnFileChanged)', async () => {
    const made = testCaches();
    for (const intent of ['LOCATE', 'PATTERN', 'EXPLAIN'] as const)
      await kept(librarian(intent, 'where is auth'), cites('src/auth.ts'), made);
    const other = await kept(librarian('LOCATE', 'where is billing'), cites('src/billing.ts'), made);
    made.current.files['src/auth.ts'] = 'other bytes';
    made.caches.filesChanged(['src/auth.ts']);
    for (const intent of ['PATTERN', 'EXPLAIN'] as const)
      expect(count(other, intent)).toMatchObject({ entries: 0, invalidations: 1 });
    expect(count(other, 'LOCATE')).toMatchObject({ entries: 1, invalidations: 1 });
    expect(await other.looked()).toMatchObject({ hit: true });
  });

  it('a touch without other content invalidates nothing', async () => {
    const made = await kept(librarian('EXPLAIN', 'explain the pipeline'), cites('src/pipeline.ts'));
    made.caches.filesChanged(['src/pipeline.ts']);
    expect(count(made, 'EXPLAIN')).toMatchObject({ entries: 1, invalidations: 0 });
    expect(await made.looked()).toMatchObject({ hit: true });
  });

  it('a deleted file has no hash any more: what cites it falls, and a new one of that name does not bring it back', async () => {
    const made = await kept(librarian('LOCATE', 'where is auth'), cites('src/auth.ts'));
    made.current.gone.add('src/auth.ts');
    made.caches.filesChanged(['src/auth.ts']);
    expect(count(made, 'LOCATE')).toMatchObject({ entries: 0, invalidations: 1 });
    made.current.gone.clear();
    expect(await made.looked()).toEqual({ hit: false, reason: 'absent' });
  });

  it('a batch of more than 100 changed files clears all four caches of the Librarian, and nobody else', async () => {
    const made = testCaches();
    for (const intent of ['LOCATE', 'PATTERN', 'EXPLAIN', 'GENERAL'] as const)
      await kept(librarian(intent, 'where is auth'), cites('src/auth.ts'), made);
    const past = question('how did we handle auth', { agent: 'archivalist', intent: 'HISTORICAL' });
    const archived = await kept(past, { files: [], refs: ['entry:ent_1'] }, made);
    const batch = (size: number) => Array.from({ length: size }, (_, at) => `src/file-${at}.ts`);
    made.caches.filesChanged(batch(100));
    expect(count(archived, 'GENERAL').entries).toBe(1);
    made.caches.filesChanged(batch(101));
    for (const intent of ['LOCATE', 'PATTERN', 'EXPLAIN', 'GENERAL'] as const)
      expect(count(archived, intent)).toMatchObject({ entries: 0, invalidations: 1 });
    expect(await archived.looked()).toMatchObject({ hit: true });
  });
});

describe('Query Handling with Pre-Classified Intent', () => {
  it('a classification of 0.8 is trusted, one below only finds the same question again', async () => {
    const made = await kept(librarian('LOCATE', 'where can I find the auth code'), cites('src/auth.ts'));
    expect(await made.looked('where is authentication located', { confidence: 0.8 })).toMatchObject({
      hit: true,
    });
    expect(await made.looked('where is authentication located', { confidence: 0.79 })).toEqual({
      hit: false,
      reason: 'unsure',
    });
    expect(await made.looked('Where can I find the auth code?', { confidence: 0.5 })).toMatchObject({
      hit: true,
      by: 'fallback',
    });
  });

  it('another intent about the same subject is another question', async () => {
    const made = await kept(librarian('PATTERN', 'what is our auth strategy'), cites('src/auth.ts'));
    expect(await made.looked('where is the auth', { intent: 'LOCATE' })).toEqual({
      hit: false,
      reason: 'absent',
    });
  });

  it('another name of the subject finds it (related concepts)', async () => {
    const made = await kept(
      librarian('PATTERN', 'what patterns do we use for jwt rotation', {
        subject: 'jwt_rotation',
        related: ['token_renewal'],
      }),
      cites('src/token.ts'),
    );
    expect(
      await made.looked('how do we do token renewal', { subject: 'token_renewal', related: [] }),
    ).toMatchObject({
      hit: true,
      by: 'related',
    });
    expect(
      await made.looked('how do we test token renewal', { subject: 'token_renewal', related: [] }),
    ).toMatchObject({ hit: false });
  });

  it('empty results are not kept, nor answers that do not say what they rest on', async () => {
    const { caches } = testCaches();
    const asked = librarian('LOCATE', 'where is nothing');
    const made = { answer: 'none', empty: true, evidence: cites(), tokens: 0 };
    expect(await caches.keep(await caches.mark(asked), made)).toEqual({ kept: false, reason: 'empty' });
    expect(await caches.keep(await caches.mark(asked), { ...made, empty: false })).toEqual({
      kept: false,
      reason: 'no_evidence',
    });
    expect(await caches.look(asked)).toEqual({ hit: false, reason: 'absent' });
  });

  it('what changed while the answer was made is not kept', async () => {
    const { caches, current } = testCaches();
    const asked = librarian('LOCATE', 'where is auth');
    const mark = await caches.mark(asked);
    current.files['src/auth.ts'] = 'saved meanwhile';
    expect(
      await caches.keep(mark, { answer: 'old', empty: false, evidence: cites('src/auth.ts'), tokens: 1 }),
    ).toEqual({ kept: false, reason: 'changed_meanwhile' });
  });

  it('another folder, budget or model makes another question', async () => {
    const made = await kept(
      librarian('LOCATE', 'where is auth', { shape: { path: 'a', budget: 1000 } }),
      cites('a/x.ts'),
    );
    expect(await made.looked(undefined, { shape: { budget: 1000, path: 'a' } })).toMatchObject({ hit: true });
    expect(await made.looked(undefined, { shape: { budget: 1000, path: 'b' } })).toMatchObject({
      hit: false,
    });
  });
});
