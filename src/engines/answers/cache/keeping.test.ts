import { describe, expect, it } from 'vitest';
import { question, testCaches } from '../../../../tests/support/answer-current.ts';
import { conceptOf, isNearConcept, isSameConcept, isSlip, relatedNames } from './concept.ts';
import type { CacheQuestion } from './index.ts';
import { strategies } from './strategies.ts';

const locate = (text: string, rest: Partial<CacheQuestion> = {}) =>
  question(text, { agent: 'librarian', intent: 'LOCATE', ...rest });
type Made = ReturnType<typeof testCaches>;
const keep = async ({ caches }: Made, asked: CacheQuestion, tokens = 100) =>
  caches.keep(await caches.mark(asked), {
    answer: asked.text,
    empty: false,
    evidence: { files: ['src/a.ts'], refs: [] },
    tokens,
  });
const statistics = ({ caches }: Made, intent: string, viewer = { session: 'a', seesAll: false }) =>
  caches.statistics(viewer).intents.find((each) => each.intent === intent)!;

describe('what is counted', () => {
  it('hits per entry, hits and misses per intent, and the tokens that were saved', async () => {
    const made = testCaches();
    await keep(made, locate('where is the router'), 3000);
    for (const hits of [1, 2, 3])
      expect(await made.caches.look(locate('find the router'))).toMatchObject({ hits, savedTokens: 3000 });
    await made.caches.look(locate('find the parser'));
    expect(statistics(made, 'LOCATE')).toMatchObject({
      entries: 1,
      hits: 3,
      misses: 1,
      hit_rate: 0.75,
      tokens_saved: 9000,
    });
    expect(made.caches.statistics({ session: 'a', seesAll: false }).top).toEqual([
      { agent: 'librarian', intent: 'LOCATE', subject: 'router', asked: 'where is the router', hits: 3 },
    ]);
  });

  it('statistics name every cache of the tables with its TTL', () => {
    const told = strategies.map(({ agent, intent, ttl }) => `${agent} ${intent} ${ttl}`);
    expect(told).toEqual([
      'librarian LOCATE null',
      'librarian PATTERN 60',
      'librarian EXPLAIN 30',
      'librarian GENERAL 15',
      'archivalist HISTORICAL 60',
      'archivalist ACTIVITY 5',
      'archivalist OUTCOME 30',
      'archivalist SIMILAR 30',
      'archivalist RESUME 1',
      'archivalist GENERAL 5',
      'academic RESEARCH 60',
    ]);
  });

  it('counts and answers outlive the process', async () => {
    const first = testCaches();
    await keep(first, locate('where is the router'));
    await first.caches.look(locate('find the router'));
    first.caches.close();
    const second = testCaches({ directory: first.directory, current: first.current });
    expect(await second.caches.look(locate('find the router'))).toMatchObject({ hit: true, hits: 2 });
    expect(statistics(second, 'LOCATE')).toMatchObject({ hits: 2, misses: 0 });
  });
});

describe('bounds', () => {
  it('each cache keeps no more than its limit, and the least recently used goes first', async () => {
    const made = testCaches();
    const resume = (session: string) =>
      question('where did we leave off', {
        agent: 'archivalist',
        intent: 'RESUME',
        viewer: { session, seesAll: false },
      });
    const { limit } = statistics(made, 'RESUME');
    for (let at = 0; at < limit; at++) await keep(made, resume(`s${at}`));
    made.clock.advance(1);
    expect(await made.caches.look(resume('s0'))).toMatchObject({ hit: true });
    await keep(made, resume('one more'));
    expect(statistics(made, 'RESUME')).toMatchObject({ entries: limit, evicted: 1 });
    expect(await made.caches.look(resume('s0'))).toMatchObject({ hit: true });
    expect(await made.caches.look(resume('s1'))).toMatchObject({ hit: false });
  });

  it('the same question again takes the place of its old answer', async () => {
    const made = testCaches();
    await keep(made, locate('where is the router'));
    await keep(made, locate('find the router'));
    expect(statistics(made, 'LOCATE').entries).toBe(1);
    expect(await made.caches.look(locate('where is the router'))).toMatchObject({ asked: 'find the router' });
  });

  it('clear takes all or those of one agent', async () => {
    const made = testCaches();
    await keep(made, locate('where is the router'));
    await keep(made, question('papers on routers', { agent: 'academic', intent: 'RESEARCH' }));
    expect(made.caches.clear('academic')).toBe(1);
    expect(await made.caches.look(locate('where is the router'))).toMatchObject({ hit: true });
    expect(made.caches.clear()).toBe(1);
  });

  it('a file that cannot be opened is a miss and one line for the log, never an error', async () => {
    const told: string[] = [];
    const { createAnswerCache } = await import('./index.ts');
    const { openAnswers } = await import('../../../stores/answers/index.ts');
    const { fixedClock } = await import('../../../base/clock.ts');
    const { current } = testCaches().parts;
    const caches = createAnswerCache({
      answers: openAnswers(() => '/dev/null/answers.db'),
      current,
      clock: fixedClock(),
      warn: (line: string) => told.push(line),
    });
    const asked = locate('where is the router');
    expect(await caches.look(asked)).toEqual({ hit: false, reason: 'absent' });
    const made = { answer: 'x', empty: false, evidence: { files: ['src/a.ts'], refs: [] }, tokens: 1 };
    expect(await caches.keep(await caches.mark(asked), made)).toEqual({ kept: false, reason: 'unavailable' });
    caches.filesChanged(['src/a.ts']);
    expect(told).toHaveLength(1);
  });
});

describe('Why Simple Embedding Similarity Fails: what is the same question is told by its words', () => {
  const same: Array<[CacheQuestion['intent'], string, string]> = [
    ['LOCATE', 'where can I find the auth code', 'where is authentication located'],
    ['PATTERN', 'what is our caching strategy', 'how do we handle caching'],
    ['LOCATE', 'where is CreateUser', 'find CreateUser'],
    ['HISTORICAL', 'What did we do before for auth', 'Past solutions for authentication'],
    ['OUTCOME', 'Did the tests pass', 'What was the test outcome'],
    ['PATTERN', 'how do we handle errors', 'what is the convention for exception handling'],
  ];
  for (const [intent, left, right] of same)
    it(`${left} = ${right}`, () =>
      expect(isSameConcept(conceptOf(left, intent), conceptOf(right, intent))).toBe(true));

  const other: Array<[CacheQuestion['intent'], string, string]> = [
    ['LOCATE', 'where is getPath', 'where is path'],
    ['LOCATE', 'where is the User class', 'where is the User function'],
    ['LOCATE', 'where are headers validated', 'where are headers not validated'],
    ['EXPLAIN', 'how is json converted to yaml', 'how is yaml converted to json'],
    ['HISTORICAL', 'why did we drop node 18', 'why did we drop node 20'],
    ['HISTORICAL', 'how did we drop redis', 'why did we drop redis'],
  ];
  for (const [intent, left, right] of other)
    it(`${left} ≠ ${right}`, () =>
      expect(isNearConcept(conceptOf(left, intent), conceptOf(right, intent))).toBe(false));

  it('a slip of the pen in a long word is near, another short word or number is not', () => {
    expect(isSlip('authentication', 'authentcation')).toBe(true);
    expect(isSlip('importer', 'exporter')).toBe(false);
    expect(isSlip('node18x', 'node20x')).toBe(false);
  });

  it('error_handling is also known by other names', () => {
    expect(relatedNames('error_handling')).toContain('exception_handling');
  });
});
