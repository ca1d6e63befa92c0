import { fileRef, isRefOf, refOf } from '../../../base/ref.ts';
import {
  type CheckedClaim,
  type Claim,
  type CodeEvidence,
  checkText,
  disagree,
  isPath,
  type Place,
} from '../../claims/index.ts';
import { isGround, type TrustLevel } from '../../recall/index.ts';

export const conflictKinds = ['temporal', 'source_mismatch', 'semantic'] as const;
export type ConflictKind = (typeof conflictKinds)[number];

/** Something that was found and that says something. */
export interface Statement {
  ref: string;
  domain: string;
  text: string;
  /** Milliseconds since the epoch; 0 where nobody knows. */
  at: number;
  trust: TrustLevel;
  /** What took its place: an old statement that was replaced conflicts with nothing. */
  supersededBy?: string;
}

export interface DetectedConflict {
  kind: ConflictKind;
  subject: string;
  left: string;
  right: string;
  description: string;
  resolution: string;
  winner: string;
  reason: string;
  /** Where the code that decides stands. */
  places: Place[];
}

const month = 30 * 86_400_000;
/** Domains whose things state how the code is now. A commit states what it did; that stays true. */
const stating = new Set(['chronicle', 'areas', 'work', 'references']);

/** What the code says about each statement, by its ref. Statements that were replaced are not asked. `code` is opened for the first one. */
export async function checkStatements(
  statements: Array<Omit<Statement, 'trust'>>,
  code: () => Promise<CodeEvidence>,
): Promise<Map<string, CheckedClaim[]>> {
  const read = new Map<string, CheckedClaim[]>();
  for (const statement of statements.filter(isCurrent))
    read.set(
      statement.ref,
      (await checkText(statement.text, await code())).filter((claim) => isAboutHere(statement, claim)),
    );
  return read;
}

/**
 * What was fetched speaks about things elsewhere: that they are not here says nothing against it. It is held against
 * this code where it says where something is, or that it is gone, and this code defines that very thing.
 */
const isAboutHere = (
  { domain }: Pick<Statement, 'domain'>,
  { claim, verdict, places }: CheckedClaim,
): boolean =>
  domain !== 'references' ||
  verdict === 'supported' ||
  (verdict === 'contradicted' &&
    ['location', 'has', 'implements'].includes(claim.kind) &&
    isRefOf(places[0]?.ref ?? '', 'symbol'));

const isCurrent = (each: Omit<Statement, 'trust'>): boolean => stating.has(each.domain) && !each.supersededBy;

/**
 * Contradictions among what was found: with the code (`source_mismatch`), between statements a month or more apart
 * (`temporal`), and between the others (`semantic`).
 */
export function conflictsAmong(
  statements: Statement[],
  checked: Map<string, CheckedClaim[]>,
): DetectedConflict[] {
  const current = statements.filter(isCurrent);
  const found: DetectedConflict[] = [];
  for (const statement of current)
    for (const claim of checked.get(statement.ref) ?? []) {
      const mismatch = mismatchOf(statement, claim);
      if (mismatch) found.push(mismatch);
    }
  for (const [at, left] of current.entries())
    for (const right of current.slice(at + 1))
      for (const mine of checked.get(left.ref) ?? [])
        for (const theirs of checked.get(right.ref) ?? []) {
          const conflict = between(left, right, mine, theirs);
          if (conflict) found.push(conflict);
        }
  return distinct(found);
}

function mismatchOf(
  statement: Statement,
  { claim, verdict, finding, places }: CheckedClaim,
): DetectedConflict | undefined {
  if (verdict !== 'contradicted') return undefined;
  const decides = places[0]?.ref ?? '';
  return {
    kind: 'source_mismatch',
    subject: subjectOf(claim),
    left: statement.ref,
    right: decides || missingRef(claim),
    description: `It says “${short(claim.sentence)}”, but ${finding}.`,
    resolution: 'Code is the source of truth: the statement may be outdated.',
    winner: decides || missingRef(claim),
    reason: 'Code is source of truth',
    places,
  };
}

/** What was said to be there and is not, as a ref that names it. */
const missingRef = (claim: Claim): string => {
  if (isPath(claim.object)) return fileRef(claim.object);
  return claim.kind === 'uses' ? refOf('package', claim.object) : refOf('symbol', subjectOf(claim));
};

function between(
  left: Statement,
  right: Statement,
  mine: CheckedClaim,
  theirs: CheckedClaim,
): DetectedConflict | undefined {
  const about = disagree(mine.claim, theirs.claim);
  if (!about) return undefined;
  if (about.bothMayHold && mine.verdict === 'supported' && theirs.verdict === 'supported') return undefined;
  const apart = Math.abs(left.at - right.at);
  const kind = left.at > 0 && right.at > 0 && apart > month ? 'temporal' : 'semantic';
  const { winner, reason } = resolveByTrust(
    { ...left, supported: mine.verdict === 'supported' },
    { ...right, supported: theirs.verdict === 'supported' },
  );
  return {
    kind,
    subject: about.subject.toLowerCase(),
    left: left.ref,
    right: right.ref,
    description: `“${short(mine.claim.sentence)}” contradicts “${short(theirs.claim.sentence)}”${kind === 'temporal' ? `, ${Math.round(apart / 86_400_000)} days apart` : ''}.`,
    resolution:
      kind === 'temporal'
        ? 'Prefer newer information unless older is from code.'
        : 'Requires human review to determine which is correct.',
    winner,
    reason,
    places: [],
  };
}

type Contender = Pick<Statement, 'ref' | 'domain' | 'at' | 'trust'> & { supported?: boolean };

/** Code wins, then what the code bears out, then the higher trust, then the newer. */
export function resolveByTrust(left: Contender, right: Contender): { winner: string; reason: string } {
  if (isGround(left) !== isGround(right))
    return { winner: (isGround(left) ? left : right).ref, reason: 'Code is source of truth' };
  if (Boolean(left.supported) !== Boolean(right.supported))
    return { winner: (left.supported ? left : right).ref, reason: 'Confirmed by the code' };
  if (left.trust.level !== right.trust.level) {
    const [high, low] = left.trust.level > right.trust.level ? [left, right] : [right, left];
    return { winner: high.ref, reason: `${high.trust.name} > ${low.trust.name}` };
  }
  return { winner: (left.at > right.at ? left : right).ref, reason: 'Same trust level, preferring newer' };
}

const subjectOf = (claim: Claim): string =>
  (claim.kind === 'uses' || claim.kind === 'has' ? claim.object : claim.subject).toLowerCase();
const short = (text: string): string => (text.length > 160 ? `${text.slice(0, 157)}…` : text);

/** One conflict for a pair and a subject, however many sentences say so. */
const distinct = (conflicts: DetectedConflict[]): DetectedConflict[] => [
  ...new Map(
    conflicts.map((each) => [
      `${each.kind} ${[each.left, each.right].sort().join(' ')} ${each.subject}`,
      each,
    ]),
  ).values(),
];
