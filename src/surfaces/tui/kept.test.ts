import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { emptyKept, foldKept, type KeptRecord, openKept, recordsOf } from './kept.ts';

const tab = fc.constantFrom('main', 'b', 'c');
const text = fc.string({ maxLength: 12, unit: 'grapheme' });
const anyRecord: fc.Arbitrary<KeptRecord> = fc.oneof(
  fc.record({ type: fc.constant('tab' as const), tab, title: text, session: text }),
  fc.record({ type: fc.constantFrom('closed' as const, 'switched' as const), tab }),
  fc.record({ type: fc.constantFrom('draft' as const, 'told' as const, 'settled' as const), tab, text }),
  fc.record({ type: fc.constant('chosen' as const), name: fc.constantFrom('theme', 'worker'), value: text }),
);

test('the short form of a file leads to the same state', () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 60 }), (records) => {
      const kept = records.reduce(foldKept, emptyKept);
      const again = recordsOf(kept).reduce(foldKept, emptyKept);
      expect({ ...again, history: again.history.toSorted() }).toEqual({
        ...kept,
        history: kept.history.toSorted(),
      });
    }),
  );
});

test('a draft, what was told and what was not answered are there the next time, also after half a line', () => {
  const home = temporaryDirectory('kept');
  const first = openKept(home, '/code/ky');
  first.write({ type: 'told', tab: 'main', text: 'where is it?' });
  first.write({ type: 'draft', tab: 'main', text: 'half a sent' });
  const path = join(home, 'terminal', readdirSync(join(home, 'terminal'))[0] ?? '');
  appendFileSync(path, '{"type":"draft","tab":"ma');
  const second = openKept(home, '/code/ky');
  expect(second.kept().tabs).toEqual([
    { id: 'main', session: undefined, title: '', draft: 'half a sent', unanswered: ['where is it?'] },
  ]);
  second.write({ type: 'settled', tab: 'main', text: 'where is it?' });
  const third = openKept(home, '/code/ky').kept();
  expect([third.tabs[0]?.unanswered, third.history]).toEqual([[], ['where is it?']]);
  expect(openKept(home, '/code/other').kept()).toEqual(emptyKept);
});

test('a secret that was typed is not kept', () => {
  const home = temporaryDirectory('kept');
  openKept(home, '/code/ky').write({
    type: 'draft',
    tab: 'main',
    text: 'use ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2 for it',
  });
  const path = join(home, 'terminal', readdirSync(join(home, 'terminal'))[0] ?? '');
  expect(readFileSync(path, 'utf8')).not.toContain('ghp_aB3dE6');
});
