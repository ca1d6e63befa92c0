import { describe, expect, it } from 'vitest';
import type { Candidate } from './candidates.ts';
import { paraphraseScore } from './domain-search.ts';
import { readQuery } from './query.ts';
import { rank } from './rank.ts';
import { addStandings, pointsOf, reasonOf } from './scorer.ts';
import type { Signals } from './source.ts';
import { weightsFor } from './weights.ts';

const candidate = (owner: string, signals: Signals): Candidate => ({
  owner,
  domain: 'code',
  signals,
  passages: [],
  letter: 0,
  updated: 0,
});

const order = (text: string, found: Record<string, Signals>) =>
  rank(
    Object.entries(found).map(([owner, signals]) => candidate(owner, { ...signals })),
    readQuery(text),
  ).map((file) => file.owner);

describe('the kind of a file and what the question is about', () => {
  const alike = { content: 0.8, words: 0.8 };

  it('a change log stands behind what is about the question, notes of a release do not', () => {
    const found = { 'CHANGES.rst': { content: 1, words: 1 }, 'src/cookies.py': alike };
    expect(order('parse cookies twice', found)).toEqual(['src/cookies.py', 'CHANGES.rst']);
    expect(
      order('parse cookies twice', { 'docs/release-notes.md': { content: 1 }, 'yarn.lock': alike })[0],
    ).toBe('docs/release-notes.md');
  });

  it('code comes before documents, unless the question is about documents', () => {
    const found = { 'docs/cookies.md': alike, 'src/cookies.ts': alike };
    expect(order('signed cookies expire', found)[0]).toBe('src/cookies.ts');
    expect(order('typo in the cookie guide', found)[0]).toBe('docs/cookies.md');
    expect(order('mend a link about cookies', found)[0]).toBe('docs/cookies.md');
    expect(order('where is a link with cookies followed?', found)[0]).toBe('src/cookies.ts');
    expect(order('where are cookies documented?', found)[0]).toBe('docs/cookies.md');
  });

  it('a chore of building is not about source, a question about the same words is', () => {
    const found = { 'src/versions.ts': alike, 'setup.cfg': alike };
    expect(order('drop support of old versions', found)[0]).toBe('setup.cfg');
    expect(
      order('how are old versions compared?', { ...found, 'setup.cfg': { content: 0.7, words: 0.7 } })[0],
    ).toBe('src/versions.ts');
  });

  it('who asks gets the place that answers before its tests and its guide, unless they are asked for', () => {
    const found = {
      'src/paths.test.ts': { content: 1, words: 1 },
      'docs/routing.md': { content: 0.9, words: 0.9 },
      'src/paths.ts': { content: 0.7, words: 0.7 },
    };
    expect(order('how are wildcards matched?', found)[0]).toBe('src/paths.ts');
    expect(order('match wildcards twice', found)[0]).toBe('src/paths.test.ts');
    expect(order('which tests match wildcards?', found)[0]).toBe('src/paths.test.ts');
  });

  it('tests come first when the question is about tests', () => {
    const found = { 'src/a-router.ts': alike, 'src/a-router.test.ts': alike };
    expect(order('flaky tests of the router', found)[0]).toBe('src/a-router.test.ts');
  });
});

describe('a second look', () => {
  it('what changes together with the best answer is raised, and the reason says so', () => {
    const candidates = [
      candidate('src/session.ts', { content: 1, words: 1 }),
      candidate('src/a.ts', { content: 0.2 }),
      candidate('src/store.ts', { content: 0.2 }),
    ];
    const partners = new Map([['src/store.ts', 0.8]]);
    const ranked = rank(candidates, readQuery('sessions expire early'), {
      changedWith: (owner) => (owner === 'src/session.ts' ? partners : new Map()),
    });
    expect(ranked.map((file) => file.owner)).toEqual(['src/session.ts', 'src/store.ts', 'src/a.ts']);
    expect(reasonOf(ranked[1]!.parts)).toContain('it changes together with what else was found');
  });

  it('a name is still found by its letters alone', () => {
    const candidates = [
      candidate('src/session.ts', { content: 1 }),
      candidate('src/store.ts', { content: 0.9 }),
    ];
    const ranked = rank(candidates, readQuery('openSession'), {
      changedWith: () => new Map([['src/store.ts', 1]]),
    });
    expect(ranked[0]!.owner).toBe('src/session.ts');
  });
});

