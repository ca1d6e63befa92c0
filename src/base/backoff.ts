export interface Backoff {
  /** Milliseconds before the second attempt; doubled before each further one. */
  first: number;
  most?: number;
  /** Share by which chance makes a wait longer or shorter, so that several waiters do not meet again. */
  jitter?: number;
}

/** Milliseconds to wait after `attempt` failed, counted from 1. */
export const backoff = (
  attempt: number,
  { first, most = Number.POSITIVE_INFINITY, jitter = 0.25 }: Backoff,
  random: () => number = Math.random,
): number => Math.round(Math.min(most, first * 2 ** (attempt - 1)) * (1 - jitter + 2 * jitter * random()));
