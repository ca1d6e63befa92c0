/** How current something still is. Trust says who speaks; this says when. */
export interface Freshness {
  /** 0–1. */
  score: number;
  /** In days; 0 where nobody knows. */
  age: number;
  warning: string;
  /** What took its place, followed to the last one. */
  supersededBy?: string;
  expired: boolean;
  /** Past the age that was set for it. */
  stale: boolean;
  /** About another version than the one in use. */
  otherVersion: boolean;
}

export interface FreshnessFacts {
  domain: string;
  /** Milliseconds since the epoch; 0 where nobody knows. */
  at: number;
  expiresAt?: number | null;
  supersededBy?: string;
  /** The file is not the one that was indexed: for code, the only way to be out of date. */
  changed?: boolean;
  /** From when on whoever gathered it wants it fetched again; in milliseconds since the epoch. */
  staleAt?: number;
  /** What it documents is not what this project uses, in words. */
  otherVersion?: string;
}

const day = 86_400_000;
const superseded = 0.1;
const expired = 0.5;
const changed = 0.5;
const stale = 0.5;
const otherVersion = 0.5;

/** What a remembered thing is worth after so many days; straight lines between. */
const remembered: Array<[days: number, score: number]> = [
  [0, 1],
  [1, 0.95],
  [7, 0.8],
  [30, 0.6],
  [180, 0.3],
  [365, 0.2],
];
/** Documentation ages slower and keeps more. */
const gathered: Array<[days: number, score: number]> = [
  [0, 1],
  [365, 0.3],
];

/** Code is as current as its file. A commit says what happened, and that does not change; what follows from it may. */
const decay: Record<string, { points: typeof remembered; warnAfter: number; warning: string } | undefined> = {
  chronicle: { points: remembered, warnAfter: 30, warning: 'may be outdated' },
  work: { points: remembered, warnAfter: 30, warning: 'may be outdated' },
  references: { points: gathered, warnAfter: 180, warning: 'verify still current' },
  commits: { points: gathered, warnAfter: 180, warning: 'verify still current' },
  areas: { points: gathered, warnAfter: 180, warning: 'verify still current' },
};

export function freshnessOf(facts: FreshnessFacts, now: number): Freshness {
  const age = facts.at > 0 ? Math.max(0, (now - facts.at) / day) : 0;
  if (facts.supersededBy)
    return {
      score: superseded,
      age,
      warning: '⚠️ SUPERSEDED - newer information available',
      supersededBy: facts.supersededBy,
      expired: false,
      stale: false,
      otherVersion: false,
    };
  const rule = decay[facts.domain];
  let score = rule ? interpolate(rule.points, age) : 1;
  let warning = rule && age > rule.warnAfter ? `⚠️ ${Math.floor(age)} days old - ${rule.warning}` : '';
  if (facts.changed) {
    score *= changed;
    warning = '⚠️ CHANGED since it was indexed';
  }
  if (facts.otherVersion) {
    score *= otherVersion;
    warning = `⚠️ Other version - ${facts.otherVersion}`;
  }
  const { staleAt = Number.POSITIVE_INFINITY } = facts;
  const past = now >= staleAt;
  if (past) {
    score *= stale;
    warning = `⚠️ Stale since ${new Date(staleAt).toISOString().slice(0, 10)} - fetch it again${facts.otherVersion ? `; ${facts.otherVersion}` : ''}`;
  }
  const over = facts.expiresAt !== undefined && facts.expiresAt !== null && now > facts.expiresAt;
  if (over) {
    score *= expired;
    warning = '⚠️ EXPIRED - should be refreshed';
  }
  return {
    score: Math.round(score * 1000) / 1000,
    age,
    warning,
    expired: over,
    stale: past,
    otherVersion: Boolean(facts.otherVersion),
  };
}

function interpolate(points: Array<[number, number]>, days: number): number {
  let [from, high] = [0, 1];
  for (const [to, low] of points) {
    if (days <= to) return to === from ? low : high + ((low - high) * (days - from)) / (to - from);
    [from, high] = [to, low];
  }
  return high;
}

/** For people: "today", "3 days old". */
export const ageInWords = (age: number): string =>
  age < 1 ? 'today' : `${Math.floor(age)} day${age < 2 ? '' : 's'} old`;