describe('questions in other words', () => {
  const found = () => [
    candidate('src/first.ts', { content: 1, words: 1, meaning: 0.3 }),
    candidate('src/second.ts', { content: 0.4, meaning: 0.9 }),
  ];
  const asked = (unsaid: number) => rank(found(), readQuery('drop what nobody asked for lately'), { unsaid });

  it('meaning decides where hardly a word of the question is found, and the reason says so', () => {
    const [first] = asked(1);
    expect(first!.owner).toBe('src/second.ts');
    expect(reasonOf(first!.parts)).toContain('its meaning is close, in other words');
  });

  it('words decide where they are found', () => {
    const [first] = asked(0);
    expect(first!.owner).toBe('src/first.ts');
    expect(first!.parts.map((part) => part.signal)).not.toContain('unsaid');
  });
});

describe('how far a question is put in other words', () => {
  // A thousand texts, no word of the question is in any of them but `known`.
  const share = (words: string[], best: number) =>
    paraphraseScore({ size: () => 1000, frequencies: () => new Map([['known', 400]]) }, 'code', { words }, [
      { passages: [{ words: best }] },
    ]);
  const rare = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`);

  it('a description of which no text says anything is, one that a text repeats is not', () => {
    expect(share(rare(6), 0)).toBe(1);
    expect(share(rare(6), 30)).toBe(0);
    expect(share(rare(6), 12)).toBeGreaterThan(0);
  });

  it('a few words that nothing holds are no description', () => {
    expect(share(rare(4), 0)).toBe(0);
    expect(share([...rare(3), 'known'], 0)).toBe(0);
  });

  it('no text is expected to say all of a long message', () => {
    expect(share(rare(40), 20)).toBe(0);
  });
});

describe('what a question is for', () => {
  it.each([
    ['fix(router): two slashes', 'change'],
    ['[docs] name the limits', 'change'],
    ['Added a limit of form fields', 'change'],
    ['stopping twice', 'change'],
    ['don’t read the file twice', 'change'],
    ['how are limits read?', 'answer'],
    ['atomic file write', 'place'],
    ['settings page', 'place'],
    ['address of a user', 'place'],
  ])('%s: %s', (text, aim) => {
    expect(readQuery(text).aim).toBe(aim);
  });

  it('who names a thing gets it before its test, who changes it gets both in the order of the words', () => {
    const found = {
      'src/paths.test.ts': { content: 1, words: 1 },
      'src/paths.ts': { content: 0.8, words: 0.8 },
    };
    expect(order('nested wildcards', found)[0]).toBe('src/paths.ts');
    expect(order('allow wildcards', found)[0]).toBe('src/paths.test.ts');
  });

  it('without vectors what is left counts more, not the same', () => {
    const query = readQuery('allow wildcards in paths');
    expect(weightsFor(query, false)['recent_votes_standing']).toBeGreaterThan(
      weightsFor(query, true)['recent_votes_standing'] as number,
    );
    expect(weightsFor(query, false)['meaning']).toBeUndefined();
  });
});

describe('weights', () => {
  it('a curve is met at its points and straight between them', () => {
    const curve = [0.1, 0.4, 0.2, 1] as const;
    expect([0, 0.2, 0.5, 0.8, 1].map((value) => pointsOf(curve, value))).toEqual([0, 0.1, 0.4, 0.2, 1]);
    expect(pointsOf(curve, 0.1)).toBeCloseTo(0.05);
    expect(pointsOf(curve, 0.65)).toBeCloseTo(0.3);
    expect(pointsOf(0.5, 0.4)).toBeCloseTo(0.2);
  });

  it('equals stand equally, what lacks a signal has no standing, and only what is weighed gets one', () => {
    const all: Signals[] = [
      { words: 0.5, path: 1 },
      { words: 1 },
      { words: 0.5 },
      { path: 0.3 },
      { words: 0.1 },
    ];
    addStandings(all, { words: 1, words_standing: 0.2, path: 1 });
    expect(all.map((signals) => signals['words_standing'])).toEqual([
      1 / 1.2,
      1,
      1 / 1.2,
      undefined,
      1 / 1.6,
    ]);
    expect(all[0]).not.toHaveProperty('path_standing');
  });

  it('a signal and its standing are one reason', () => {
    const part = (signal: string, points: number) => ({ signal, value: 1, weight: points, points });
    expect(reasonOf([part('content', 0.3), part('meaning', 0.2), part('meaning_standing', 0.2)])).toBe(
      'its meaning is close; its text matches',
    );
  });
});
