import { expect, test } from 'vitest';
import { timeScopeOf, withoutTime } from './index.ts';

/** A Sunday afternoon. */
const now = new Date(2026, 10, 15, 16, 30).getTime();
const day = (month: number, date: number, year = 2026) => new Date(year, month - 1, date).getTime();

test.each([
  ['how did we handle the auth migration last month', 'last_month', day(10, 1), day(11, 1)],
  ['where did we leave off yesterday', 'yesterday', day(11, 14), day(11, 15)],
  ['what did the team work on last week', 'last_week', day(11, 2), day(11, 9)],
  ['what changed in the API recently', 'recently', day(11, 8), now],
  ['who touched it lately', 'recently', day(11, 8), now],
  ['commits since Monday', 'since_monday', day(11, 9), now],
  ['what broke on Friday', 'friday', day(11, 13), day(11, 14)],
  ['what was decided in March', 'march', day(3, 1), day(4, 1)],
  ['the outage in December', 'december', day(12, 1, 2025), day(1, 1)],
  ['changes in the last 3 days', 'last_3_days', now - 3 * 86_400_000, now],
  ['this week', 'this_week', day(11, 9), now],
  ["yesterday's session", 'yesterday', day(11, 14), day(11, 15)],
  ['since 2026-10-05 only', 'since_2026_10_05', day(10, 5), now],
  ['what did we ship last sprint', 'last_sprint', now - 28 * 86_400_000, now - 14 * 86_400_000],
  ['goals of this sprint', 'this_sprint', now - 14 * 86_400_000, now],
  ['lessons of this year', 'this_year', day(1, 1), now],
])('%j names a stretch of time with the name %s', (text, name, from, to) => {
  expect(timeScopeOf(text, now)).toMatchObject({ name, from, to });
});

test.each([
  'similar errors to this before',
  'what approach did we take previously',
  'where is the march of time module',
  'may I ask',
  'the lastweekly job',
])('%j names no stretch of time', (text) => {
  expect(timeScopeOf(text, now)).toBeUndefined();
});

test('a text without its time says the rest', () => {
  expect(withoutTime('what changed in the API last week').replace(/\s+/g, ' ').trim()).toBe(
    'what changed in the API',
  );
});
