import type { Category } from '../../stores/chronicle/index.ts';
import type { Place } from './evidence.ts';

export type ClaimKind = 'uses' | 'implements' | 'has' | 'is' | 'location';

/** A statement about the code that the code can confirm or refute. */
export interface Claim {
  kind: ClaimKind;
  /** The subject; empty for the project as a whole. */
  subject: string;
  object: string;
  /** It says that this is no longer so. */
  negated: boolean;
  /** The names can only be names, and the sentence says that they are there; otherwise only a package can be meant. */
  sure: boolean;
  /** Its purpose, if the sentence states one. */
  purpose: string;
  /** The sentence that says it. */
  sentence: string;
}

/** `contradicted` needs something that stands against the claim; that nothing was found says nothing. */
export type Verdict = 'supported' | 'contradicted' | 'unknown';

export interface CheckedClaim {
  claim: Claim;
  verdict: Verdict;
  /** What in the code decides, or the commit that removed it. */
  places: Place[];
  /** For people: what the code says instead. */
  finding: string;
}

/** A failure, a hypothesis and an open question say what was tried, supposed or asked, not how the code is. */
export const isAboutCode = (category: Category): boolean =>
  !['failure', 'hypothesis', 'open_thread'].includes(category);

/** The code may contradict an insight; that its words occur in the code doesn't verify it. */
export const isVerifiable = (category: Category): boolean => isAboutCode(category) && category !== 'insight';
