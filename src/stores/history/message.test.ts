import { describe, expect, test } from 'vitest';
import { applyTagOperations, parseConventional, parseTagLine, parseTrailers } from './message.ts';

describe('conventional commits (seed §2.1)', () => {
  test.each([
    ['feat(auth): add rate limiting', { type: 'feat', scope: 'auth', breaking: false }],
    ['fix: a typo', { type: 'fix', scope: undefined, breaking: false }],
    ['refactor(core)!: drop it', { type: 'refactor', scope: 'core', breaking: true }],
    ['Feat: upper case', { type: 'feat', scope: undefined, breaking: false }],
    ['fix: x\n\nBREAKING CHANGE: y', { type: 'fix', scope: undefined, breaking: true }],
  ])('%j has a type, a scope and a breaking flag', (message, expected) => {
    expect(parseConventional(message)).toEqual(expected);
  });

  test.each(['Update readme', 'http://example.org is down', 'fix:no blank', '', ': empty', 'a b: c'])(
    '%j is no conventional subject',
    (message) => {
      expect(parseConventional(message)).toBeUndefined();
    },
  );
});

describe('the tags line (seed §2.1, §2.2)', () => {
  const line = (message: string) =>
    parseTagLine(message).map(({ op, tag }) => (op === 'add' ? '+' : '-') + tag);

  test('a bare tag and +tag add, -tag removes', () => {
    expect(line('feat: x\n\ntags: +session, -auth, redis')).toEqual(['+session', '-auth', '+redis']);
  });

  test('tags are trimmed and lower-cased, empty parts are left out', () => {
    expect(line('x\n\ntags:  Auth ,, + Rate-Limiting , - , +')).toEqual(['+auth', '+rate-limiting']);
  });

  test('the line starts its line, in any case, and the last such line wins', () => {
    expect(line('x\n\nTags: a\nsome tags: b\ntAgS: c, -d\n')).toEqual(['+c', '-d']);
  });

  test('trailers may follow the line', () => {
    expect(line('x\n\ntags: a, b\nSigned-off-by: Ada <ada@example.org>')).toEqual(['+a', '+b']);
  });

  test('a message without the line has no operations', () => {
    expect(line('fix: tags: are not at the start')).toEqual([]);
  });

  test('removing a tag that was never added is a no-op', () => {
    expect([...applyTagOperations(new Set(['a']), parseTagLine('x\n\ntags: -zzz'))]).toEqual(['a']);
  });
});

test('trailers are the last paragraph, continued lines joined', () => {
  expect(parseTrailers('x\n\nbody: not\n\nFixes: one\n two\nReviewed-by: Ada')).toEqual([
    { key: 'Fixes', value: 'one two' },
    { key: 'Reviewed-by', value: 'Ada' },
  ]);
  expect(parseTrailers('Subject: only')).toEqual([]);
  expect(parseTrailers('x\n\nprose\nFixes: one')).toEqual([]);
});
