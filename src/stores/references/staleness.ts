import { isoTime } from '../../base/clock.ts';

export type ShownStatus = 'active' | 'stale' | 'obsolete';

interface Aging {
  status: string;
  fetched_at: string;
  max_age_days: number;
}

const day = 86_400_000;

/** In this order: what never ages is never stale, even when obsolete; whole days; strictly more than allowed. */
export function isStale({ status, fetched_at, max_age_days }: Aging, now: number): boolean {
  if (max_age_days === 0) return false;
  if (status === 'obsolete') return true;
  return Math.floor((now - Date.parse(fetched_at)) / day) > max_age_days;
}

/** The moment from which `isStale` says yes by age alone. */
export const staleSince = ({ fetched_at, max_age_days }: Aging): string =>
  isoTime(Date.parse(fetched_at) + (max_age_days + 1) * day);

export const shownStatus = (topic: Aging, now: number): ShownStatus =>
  topic.status === 'obsolete' ? 'obsolete' : isStale(topic, now) ? 'stale' : 'active';
