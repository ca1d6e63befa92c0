import { describe, expect, it } from 'vitest';
import { question, testCaches } from '../../../../tests/support/answer-current.ts';
import { timeScopeOf } from '../../../base/text/index.ts';
import type { CacheQuestion, Evidence } from './index.ts';

const minute = 60_000;
const past: Evidence = { files: [], refs: ['entry:ent_1'] };
const archivalist = (intent: CacheQuestion['intent'], text: string, rest: Partial<CacheQuestion> = {}) =>
  question(text, { agent: 'archivalist', intent, ...rest });

async function kept(asked: CacheQuestion, evidence: Evidence = past, made = testCaches()) {
  const mark = await made.caches.mark(asked);
  const reply = await made.caches.keep(mark, { answer: asked.text, empty: false, evidence, tokens: 2500 });
  expect(reply).toEqual({ kept: true });
  const looked = async (text = asked.text, rest: Partial<CacheQuestion> = {}) =>
    made.caches.look({ ...asked, text, ...rest });
  return { ...made, looked };
}

async function livesFor(made: Awaited<ReturnType<typeof kept>>, minutes: number) {
  made.clock.advance(minutes * minute);
  expect(await made.looked()).toMatchObject({ hit: true });
  made.clock.advance(1);
  expect(await made.looked()).toEqual({ hit: false, reason: 'expired' });
}

describe('Cache Invalidation by Intent (Archivalist)', () => {
  it('HISTORICAL: by topic, TTL 60 minutes', async () => {
    const made = await kept(archivalist('HISTORICAL', 'what did we do before for auth'));
    expect(await made.looked('past solutions for authentication')).toMatchObject({
      hit: true,
      by: 'subject',
    });
    await livesFor(made, 60);
  });

  it('HISTORICAL: new activity leaves it, what the asker can see does not', async () => {
    const made = await kept(archivalist('HISTORICAL', 'how did we handle the migration'));
    Object.assign(made.current.versions, { activity: '2', session: '2', results: '2', shelf: '2' });
    expect(await made.looked()).toMatchObject({ hit: true });
    made.current.versions['visibility'] = '2';
    expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
  });

  it('ACTIVITY: falls with new activity OR after 5 minutes', async () => {
    const active = await kept(archivalist('ACTIVITY', 'what happened in the importer'));
    active.current.versions['activity'] = '2';
    expect(await active.looked()).toEqual({ hit: false, reason: 'changed' });
    await livesFor(await kept(archivalist('ACTIVITY', 'what happened in the importer')), 5);
  });

  it('OUTCOME: falls when the result is updated; 30 minutes once complete, 5 before', async () => {
    const asked = archivalist('OUTCOME', 'did the migration succeed');
    const updated = await kept(asked, { ...past, complete: false });
    updated.current.versions['results'] = '2';
    expect(await updated.looked('was the migration successful')).toEqual({ hit: false, reason: 'changed' });
    await livesFor(await kept(asked, { ...past, complete: true }), 30);
    await livesFor(await kept(asked, { ...past, complete: false }), 5);
  });

  it('SIMILAR: by meaning at 0.80, TTL 30 minutes', async () => {
    const made = await kept(archivalist('SIMILAR', 'have we seen this login error before'));
    expect(await made.looked('similar past failures to this login error')).toMatchObject({
      hit: true,
      by: 'meaning',
    });
    await livesFor(made, 30);
  });

  it('RESUME: by session, falls with any session activity OR after 1 minute', async () => {
    const asked = archivalist('RESUME', 'where did we leave off');
    const made = await kept(asked);
    expect(await made.looked("what's the current status")).toMatchObject({ hit: true });
    made.current.versions['session'] = '2';
    expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
    await livesFor(await kept(asked), 1);
  });

  it('GENERAL: the 0.95 cache, 5 minutes', async () => {
    const made = await kept(archivalist('GENERAL', 'which task took longest'));
    expect(await made.looked('which task took the longest')).toMatchObject({ hit: true });
    expect(await made.looked('which test took longest')).toMatchObject({ hit: false });
    await livesFor(made, 5);
  });

  it('the fallback at 0.95 serves a question that was not classified surely', async () => {
    const made = await kept(archivalist('HISTORICAL', 'how did we handle the auth migration'));
    expect(await made.looked('how did we handle the auth migration?', { confidence: 0.3 })).toMatchObject({
      hit: true,
      by: 'fallback',
    });
    expect(await made.looked('how did we handle the data migration', { confidence: 0.3 })).toEqual({
      hit: false,
      reason: 'unsure',
    });
  });
});

describe('Time scope', () => {
  it('another time is another question, another word for the same time is not', async () => {
    const { clock, caches, ...made } = testCaches();
    const at = (text: string) => {
      const timeScope = timeScopeOf(text, clock.now());
      return archivalist('ACTIVITY', text, timeScope ? { timeScope } : {});
    };
    await kept(at('what changed in auth recently'), past, { clock, caches, ...made });
    expect(await caches.look(at('what changed in auth lately'))).toMatchObject({ hit: true });
    for (const text of [
      'what changed in auth yesterday',
      'what changed in auth',
      'what changed in auth last month',
    ])
      expect(await caches.look(at(text))).toEqual({ hit: false, reason: 'absent' });
  });

  it('yesterday is another day after midnight', async () => {
    const made = testCaches();
    const at = () => {
      const text = 'what did we decide about tokens yesterday';
      return archivalist('HISTORICAL', text, { timeScope: timeScopeOf(text, made.clock.now())! });
    };
    made.clock.advance(23.9 * 60 * minute);
    await kept(at(), past, made);
    expect(await made.caches.look(at())).toMatchObject({ hit: true });
    made.clock.advance(30 * minute);
    expect(await made.caches.look(at())).toEqual({ hit: false, reason: 'absent' });
  });
});

describe('Academic: results cached for cross-session reuse', () => {
  const research = question('best practices for rate limiting', { agent: 'academic', intent: 'RESEARCH' });

  it('RESEARCH: found by every session, TTL 60 minutes', async () => {
    const made = await kept(research, { files: [], refs: ['topic:topic-limits'] });
    const other = { viewer: { session: 'b', seesAll: false } };
    expect(await made.looked('recommended practice for rate limiting', other)).toMatchObject({ hit: true });
    await livesFor(made, 60);
  });

  it('RESEARCH: falls when the shelf of references changes', async () => {
    const made = await kept(research, { files: [], refs: ['topic:topic-limits'] });
    made.current.versions['shelf'] = '2';
    expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
  });

  it('RESEARCH beside this codebase falls with the files that it cites', async () => {
    const made = await kept(research, { files: ['src/limit.ts'], refs: ['topic:topic-limits'] });
    made.current.files['src/limit.ts'] = 'other bytes';
    expect(await made.looked()).toEqual({ hit: false, reason: 'changed' });
  });
});
