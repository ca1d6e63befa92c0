export type ClaimKind = 'uses' | 'implements' | 'has' | 'is' | 'location';

/** Something a text says about the code that the code can confirm or refute. */
export interface Claim {
  kind: ClaimKind;
  /** Who; empty where the project as a whole is meant. */
  subject: string;
  object: string;
  /** It says that this is so no more. */
  negated: boolean;
  /** The names can only be names; otherwise the claim counts only where the code or its past knows the word. */
  sure: boolean;
  /** What it is used for, when the sentence says so. */
  purpose: string;
  /** What it took the place of, or what took its place: where that is a package, so is this. */
  partner: string;
  /** The sentence that says it. */
  sentence: string;
}
