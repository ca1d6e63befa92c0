import type { Hop } from './contract.ts';

/** The newest hops, and whoever watches. Bounded: what nobody reads in time is overwritten. */
export function createTrace(keep: number) {
  const ring: Hop[] = new Array(keep);
  const watchers = new Set<(hop: Hop) => void>();
  let seq = 0;
  return {
    record: (hop: Omit<Hop, 'seq'>): void => {
      const told: Hop = Object.assign(hop as Hop, { seq: ++seq });
      ring[seq % keep] = told;
      if (watchers.size > 0)
        for (const watcher of watchers) {
          try {
            watcher(told);
          } catch {
            // Whoever watches must not disturb what is watched.
          }
        }
    },
    hops: (filter: { after?: number; session?: string; agent?: string; message?: string } = {}): Hop[] => {
      const found: Hop[] = [];
      for (let at = Math.max(seq - keep + 1, (filter.after ?? 0) + 1, 1); at <= seq; at++) {
        const hop = ring[at % keep]!;
        if (filter.session !== undefined && hop.session_id !== filter.session) continue;
        if (filter.agent !== undefined && hop.target !== filter.agent && hop.source !== filter.agent)
          continue;
        if (
          filter.message !== undefined &&
          hop.message_id !== filter.message &&
          hop.correlation_id !== filter.message
        )
          continue;
        found.push(hop);
      }
      return found;
    },
    watch: (watcher: (hop: Hop) => void): (() => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export type Trace = ReturnType<typeof createTrace>;
