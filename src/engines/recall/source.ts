import type { Chunk } from '../../base/chunk/index.ts';
import type { Domain, Passages } from '../../stores/passages/index.ts';
import type { Meaning } from './meaning.ts';

export type Awaitable<T> = T | Promise<T>;

/** A definition of a file, as the index of symbols has it. */
export interface FileSymbol {
  name: string;
  kind: string;
  /** What it stands in, outermost first. */
  around: string[];
  startLine: number;
  endLine: number;
}

/** Named states; never a boolean. `stale` answers are given, and marked. */
export interface Freshness {
  state: 'fresh' | 'indexing' | 'stale' | 'empty' | 'unavailable';
  /** For people: "3 of 10 files", "behind HEAD by 2 commits". */
  detail?: string;
}

/** Something a source knows about a thing that the words and vectors of passages do not. All values lie in 0 … 1. */
export type Signals = Record<string, number>;

export interface OwnerHit {
  /** The id of the thing within the domain. */
  owner: string;
  signals: Signals;
  /** Where in it, when the source knows better than the passages. */
  startLine?: number;
  endLine?: number;
  /** This is exactly what was asked for by name; it stands before everything that is not. */
  exact?: boolean;
}

export interface SourceOptions {
  limit: number;
  path?: string;
  /** What words and vectors have found already: the source may have signals for it too. */
  found?: string[];
}

export interface ScorePart {
  signal: string;
  value: number;
  weight: number;
  points: number;
}

/** What an answer consists of: where, why, and just enough of the text to judge. */
export interface Card {
  ref: string;
  domain: string;
  title: string;
  path?: string;
  lines?: string;
  heading?: string;
  snippet?: string;
  score: number;
  /** 0 … 1, comparable between questions and domains: how much of the question this covers, by words or by meaning. */
  relevance: number;
  /** Which signals matched. */
  reason: string;
  /** For a commit: its hash, author and date. */
  detail?: string;
  trust: number;
  /** Shown wherever the card is. */
  warning?: string;
  updated?: string;
  parts?: ScorePart[];
}

/**
 * A store joins recall by registering one of these. The engine keeps passages and vectors for it; the source says what
 * there is and what it says, and may add signals of its own.
 */
export interface RecallSource {
  name: string;
  domain: Domain;
  /** Everything there is now. A changed hash means changed text. */
  owners(): Awaitable<Iterable<SourceOwner>>;
  /**
   * Changes when `owners` would answer differently; without it every refresh compares all. Told the one that was read last.
   */
  generation?(last: string | undefined): Awaitable<string>;
  /** It is always known whether there is anything; the others may have nothing yet because they are being read. */
  isNeverUnread?: boolean;
  /** The passages of one thing; undefined when it is gone. */
  chunks(owner: string): Awaitable<Chunk[] | undefined>;
  /** The text that lines are counted in, for snippets. */
  text(owner: string): Awaitable<string | undefined>;
  /** The definitions of one thing, where it has any. */
  symbols?(owner: string): FileSymbol[];
  /** What `kind:id` a passage is known by. */
  ref(owner: string): string;
  /** Signals by owner for this question, besides words and meaning. */
  search?(text: string, options: SourceOptions): Awaitable<OwnerHit[]>;
  freshness(): Awaitable<Freshness>;
  /** 0 … 100, how far its content can be relied on. */
  trust: number;
  /** Where things of one source differ: how far this one can be relied on, and what to be warned of. */
  standing?(owner: string): Promise<{ trust: number; warning?: string } | undefined>;
  /** One line about an owner besides its title. */
  detail?(owner: string): Promise<string | undefined>;
  /** A source with an index of its own answers by itself; recall keeps no passages of it. */
  answer?(
    text: string,
    window: { limit: number; offset: number; lines: number },
  ): Promise<{ cards: Card[]; total: number }>;
}

export interface SourceOwner {
  owner: string;
  hash: string;
  title?: string;
  /** Higher is embedded earlier. */
  priority?: number;
  updated?: number;
}

/** Files that a commit changed, as they are called now, and how old it is: 0 the newest, 1 the first of a long history. */
export type FilesOfCommit = (sha: string) => { files: string[]; age: number };

/** What a search over one domain works with. */
export interface RecallParts {
  passages: Passages;
  meaning: Meaning;
  sources: RecallSource[];
  /** Which files a commit changed, when the history is known. */
  filesOfCommit?: () => Promise<FilesOfCommit>;
  /** Files that change together with one, with the share of its commits. */
  changedWith?: (owner: string) => Map<string, number>;
  /** How rare a word of a question is within a domain; unknown words count most. */
  rarity(domain: Domain, words: string[]): (word: string) => number;
}
