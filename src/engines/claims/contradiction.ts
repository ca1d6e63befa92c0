import { stem } from '../../base/text/index.ts';
import type { Claim } from './claim.ts';

/** What two claims disagree about, if anything. */
export interface Disagreement {
  subject: string;
  /** They differ only in place, purpose or value; code that confirms both settles it. */
  bothMayHold: boolean;
}

const same = (left: string, right: string): boolean =>
  left.toLowerCase().replace(/[_.]/g, '-') === right.toLowerCase().replace(/[_.]/g, '-');

const isExistence = (claim: Claim): boolean => claim.kind === 'uses' || claim.kind === 'has';

export function disagree(left: Claim, right: Claim): Disagreement | undefined {
  if (isExistence(left) && isExistence(right)) return existsOrNot(left, right);
  if (left.kind === 'location' && right.kind === 'location')
    return same(left.subject, right.subject) && !samePlace(left.object, right.object)
      ? { subject: left.subject, bothMayHold: true }
      : undefined;
  if (left.kind === 'is' && right.kind === 'is')
    return same(left.subject, right.subject) && left.object !== right.object && comparable(left, right)
      ? { subject: left.subject, bothMayHold: true }
      : undefined;
  return goneButDescribed(left, right) ?? goneButDescribed(right, left);
}

function existsOrNot(left: Claim, right: Claim): Disagreement | undefined {
  if (!same(left.object, right.object))
    return samePurpose(left, right)
      ? { subject: left.purpose || left.subject, bothMayHold: true }
      : undefined;
  const owners = !left.subject || !right.subject || same(left.subject, right.subject);
  const named = left.sure || right.sure || left.object.length > 3;
  return left.negated !== right.negated && owners && named
    ? { subject: left.object, bothMayHold: false }
    : undefined;
}

/** One says that it was removed, the other where or what it is. */
const goneButDescribed = (gone: Claim, described: Claim): Disagreement | undefined =>
  isExistence(gone) &&
  gone.negated &&
  !isExistence(described) &&
  !described.negated &&
  same(gone.object, described.subject)
    ? { subject: gone.object, bothMayHold: false }
    : undefined;

/** "zod for validation" against "joi for validation": one job, two names. */
function samePurpose(left: Claim, right: Claim): boolean {
  if (left.kind !== 'uses' || right.kind !== 'uses' || left.negated || right.negated) return false;
  const [one, other] = [purposeWords(left.purpose), purposeWords(right.purpose)];
  if (one.length === 0 || other.length === 0) return false;
  const subjects = !left.subject || !right.subject || same(left.subject, right.subject);
  return subjects && one.slice(0, 3).join(' ') === other.slice(0, 3).join(' ');
}

const purposeWords = (purpose: string): string[] =>
  purpose
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 2 && !['the', 'all', 'our', 'and', 'because', 'now'].includes(word))
    .map(stem);

const samePlace = (left: string, right: string): boolean =>
  left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`);

/** Two values, or two kinds; "is async" does not contradict "is a function". */
const comparable = (left: Claim, right: Claim): boolean => {
  const value = /^[\d'"]|^(?:true|false)$/;
  return value.test(left.object) && value.test(right.object);
};
