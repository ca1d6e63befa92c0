import type { Chunk } from '../../base/chunk/index.ts';
import type { Domain, Passages } from '../../stores/passages/index.ts';
import type { Meaning } from './meaning.ts';

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

/** What a source with an index of its own answers with: a card that recall passes on. */
export interface OwnCard {
  ref: string;
  domain: Domain;
  title: string;
  lines: string;
  heading?: string;
  snippet: string;
  score: number;
  /** 0 … 1, as for every card: how much of the question it covers, by words or by meaning. */
  relevance: number;
  reason: string;
  trust: number;
  updated: string;
}

/**
 * A store joins recall by registering one of these. The engine keeps passages and vectors for it; the source says what
 * there is and what it says, and may add signals of its own.
 */
export interface RecallSource {
  name: string;
  domain: Domain;
  /** Everything there is now. A changed hash means changed text. */
  owners(): Iterable<SourceOwner> | Promise<Iterable<SourceOwner>>;
  /** Changes when `owners` would answer differently; without it every refresh compares all. */
  generation?(): string | Promise<string>;
  /** The passages of one thing; undefined when it is gone. */
  chunks(owner: string): Chunk[] | undefined | Promise<Chunk[] | undefined>;
  /** The text that lines are counted in, for snippets. */
  text(owner: string): string | undefined | Promise<string | undefined>;
  /** What `kind:id` a passage is known by. */
  ref(owner: string): string;
  /** Signals by owner for this question, besides words and meaning. */
  search?(text: string, options: SourceOptions): OwnerHit[] | Promise<OwnerHit[]>;
  freshness(): Freshness | Promise<Freshness>;
  /** 0 … 100, how far its content can be relied on. */
  trust: number;
  /** Where things of one source differ: how far this one can be relied on, and what to be warned of. */
  standing?(owner: string): Promise<{ trust: number; warning?: string } | undefined>;
  /** A source with an index of its own answers by itself; recall keeps no passages of it. */
  answer?(
    text: string,
    window: { limit: number; offset: number; lines: number },
  ): Promise<{ cards: OwnCard[]; total: number }>;
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
