/** One question whose right answer a program that is not ours has told. */
export interface Question {
  kind: Kind;
  text: string;
  /** True where a citation (its place, hash and text) is the right one. */
  isRight(cited: CitedSource): boolean;
  /** A short name of what is right, for the list of misses. */
  gold: string;
  /** What a person would type instead, and the lines of its output that count as the first answer. */
  byHand: HandSearch;
}

export interface HandSearch {
  command: string;
  args: string[];
  isRight(line: string): boolean;
}

export const kinds = [
  'definition',
  'constant',
  'changed lately',
  'who knows',
  'reverted',
  'absent',
  'present',
] as const;
export type Kind = (typeof kinds)[number];

export interface CitedSource {
  ref: string;
  place: string;
  /** Reason and snippet: what the reader sees of it. */
  text: string;
}
