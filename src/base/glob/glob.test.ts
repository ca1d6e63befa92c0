import fc from 'fast-check';
import ignore from 'ignore';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { compileGlob, globText, ignoreRules } from './index.ts';

const segment = fc.constantFrom('src', 'a', 'b', 'ab', 'index.ts', 'x.test.ts', '.env', 'b-1.ts');
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
const wild = ['*', '**', '*.ts', 'b-*.ts', '?b', '[ab]', '[^a]*', '[a-c]', 'a*', '*b*'];
const patternOf = (...more: string[]) =>
  fc
    .array(fc.oneof(segment, fc.constantFrom(...wild, ...more)), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('/'));

test('a glob matches what picomatch matches', () => {
  const glob = patternOf('{a,b}', 'x{.test,}.ts', '*.{ts,js}', '{a,{b,src}}', '{src,a*}b');
  fc.assert(
    fc.property(glob, path, (pattern, one) => {
      const known = picomatch(pattern, { dot: true, nonegate: true, noextglob: true })(one);
      expect(compileGlob(pattern)(one), `${pattern} against ${one}`).toBe(known);
    }),
    { numRuns: 5000, seed: 7 },
  );
});

test('rules exclude what those of a .gitignore exclude', () => {
  const line = fc
    .tuple(fc.constantFrom('', '', '!', '/'), patternOf(), fc.constantFrom('', '', '/'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), path, (lines, one) => {
      const known = ignore({ ignorecase: false }).add(lines).ignores(one);
      expect(ignoreRules(lines)(one), `${JSON.stringify(lines)} against ${one}`).toBe(known);
    }),
    { numRuns: 5000, seed: 7 },
  );
  const plain = ignoreRules([
    '# a note',
    '',
    'kept\\ ',
    'gone   ',
    '\\#sharp',
    '{a,b}',
    '[open',
    'windows\r',
  ]);
  const given = ['# a note', 'kept ', 'kept', 'gone', '#sharp', '{a,b}', 'a', '[open', 'windows'];
  expect(given.filter(plain)).toEqual(['kept ', 'gone', '#sharp', '{a,b}', 'windows']);
});

test('no pattern makes matching go back: what would take years with a regular expression is answered', () => {
  const long = 'a'.repeat(250);
  const deep = `${'a/'.repeat(1000)}a`;
  for (const pattern of [
    `${'**/*a'.repeat(14)}z`,
    `${'*a'.repeat(60)}z`,
    `${'**/a/'.repeat(40)}z`,
    `${'{a,aa}'.repeat(40)}z`,
    `${'{a*,*a}'.repeat(30)}z`,
  ])
    for (const given of [long, `${long}/${long}/${long}`, deep]) {
      expect(compileGlob(pattern)(given)).toBe(false);
      expect(ignoreRules([pattern])(given)).toBe(false);
    }
});

test('a pattern of a config file is short and closed', () => {
  expect(globText.safeParse('src/{a,b}/[x]*').success).toBe(true);
  for (const bad of ['a'.repeat(257), 'src/{a', '[']) expect(globText.safeParse(bad).success).toBe(false);
});

test('what closes nothing and a brace without a comma are plain text, and a name can be its own pattern', () => {
  expect(compileGlob('a}b]')('a}b]')).toBe(true);
  expect(compileGlob('{a}/*')('{a}/x')).toBe(true);
  expect(compileGlob('app/[id]/(group)/page.tsx')('app/[id]/(group)/page.tsx')).toBe(true);
  expect(compileGlob('a\\*')('a*')).toBe(true);
  expect(compileGlob('a\\*')('ab')).toBe(false);
});
