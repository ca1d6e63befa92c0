/** Time is an argument everywhere, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export function fixedClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(milliseconds: number): void } {
  let current = start;
  return {
    now: () => current,
    advance: (milliseconds) => {
      current += milliseconds;
    },
  };
}

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
