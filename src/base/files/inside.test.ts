import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { isWithin, resolveInside } from './inside.ts';

function jail() {
  const base = realpathSync(temporaryDirectory('jail'));
  const root = join(base, 'repo');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(base, 'repo-evil'));
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(root, 'src', 'a.ts'), '');
  writeFileSync(join(base, 'outside', 'secret'), '');
  symlinkSync('../outside', join(root, 'out'));
  symlinkSync('../outside/secret', join(root, 'file-out'));
  symlinkSync('/', join(root, 'slash'));
  symlinkSync('src', join(root, 'in'));
  symlinkSync('../nowhere-yet', join(root, 'dangling'));
  symlinkSync('self', join(root, 'self'));
  return root;
}

const escapes = [
  '..',
  '../repo-evil/x',
  'src/../../outside/secret',
  'src/../..',
  '/etc/passwd',
  'out/secret',
  'out',
  'out/new-file',
  'file-out',
  'slash/etc/passwd',
  'dangling',
  'dangling/x',
  'self',
  'self/x',
  'in/../../outside',
  'C:\\Windows',
  'C:relative',
  'c:../x',
  '\\\\server\\share',
  '\\etc',
  '..\\outside\\secret',
  'src\\..\\..\\outside',
  'a\u0000b',
  'src/a.ts\u0000.png',
];

test.each(escapes)('%j does not lead out', (path) => {
  expect(() => resolveInside(jail(), path)).toThrow(
    expect.objectContaining({ code: 'DENIED', hint: expect.any(String) }),
  );
});

test.each([
  'src/a.ts',
  'src/new/deep/file.ts',
  'in/a.ts',
  '.',
  '',
  'foo..bar',
  '...',
  'a:b'.slice(0, 1),
  'src/%2e%2e/x',
  '日本/é',
  '-rf',
  ' ',
])('%j stays inside and is allowed', (path) => {
  const root = jail();
  expect(resolveInside(root, path).startsWith(root)).toBe(true);
});

test('a sibling that begins with the same letters is not inside', () => {
  expect(isWithin('/repo', '/repo-evil')).toBe(false);
  expect(isWithin('/repo', '/repo/..evil')).toBe(true);
  expect(isWithin('/repo', '/repo')).toBe(true);
  expect(isWithin('/repo', '/')).toBe(false);
});

test('whatever a path says, the answer is inside or refused', () => {
  const root = jail();
  const part = fc.constantFrom(
    '..',
    '.',
    'src',
    'out',
    'in',
    'slash',
    'a.ts',
    '',
    'file-out',
    'x',
    '..\\',
    '\u0000',
    'dangling',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      let resolved: string;
      try {
        resolved = resolveInside(root, parts.join('/'));
      } catch (error) {
        expect(error).toMatchObject({ code: 'DENIED' });
        return;
      }
      expect(isWithin(root, resolved)).toBe(true);
      const there = (() => {
        try {
          return realpathSync(resolved);
        } catch {
          return root;
        }
      })();
      expect(isWithin(root, there)).toBe(true);
    }),
    { seed: 17, numRuns: 500 },
  );
});
