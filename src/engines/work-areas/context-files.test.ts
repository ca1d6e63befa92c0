import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractPaths } from './context-files.ts';

describe('Path extraction from Context Files', () => {
  test.each([
    ['one a line', 'src/a.ts\nsrc/b.ts\n', ['src/a.ts', 'src/b.ts']],
    ['separated by commas', 'src/a.ts, src/b.ts,docs/c.md', ['src/a.ts', 'src/b.ts', 'docs/c.md']],
    ['mixed, with Windows line ends', 'src/a.ts, src/b.ts\r\nsrc/c.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    [
      'bullets, back ticks, links and numbers',
      '- `src/a.ts` the entry\n* [b](src/b.ts)\n1. src/c.ts',
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    ],
    [
      'remarks and line numbers',
      'src/a.ts - the entry\nsrc/b.ts (new)\nsrc/c.ts:12\nsrc/d.ts#L3-L9',
      ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'],
    ],
    [
      'files at the root',
      'package.json\nREADME.md\nMakefile\n.env.example',
      ['package.json', 'README.md', 'Makefile', '.env.example'],
    ],
    ['in back ticks and bare on one line', '`src/a.ts`, src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['in a link and bare on one line', '[x](src/a.ts) and src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['in a sentence with both', 'See src/a.ts first, and `src/b.ts`.', ['src/a.ts', 'src/b.ts']],
    ['in bold', '**src/a.ts**, and __src/b.ts__', ['src/a.ts', 'src/b.ts']],
    ['in italics', '_src/a.ts_, src/_b.ts', ['src/a.ts', 'src/_b.ts']],
    [
      'with blanks in the name',
      'src/has space.ts\n- `src/with two blanks.ts`',
      ['src/has space.ts', 'src/with two blanks.ts'],
    ],
    ['as globs', '**/*.ts, src/**', ['**/*.ts', 'src/**']],
    ['a leading ./ and backslashes', './src/a.ts\nsrc\\b.ts', ['src/a.ts', 'src/b.ts']],
    ['a path within a sentence', 'see src/a.ts for the rest', ['src/a.ts']],
    ['the same path twice', 'src/a.ts\nsrc/a.ts', ['src/a.ts']],
  ])('reads paths %s', (_name, content, expected) => {
    expect(extractPaths(content)).toEqual(expected);
  });

  test.each([
    '',
    '# Heading',
    '// comment',
    'Just some prose about it.',
    'https://example.org/a.ts',
    '/etc/passwd',
    '../secret.ts',
    '```ts',
  ])('skips the malformed line %j', (line) => {
    expect(extractPaths(line)).toEqual([]);
  });

  test('never fails, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (content) => {
        for (const path of extractPaths(content))
          expect(path.startsWith('/') || path.includes('..\\')).toBe(false);
      }),
      { numRuns: 500, seed: 11 },
    );
  });
});
