import { expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { createGit } from '../../base/git/index.ts';
import { type Held, type HeldTree, heldTree, nearestOnly, nothingHere } from './nearest.ts';

const files: Record<string, string> = {
  'src/body-limit.ts': 'export const bodyLimit = (bytes) => bytes;',
  'src/rate.ts': 'class RateLimiter {}',
  'src/login.ts': 'export function authenticate(session) {}',
};
const cited = (...paths: string[]): Held[] =>
  paths.map((path) => ({
    ref: `file:${path}`,
    domain: 'code',
    place: `${path}:1-3`,
  }));
const tree: HeldTree = {
  read: async (path) => files[path],
  filesWith: async () => [],
  hasCommitWith: async () => false,
};
const nearest = (subject: string, ...paths: string[]) => nearestOnly(subject, cited(...paths), tree);

test('asked for a thing that no file found holds, the answer says that these are only the nearest', async () => {
  const found = await nearest('rate_limiter', 'src/body-limit.ts', 'src/login.ts');
  expect(found).toEqual({ share: 0.5, line: expect.stringContaining('"rate limiter"') });
});

test('nothing is said where one file holds the words, in a name or in a longer form', async () => {
  expect(await nearest('rate_limiter', 'src/body-limit.ts', 'src/rate.ts')).toBeUndefined();
  expect(await nearest('auth', 'src/login.ts')).toBeUndefined();
});

test('of three words one may be said differently', async () => {
  expect(await nearest('session_authentication_handling', 'src/login.ts')).toBeUndefined();
  expect(await nearest('session_billing_invoices', 'src/login.ts')).toMatchObject({ share: 1 / 3 });
});

test('bare words may also be those of a commit or of what was remembered', async () => {
  const commit = {
    ...cited('src/login.ts')[0]!,
    domain: 'commits',
    ref: 'commit:1',
    place: 'feat: invoices as pdf',
  };
  const found = (text: string) =>
    nearestOnly(text, [commit, ...cited('src/login.ts')], tree, { filesOnly: false });
  expect(await found('invoice pdf')).toBeUndefined();
  expect(await found('authenticate session')).toBeUndefined();
  expect((await found('kubernetes operator'))!.line).toContain('No result contains');
});

test('any other question is told so only where nothing found holds enough of its words', async () => {
  const ask = (subject: string) => nearestOnly(subject, cited('src/login.ts'), tree, { isQuestion: true });
  expect((await ask('satellite telemetry'))?.share).toBe(0);
  expect(await ask('login telemetry')).toBeUndefined();
});

test('a part of a longer name is in the file', async () => {
  expect(await nearest('ratelimit', 'src/rate.ts')).toBeUndefined();
});

test('a search says that nothing is here for junk and for absent words, and nothing for quoted text and paths', async () => {
  const said = (query: string) => nothingHere(query, cited('src/login.ts', 'src/rate.ts'), tree);
  for (const junk of ['asdfghjkl qwerty', 'zzz', 'constructor', '__proto__', 'kubernetes ingress'])
    expect(await said(junk), junk).toMatch(/^No result contains .* Closest matches:$/);
  for (const present of ['login', 'authenticate session', '"no such text"', 'src/none.ts', 'RateLimiter'])
    expect(await said(present), present).toBeUndefined();
});

test('nothing is said to be absent that another file or a commit has', async () => {
  const repository = testRepository();
  repository.commit('Bump libc from 1 to 2', {
    'src/login.ts': 'export function authenticate(session) {}\n',
    'CHANGES.txt': 'Use poll instead of select to support many files.\n',
  });
  const real = heldTree(repository.path, createGit(repository.path));
  const said = (query: string) => nothingHere(query, cited('src/login.ts'), real);
  expect(await said('poll instead of select')).toBeUndefined();
  expect(await said('bump libc')).toBeUndefined();
  expect(await said('bump kernel')).toContain('"bump kernel"');
  expect(await said("it's --all-match 'quoted'")).toContain('Closest matches:');
});

test('whether something is there is known by lines that stand together', async () => {
  const far = Array.from({ length: 60 }, (_, at) =>
    at === 0 ? 'sort(results)' : at === 59 ? 'size' : '// …',
  );
  const asked = (lines: string[]) =>
    nearestOnly(
      'sorting the results by size',
      cited('src/walk.rs'),
      { ...tree, read: async () => lines.join('\n') },
      { isNear: true },
    );
  expect((await asked(far))?.line).toContain('"sorting the results by size"');
  expect(await asked([...far, 'sort_by(results, size)'])).toBeUndefined();
});
