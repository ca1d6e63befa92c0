import { expect, test } from 'vitest';
import { subjectKey, subjectOf } from './index.ts';

test.each([
  ['where is the auth code', 'authentication'],
  ['what patterns do we use for error handling', 'error_handling'],
  ['where is the auth middleware', 'auth_middleware'],
  ['what is our caching strategy', 'caching'],
  ['how does CreateSession work', 'create_session'],
  ['what testing frameworks do we use', 'testing'],
  ['how did we handle the auth migration', 'auth_migration'],
  ['what changed in the API recently', 'api'],
  ['did the database fix work', 'database_fix'],
  ['similar errors to this before', 'errors'],
  ['where did we leave off yesterday', 'session'],
])('the subject of %j is %s (Guide Routing Prompt Enhancement)', (text, subject) => {
  expect(subjectOf(text)).toBe(subject);
});

test.each([
  ['find CreateUser function', 'create_user'],
  ['How would I design a distributed rate limiter?', 'distributed_rate_limiter'],
  ["What's the best practice for retry logic?", 'retry_logic'],
  ['how did we handle the auth migration last month', 'auth_migration'],
  ['how did we fix that caching bug', 'caching_bug'],
  ['Fixed auth bug by adding null check', 'auth_bug'],
  ['what happened in src/auth/session.ts', 'auth_session'],
  ['why did we choose node:sqlite', 'node_sqlite'],
  ['where did we leave off', 'session'],
  ['continue from yesterday', ''],
  ['', ''],
])('the subject of %j is %j', (text, subject) => {
  expect(subjectOf(text)).toBe(subject);
});

test('ways of naming one thing have one key', () => {
  expect(subjectKey('rate_limiter')).toBe(subjectKey('RateLimiting'));
  expect(subjectKey('auth')).toBe(subjectKey('authentication'));
  expect(subjectKey('error_handling')).not.toBe(subjectKey('error'));
});

test('a text of any length and script has a subject of at most four words', () => {
  const long = `where is ${'über-große konfiguration '.repeat(5000)}`;
  expect(subjectOf(long).split('_').length).toBeLessThanOrEqual(4);
});
