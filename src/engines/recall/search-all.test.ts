import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testRecall } from '../../../tests/support/recall.ts';
import { searchAll } from './search-all.ts';

test('a domain that is not searched has nothing that would have been found', async () => {
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
