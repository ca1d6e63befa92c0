import { expect, test } from 'vitest';
import type { Citation } from './answer.ts';
import { nearestOnly } from './nearest.ts';

const files: Record<string, string> = {
  'src/body-limit.ts': 'export const bodyLimit = (bytes) => bytes;',
  'src/rate.ts': 'class RateLimiter {}',
  'src/login.ts': 'export function authenticate(session) {}',
};
const cited = (...paths: string[]): Citation[] =>
  paths.map((path, at) => ({
    n: at + 1,
    ref: `file:${path}`,
    domain: 'code',
    place: `${path}:1-3`,
    reason: 'near',
    trust: 100,
    trust_name: 'Ground Truth (Code)',
    freshness: 1,
    state: 'verified, current',
    quality: 1,
  }));
const nearest = (subject: string, ...paths: string[]) =>
  nearestOnly(subject, cited(...paths), async (path) => files[path]);

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
    nearestOnly(text, [commit, ...cited('src/login.ts')], async (path) => files[path], { filesOnly: false });
  expect(await found('invoice pdf')).toBeUndefined();
  expect(await found('authenticate session')).toBeUndefined();
  expect((await found('kubernetes operator'))!.line).toContain('No result contains');
});

test('any other question is told so only where nothing found holds enough of its words', async () => {
  const ask = (subject: string) =>
    nearestOnly(subject, cited('src/login.ts'), async (path) => files[path], { isQuestion: true });
  expect((await ask('satellite telemetry'))?.share).toBe(0);
  expect(await ask('login telemetry')).toBeUndefined();
});
