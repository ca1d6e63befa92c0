import type { Clock } from '../../../base/clock.ts';
import type { Classification } from './classification.ts';

/** What may make one text two messages: who can see what, and where the work stands. */
export interface RouteKey {
  text: string;
  /** The session that asks, and whether it may see all. */
  visibility: string;
  phase: string;
  /** Preferences that routing looked at. */
  preferences: string;
}

export interface RouteCacheStatistics {
  entries: number;
  hits: number;
  misses: number;
}

const mostEntries = 500;
const lifetime = 60 * 60_000;

/** Decisions that a model was paid for, found again by the same words in the same session. */
export function createRouteCache(clock: Clock) {
  const kept = new Map<string, { at: number; classification: Classification }>();
  let hits = 0;
  let misses = 0;
  const keyOf = ({ text, ...rest }: RouteKey): string =>
    JSON.stringify([text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim(), ...Object.values(rest)]);
  return {
    get: (key: RouteKey): Classification | undefined => {
      const name = keyOf(key);
      const found = kept.get(name);
      kept.delete(name);
      if (!found || clock.now() - found.at > lifetime) {
        misses++;
        return undefined;
      }
      hits++;
      kept.set(name, found);
      return found.classification;
    },
    /** Only what a model decided is kept: everything else is as quick to find out again. */
    set: (key: RouteKey, classification: Classification): boolean => {
      if (classification.method !== 'model') return false;
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size >= mostEntries) kept.delete(oldest);
      kept.set(keyOf(key), { at: clock.now(), classification });
      return true;
    },
    clear: () => kept.clear(),
    statistics: (): RouteCacheStatistics => ({ entries: kept.size, hits, misses }),
  };
}
