import { isProseOrSettings } from '../../base/text/index.ts';
import table from './trust.json' with { type: 'json' };

/** How far something is to be believed. */
export interface TrustLevel {
  /** 0–100, from what it is and how it was checked; age plays no part. */
  level: number;
  /** 0–100, as it is shown to people: a remembered thing steps down as it gets older. */
  shown: number;
  name: string;
  warning: string;
}

export type SourceKind = keyof typeof table.levels;

export type Verified = 'none' | 'against_code' | 'against_history' | 'by_user';

export interface TrustFacts {
  kind: SourceKind;
  verification?: Verified;
  /** A person said it. */
  byPerson?: boolean;
  /** The firewall found something against it, or a dispute about it is open. */
  disputed?: boolean;
  /** Nothing in it could be checked: neither for nor against. */
  uncheckable?: boolean;
  /** An area whose files changed after it was written. */
  stale?: boolean;
  /** 0–10, the claim of whoever gathered it; it lowers, it never raises. */
  trustScore?: number;
  /** Levels of what it was made from. */
  lineage?: number[];
  /** In days. */
  age?: number;
}

/** The one table. Inference and whatever failed its check stand at the bottom. */
const levels: Record<SourceKind, number> = table.levels;
/** Only program code says how things are; prose and settings beside it say what somebody wrote. */
export const kindOfFile = (path: string): SourceKind =>
  isProseOrSettings(path) ? 'repository_text' : 'code';

const staleArea = 40;
const informal = 30;
const inferred = 20;

interface TrustWords {
  name: string;
  warning: string;
}

const ownNames: Partial<Record<SourceKind, TrustWords>> = table.ownNames;

function ownLevel(
  { kind, byPerson, verification, uncheckable, disputed, stale }: TrustFacts,
  checked: boolean,
): number {
  if (kind === 'entry' && !byPerson && !checked && verification !== 'against_history')
    return uncheckable && !disputed ? informal : inferred;
  return kind === 'area' && stale ? staleArea : levels[kind];
}

export function trustOf(facts: TrustFacts): TrustLevel {
  const checked = facts.verification === 'by_user' || facts.verification === 'against_code';
  let level = ownLevel(facts, checked);
  // Nothing that was made from a doubtful source is better than it, unless somebody looked at the code itself.
  if (!checked && facts.lineage && facts.lineage.length > 0) level = Math.min(level, ...facts.lineage);
  const before = level;
  if (facts.trustScore !== undefined) level = Math.min(level, Math.max(0, facts.trustScore) * 10);
  const score = level < before ? facts.trustScore : undefined;
  if (facts.disputed && facts.kind !== 'code' && facts.verification !== 'by_user')
    level = Math.min(level, inferred);
  const shown = facts.kind === 'entry' ? Math.min(level, shownAt(facts.age ?? 0)) : level;
  const own = level === levels[facts.kind] ? facts.kind : undefined;
  return { level, shown, ...(score === undefined ? wordsFor(shown, own) : ratedLow(score)) };
}

const ratedLow = (score: number): TrustWords => ({
  name: 'Low-Rated Source',
  warning: `⚠️ Rated ${score} of 10 by whoever gathered it - verify independently`,
});

/** 80 for a week, 60 for a month, 40 after. */
function shownAt(days: number): number {
  if (days < 7) return 80;
  return days < 30 ? 60 : 40;
}

export function wordsFor(level: number, kind?: SourceKind): TrustWords {
  const own = kind && ownNames[kind];
  if (own) return own;
  if (kind === 'entry' && level === 60)
    return { name: 'Older Verified', warning: 'From history of this month, may need verification' };
  const { name, warning } = table.steps.find(({ from }) => level >= from) ?? { name: '', warning: '' };
  return { name, warning };
}

export const isGround = (source: { domain: string }): boolean => source.domain === 'code';

/** The list that a model is given, highest first. */
export const hierarchy: Array<{ what: string; level: number }> = [
  { what: 'Current code (ground truth)', level: levels.code },
  { what: 'Commits, as a record of what happened', level: levels.commit },
  { what: 'Recent verified history (<7 days), statements of the user', level: levels.entry },
  {
    what: 'Official documentation / RFCs, prose and settings of the repository',
    level: levels.documentation,
  },
  { what: 'Academic papers / best practices, knowledge of an area', level: levels.paper },
  { what: 'Tasks and skills', level: levels.task },
  { what: 'Older history (>30 days)', level: 40 },
  { what: 'Blog posts / SO answers, statements nobody could check', level: informal },
  { what: 'Your inference (unverified)', level: inferred },
];
