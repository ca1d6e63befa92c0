import type { Domain } from './tables.ts';

/** Where a passage stands. */
export interface Passage {
  id: number;
  domain: Domain;
  /** The id of what it was cut from within its domain: a path, a commit, a topic. */
  owner: string;
  title: string;
  startLine: number;
  endLine: number;
  heading: string[];
  /** Equal for equal texts; vectors are kept under it. */
  key: string;
  /** Milliseconds since the epoch; 0 when unknown. */
  updated: number;
}

export interface OwnerState {
  owner: string;
  /** Changes whenever the text changes. */
  hash: string;
}

export interface OwnerRecord extends OwnerState {
  domain: Domain;
  title?: string;
  /** Higher is embedded earlier. */
  priority?: number;
  updated?: number;
}

export interface NewPassage {
  startLine: number;
  endLine: number;
  heading: string[];
  /** Words that say where it is: the path, the headings. */
  place: string;
  body: string;
  /** What is embedded for it. */
  embedded: string;
}
