import type { Nearness } from '../../base/search/index.ts';

/** An entry for ranking. */
export interface Rankable {
  seq: number;
  id: string;
  session_id: string;
  created_at: number;
  superseded: boolean;
}

export interface RankedEntry {
  seq: number;
  /** 0 … 1 within one answer, descending. */
  score: number;
}

export interface RankRequest {
  /** Visible entries, in the order of writing. */
  entries: Rankable[];
  /** By id, the share of the score of a full word match. */
  words: Map<string, number>;
  nearness: Nearness | undefined;
  now: number;
}

/** Tuned on one half of the public conversations; docs/measurements.md has the figures of the other half. */
const tiers = {
  model: { weight: 0.4, floor: 0.28, places: true },
  static: { weight: 0.1, floor: 0.5, places: false },
};
/** Neighbors in the same session explain an entry: an answer follows its question. */
const fromBefore = 0.3;
const fromAfter = 0.15;
const besideMs = 10 * 60_000;
const halfLifeDays = 120;
const freshShare = 0.05;
/** Below this share the words did not match, and every third place goes to the nearest in meaning. */
const wellMatched = 0.3;

/** Words, meaning, neighbors, and a little age. */
export function rankEntries({ entries, words, nearness, now }: RankRequest): RankedEntry[] {
  const tier = nearness && tiers[nearness.tier];
  const near = entries.map(({ id }) => nearness?.of(id));
  const known = near.filter((value) => value !== undefined);
  const usual = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  const own = entries.map(
    ({ id }, at) => (words.get(id) ?? 0) + (tier?.weight ?? 0) * Math.max(0, (near[at] ?? usual) - usual),
  );
  const beside = (at: number, other: number): number => {
    const [one, two] = [entries[at]!, entries[other]];
    return two?.session_id === one.session_id && Math.abs(two.created_at - one.created_at) <= besideMs
      ? own[other]!
      : 0;
  };
  const relevant = (at: number): boolean =>
    words.has(entries[at]!.id) || (tier !== undefined && (near[at] ?? 0) >= tier.floor);
  const ranked = entries
    .map(({ seq, created_at, superseded }, at) => {
      const age = Math.max(0, now - created_at) / 86_400_000;
      const fresh = 1 - freshShare + freshShare * 0.5 ** (age / halfLifeDays);
      const score = own[at]! + fromBefore * beside(at, at - 1) + fromAfter * beside(at, at + 1);
      return { at, seq, created_at, score: score * fresh * (superseded ? 0.6 : 1) };
    })
    .filter(({ at }) => relevant(at))
    .sort((one, two) => two.score - one.score || two.created_at - one.created_at || two.seq - one.seq);
  const nearestFirst = [...ranked].sort((one, two) => (near[two.at] ?? -1) - (near[one.at] ?? -1));
  const matched = Math.max(0, ...words.values());
  return scaled(tier?.places && matched < wellMatched ? everyThird(ranked, nearestFirst) : ranked);
}

/** The order of the first list, with every third place given to the best of the second that is not there yet. */
function everyThird<T>(first: T[], second: T[]): T[] {
  const taken = new Set<T>();
  const lists = [first, second].map((list) => list.values());
  const next = (list: Iterator<T>): T | undefined => {
    for (let step = list.next(); !step.done; step = list.next())
      if (!taken.has(step.value)) return step.value;
    return undefined;
  };
  while (taken.size < first.length) taken.add(next(lists[taken.size % 3 === 2 ? 1 : 0]!) ?? next(lists[0]!)!);
  return [...taken];
}

function scaled(ranked: Array<{ seq: number; score: number }>): RankedEntry[] {
  const top = Math.max(...ranked.map(({ score }) => score), 1e-9);
  let least = 1;
  return ranked.map(({ seq, score }) => {
    least = Math.min(least, score / top);
    return { seq, score: least };
  });
}
