import type { CacheQuestion } from './question.ts';

const hour = 3_600_000;

/**
 * One text for the time that was asked about, by what it covers: "last week" said on two Mondays are two times,
 * "recently" and "lately" are one. Short stretches are told apart by ten minutes, long ones by days.
 */
export function timeKey(scope: CacheQuestion['timeScope'], now: number): string {
  if (!scope) return '';
  const { from, to } = scope;
  const grain = to - from >= 48 * hour ? 24 * hour : hour / 6;
  const end = to >= now - 60_000 ? 'now' : Math.floor(to / grain);
  return `${Math.floor(from / grain)}..${end}`;
}
