import { isProseOrSettings } from '../../base/text/index.ts';

/** How far something is to be believed. */
export interface TrustLevel {
  /** 0–100, from what it is and how it was checked; age plays no part. */
  level: number;
  /** 0–100, as it is shown to people: a remembered thing steps down as it gets older. */
  shown: number;
  name: string;
  warning: string;
}

export type SourceKind =
  | 'code'
  | 'repository_text'
  | 'commit'
  | 'entry'
  | 'area'
  | 'task'
  | 'skill'
  | 'rfc'
  | 'documentation'
  | 'paper'
  | 'best_practice'
  | 'tutorial'
  | 'stack_overflow'
  | 'blog_post'
  | 'inference';

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
const levels: Record<SourceKind, number> = {
  code: 100,
  commit: 90,
  entry: 80,
  repository_text: 70,
  rfc: 70,
  documentation: 70,
  paper: 60,
  best_practice: 60,
  tutorial: 60,
  area: 60,
  task: 50,
  skill: 50,
  stack_overflow: 30,
  blog_post: 30,
  inference: 20,
};
/** Only program code says how things are; prose and settings beside it say what somebody wrote. */
export const kindOfFile = (path: string): SourceKind =>
  isProseOrSettings(path) ? 'repository_text' : 'code';

const staleArea = 40;
const informal = 30;
const inferred = 20;

const ownNames: Partial<Record<SourceKind, [name: string, warning: string]>> = {
  repository_text: ['Text in this repository', 'Written by whoever could commit, not verified'],
  commit: ['Recorded History', 'What happened then; the code may have changed since'],
  area: ['Area Knowledge', 'Written about an area, verify against the code'],
  task: ['Work Record', 'From a task, says what was planned or done'],
  skill: ['Trusted Skill', 'General instructions, may not apply to this code'],
};

/** Names and warnings of the levels, highest first. */
const steps: Array<[from: number, name: string, warning: string]> = [
  [100, 'Ground Truth (Code)', ''],
  [80, 'Recent Verified', 'From recent history, may need verification'],
  [70, 'Authoritative', 'From external docs, verify applies to your context'],
  [60, 'Academic', 'Academic source, may not apply directly'],
  [40, 'Old History', '⚠️ OLD DATA - verify this is still accurate'],
  [30, 'Informal', '⚠️ Informal source - verify independently'],
  [0, 'Unverified/Inferred', '⚠️ UNVERIFIED - LLM inference, may be incorrect'],
];

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

const ratedLow = (score: number): { name: string; warning: string } => ({
  name: 'Low-Rated Source',
  warning: `⚠️ Rated ${score} of 10 by whoever gathered it - verify independently`,
});

/** 80 for a week, 60 for a month, 40 after. */
function shownAt(days: number): number {
  if (days < 7) return 80;
  return days < 30 ? 60 : 40;
}

export function wordsFor(level: number, kind?: SourceKind): { name: string; warning: string } {
  const own = kind && ownNames[kind];
  if (own) return { name: own[0], warning: own[1] };
  if (kind === 'entry' && level === 60)
    return { name: 'Older Verified', warning: 'From history of this month, may need verification' };
  const [, name, warning] = steps.find(([from]) => level >= from)!;
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
