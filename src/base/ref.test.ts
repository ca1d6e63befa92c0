import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeRef, fileRef, idOf, isRef, parseCodeRef, parseRef, refText, symbolsOf } from './ref.ts';

const oddPaths = [
  'src/a.ts',
  'a\nb.ts',
  'a\r\n[1] b.ts',
  'tab\there',
  '\u001b[31mred',
  'a\u202egnp.exe',
  'zero\u200bwidth',
  'line\u2028separator',
  '"quoted" \'twice\' `thrice`',
  'back\\slash',
  'a#b~c.ts',
  '100% sure.md',
  'a%0Ab',
  'a%%0A\n',
  'broken \ufffd utf-8',
  ' blanks at both ends ',
  'kind:of:colons',
  `${'long/'.repeat(800)}file.ts`,
  '日本/é.ts',
];

test.each(oddPaths)('%j can be a ref of one line, and its path comes back', (path) => {
  const ref = fileRef(path);
  expect(ref).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u200b]/);
  expect(isRef(ref)).toBe(true);
  expect(refText(ref)).toBe(ref);
  expect(idOf(ref)).toBe(path);
  expect(parseCodeRef(codeRef(path, 'Outer.inner'))).toEqual({ path, key: 'Outer.inner' });
  expect(isRef(codeRef(path, 'Outer.inner'))).toBe(true);
  expect(codeRef(path, 'x').startsWith(symbolsOf(path))).toBe(true);
});

test('any path comes back from its refs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (path) => {
      expect(idOf(fileRef(path))).toBe(path);
      expect(parseCodeRef(codeRef(path, 'k'))).toEqual({ path, key: 'k' });
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test('a path that is written raw after file: is taken as the same ref', () => {
  expect(refText('file:src/a\nb.ts')).toBe('file:src/a%0Ab.ts');
  expect(parseRef('file:src/a.ts')).toEqual({ kind: 'file', id: 'src/a.ts', side: 'code' });
});

test('other kinds stay one line without controls', () => {
  expect(() => parseRef('entry:a\nb')).toThrow(/control characters/);
});
