import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRecall } from '../../../tests/support/recall.ts';
import { searchAll } from './search-all.ts';
import { createTopicFilter } from './topic-filter.ts';

describe('the topic filter (XOR Filters as Internal Optimization)', () => {
  it('never denies a word it was given, however many there are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 400 }), (words) => {
        const filter = createTopicFilter();
        const half = words.length >> 1;
        filter.rebuild(words.slice(0, half));
        filter.add(words.slice(half));
        for (const word of words) expect(filter.has(word)).toBe(true);
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it('denies at least 98 of 100 words it was not given', () => {
    const filter = createTopicFilter();
    filter.rebuild(Array.from({ length: 20_000 }, (_, at) => `known${at}`));
    const wrong = Array.from({ length: 5000 }, (_, at) => `other${at}`).filter((word) =>
      filter.has(word),
    ).length;
    expect(wrong).toBeLessThan(100);
  });

  it('keeps words that arrive while it is rebuilt (double buffer)', () => {
    const filter = createTopicFilter();
    filter.add(['before']);
    filter.rebuild(
      (function* () {
        yield 'one';
        filter.add(['meanwhile']);
        expect(filter.has('before')).toBe(true);
        yield 'two';
      })(),
    );
    for (const word of ['one', 'two', 'meanwhile']) expect(filter.has(word)).toBe(true);
  });

  it('never ends a search early that would have found something', async () => {
    const files = {
      'src/session.ts': 'export function openSession(user) {\n  return user;\n}\n',
      'src/retry-policy.ts': 'export function again(times) {\n  return times;\n}\n',
      'docs/colours.md': '# Palettes\n\nPaint with these.\n',
    };
    const { recall } = testRecall(files, { model: noVectors() });
    await recall.refreshAll();
    const words = Object.values(files)
      .join(' ')
      .match(/[A-Za-z]+/g)!;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (parts) => {
          const text = parts.join(' ');
          const asked = await recall.question(text);
          const full = await recall.rankDomain({ domain: 'code', ...asked, limit: 5 });
          if (full.length > 0 && !recall.mayKnow('code', text)) {
            const [answer] = (await searchAll(recall, text, {})).results;
            expect(answer!.results.length, text).toBeGreaterThan(0);
          }
        },
      ),
      { seed: 5, numRuns: 150 },
    );
  });
});

const noVectors = () => ({
  fingerprint: 'none/0/64',
  dimensions: 64,
  tier: 1,
  loaded: () => false,
  release: async () => {},
  embed: async () => {
    throw new Error('no model here');
  },
});
