export type BreakerState = 'closed' | 'open' | 'half_open';

const defaults = {
  /** Failed items, each counted once, within `within` milliseconds that open it. */
  failures: 5,
  within: 30_000,
  /** Milliseconds until one item may try again. */
  rest: 15_000,
};

const everybody = '*';

/**
 * Spares a worker that keeps failing. Where only one group's items fail while others get through, it opens for that
 * group alone: what one sends must not cost the others. An item that is tried three times has failed once.
 */
export function createBreaker(limits = defaults) {
  const opened = new Map<string, { at: number; trial?: string }>();
  let failures: Array<{ at: number; group: string; item: string }> = [];
  const lastSuccess = new Map<string, number>();

  const scopeOf = (group: string): string => (opened.has(everybody) ? everybody : group);
  const openFor = (group: string) => opened.get(scopeOf(group));
  const waits = (now: number): number[] =>
    [...opened.values()].map(({ at }) => at + limits.rest - now).filter((wait) => wait > 0);

  return {
    state: (group: string, now: number): BreakerState => {
      const open = openFor(group);
      if (!open) return 'closed';
      return now - open.at < limits.rest ? 'open' : 'half_open';
    },
    /** Over all groups. */
    worst: (now: number): BreakerState => {
      if (opened.size === 0) return 'closed';
      return waits(now).length > 0 ? 'open' : 'half_open';
    },
    /** Half open lets one through. */
    may: (group: string, now: number): boolean => {
      const open = openFor(group);
      return !open || (now - open.at >= limits.rest && open.trial === undefined);
    },
    started: (group: string, item: string): void => {
      const open = openFor(group);
      if (open) open.trial = item;
    },
    succeeded: (group: string, item: string, now: number): void => {
      lastSuccess.set(group, now);
      if (lastSuccess.size > 1000)
        for (const [name, at] of lastSuccess) if (now - at > limits.within) lastSuccess.delete(name);
      if (openFor(group)?.trial === item) opened.delete(scopeOf(group));
    },
    failed: (group: string, item: string, now: number): void => {
      const open = openFor(group);
      if (open) {
        if (open.trial === item) opened.set(scopeOf(group), { at: now });
        return;
      }
      failures = failures.filter((failure) => now - failure.at < limits.within && failure.item !== item);
      failures.push({ at: now, group, item });
      if (failures.length < limits.failures) return;
      const isAlone = failures.every((failure) => failure.group === group);
      const othersSucceed = [...lastSuccess].some(([name, at]) => name !== group && now - at < limits.within);
      opened.set(isAlone && othersSucceed ? group : everybody, { at: now });
      failures = [];
    },
    /** A trial that ended without a verdict makes room for another one. */
    undecided: (group: string, item: string): void => {
      const open = openFor(group);
      if (open?.trial === item) delete open.trial;
    },
    /** Milliseconds until the next trial, when it is open. */
    waitMs: (now: number): number | undefined => {
      const open = waits(now);
      return open.length === 0 ? undefined : Math.min(...open);
    },
  };
}

export type Breaker = ReturnType<typeof createBreaker>;
