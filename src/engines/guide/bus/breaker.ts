export interface BreakerLimits {
  /** Failed messages, each counted once, within `within` milliseconds that open it. */
  failures: number;
  within: number;
  /** Milliseconds until one message may try again. */
  rest: number;
}

export const breakerLimits: BreakerLimits = { failures: 5, within: 30_000, rest: 15_000 };

export type BreakerState = 'closed' | 'open' | 'half_open';

const everybody = '*';

/**
 * Spares an agent that keeps failing. Where only one session's messages fail while others get through, it opens for
 * that session alone: what one session sends must not cost the others. A message that is tried three times has
 * failed once.
 */
export function createBreaker(limits: BreakerLimits = breakerLimits) {
  const opened = new Map<string, { at: number; trial: string | undefined }>();
  let failures: Array<{ at: number; session: string; message: string }> = [];
  const success = new Map<string, number>();

  const scopeOf = (session: string): string | undefined =>
    opened.has(everybody) ? everybody : opened.has(session) ? session : undefined;

  const state = (session: string, now: number): BreakerState => {
    const open = opened.get(scopeOf(session) ?? '');
    if (!open) return 'closed';
    return now - open.at < limits.rest ? 'open' : 'half_open';
  };

  const open = (scope: string, now: number) => {
    opened.set(scope, { at: now, trial: undefined });
  };

  return {
    state: (session: string, now: number): BreakerState => state(session, now),
    /** Open for whoever, for the health of the agent as a whole. */
    worst: (now: number): BreakerState =>
      opened.size === 0
        ? 'closed'
        : [...opened.values()].some(({ at }) => now - at < limits.rest)
          ? 'open'
          : 'half_open',
    openFor: (): string[] => [...opened.keys()],
    /** Whether a message of this session may go out; half open lets one through. */
    may: (session: string, now: number): boolean => {
      const open = opened.get(scopeOf(session) ?? '');
      return !open || (now - open.at >= limits.rest && open.trial === undefined);
    },
    going: (session: string, message: string): void => {
      const open = opened.get(scopeOf(session) ?? '');
      if (open) open.trial = message;
    },
    succeeded: (session: string, message: string, now: number): void => {
      success.set(session, now);
      if (success.size > 1000)
        for (const [name, at] of success) if (now - at > limits.within) success.delete(name);
      const scope = scopeOf(session);
      if (scope === undefined || opened.get(scope)?.trial !== message) return;
      opened.delete(scope);
      failures = scope === everybody ? [] : failures.filter((failure) => failure.session !== scope);
    },
    failed: (session: string, message: string, now: number): void => {
      const scope = scopeOf(session);
      if (scope !== undefined) {
        if (opened.get(scope)?.trial === message) open(scope, now);
        return;
      }
      failures = failures.filter(
        (failure) => now - failure.at < limits.within && failure.message !== message,
      );
      failures.push({ at: now, session, message });
      if (failures.length < limits.failures) return;
      const alone = failures.every((failure) => failure.session === session);
      const others = [...success].some(([name, at]) => name !== session && now - at < limits.within);
      open(alone && others ? session : everybody, now);
      failures = [];
    },
    /** A trial that ended without a verdict makes room for another one. */
    abandoned: (session: string, message: string): void => {
      const open = opened.get(scopeOf(session) ?? '');
      if (open?.trial === message) open.trial = undefined;
    },
    /** Milliseconds until the next trial, when it is open. */
    rests: (now: number): number | undefined => {
      const waits = [...opened.values()].map(({ at }) => at + limits.rest - now).filter((wait) => wait > 0);
      return waits.length === 0 ? undefined : Math.min(...waits);
    },
  };
}

export type Breaker = ReturnType<typeof createBreaker>;
