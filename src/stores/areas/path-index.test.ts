import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { createPathIndex } from './path-index.ts';

const segment = fc.constantFrom('src', 'a', 'b', 'ab', 'index.ts', 'x.test.ts', '.env', 'b-1.ts');
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
const glob = fc
  .array(
    fc.oneof(
      segment,
      fc.constantFrom('*', '**', '*.ts', 'b-*.ts', '?b', '{a,b}', 'x{.test,}.ts', '[ab]', '*.{ts,js}', 'a*'),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join('/'));

test('the index finds exactly what trying every pattern finds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(glob, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
      fc.array(path, { maxLength: 12 }),
      (atoms, paths) => {
        const index = createPathIndex();
        for (const [at, patterns] of atoms.entries()) index.set(String(at), patterns);
        for (const one of paths) {
          const expected = atoms.flatMap((patterns, at) =>
            patterns.some((pattern) =>
              picomatch(pattern, { dot: true, nonegate: true, noextglob: true })(one),
            )
              ? [String(at)]
              : [],
          );
          expect([...index.match(one)].sort(), `${one} against ${JSON.stringify(atoms)}`).toEqual(
            expected.sort(),
          );
        }
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});

test.each([
  ['src/pages/checkout/**', 'src/pages/checkout/deep/in/view.tsx', true],
  ['src/pages/checkout/**', 'src/pages/checkout-old/view.tsx', false],
  ['src/payments/stripe-*.ts', 'src/payments/stripe-api.ts', true],
  ['src/payments/stripe-*.ts', 'src/payments/deep/stripe-api.ts', false],
  ['src/shared/email-client.ts', 'src/shared/email-client.ts', true],
  ['*.md', 'README.md', true],
  ['*.md', 'docs/README.md', false],
  ['.github/**', '.github/workflows/ci.yml', true],
])('%s against %s is %s: * stays within a directory, ** crosses them', (pattern, given, expected) => {
  const index = createPathIndex();
  index.set('a', [pattern]);
  expect(index.match(given).length === 1).toBe(expected);
});

test('an atom that is set again or removed leaves nothing behind', () => {
  const index = createPathIndex();
  index.set('a', ['src/**', '**/x.ts', '*']);
  index.set('a', ['lib/**']);
  expect(index.match('src/x.ts')).toEqual([]);
  index.remove('a');
  expect([index.match('lib/x'), index.atoms]).toEqual([[], 0]);
});
