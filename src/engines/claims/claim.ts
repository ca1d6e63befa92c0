export type ClaimKind = 'uses' | 'implements' | 'has' | 'is' | 'location';

/** A statement about the code that the code can confirm or refute. */
export interface Claim {
  kind: ClaimKind;
  /** The subject; empty for the project as a whole. */
  subject: string;
  object: string;
  /** It says that this is no longer so. */
  negated: boolean;
  /** Unambiguous names; otherwise the claim counts only if the code or its history contains the word. */
  sure: boolean;
  /** Its purpose, if the sentence states one. */
  purpose: string;
  /** What it replaced, or what replaced it: if that is a package, so is this. */
  partner: string;
  /** The source sentence. */
  sentence: string;
}
