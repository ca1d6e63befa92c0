import { expect, test } from 'vitest';
import { isOrdinary, isPath, readName } from './names.ts';

test('a path ends in a file or in a slash, and has nothing in it that a path has not', () => {
  expect(['src/a.ts', 'Makefile.toml', 'ab/', '@types/node.d.ts'].filter(isPath)).toHaveLength(4);
  expect(['login', 'src/login', 'my file.ts', 'x/', './', 'a|b.ts', '-x.ts'].filter(isPath)).toEqual([]);
});

test('addresses, paths without a file, sentences and numbers are no names', () => {
  for (const text of ['example.com', 'src/login', 'two words', '42', '', '…'])
    expect(readName(text), text).toBeUndefined();
});

test.each([
  ['`login`', 'login'],
  ['login()', 'login'],
  ['openSession', 'openSession'],
  ['open_session', 'open_session'],
  ['src/a.ts:12', 'src/a.ts'],
  ['./src/a.ts.', 'src/a.ts'],
  ['rate-limit', 'rate-limit'],
  ['@scope/name', '@scope/name'],
])('%s is surely a name', (text, name) => {
  expect(readName(text)).toEqual({ name, sure: true });
});

test.each(['login', 'Session', 'self-made', 'pre-built'])('%s may be a word', (text) => {
  expect(readName(text)).toEqual({ name: text, sure: false });
});

test('short, common and abstract words are ordinary; a capital keeps an ending from counting', () => {
  expect(['a', 'Default', 'rendering'].filter(isOrdinary)).toHaveLength(3);
  expect(['zod', 'Rendering', 'express'].filter(isOrdinary)).toEqual([]);
});
