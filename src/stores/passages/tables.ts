import { createWordIndex, type WordIndex } from '../../base/search/index.ts';
import type { DerivedSchema } from '../../base/sqlite/index.ts';

/** What can be searched. Each domain has words of its own, because what is rare in one is common in another. */
export const domains = ['code', 'commits', 'chronicle', 'references', 'areas', 'work', 'skills'] as const;
export type Domain = (typeof domains)[number];

/** Place weighs more than body: a file named after the thing is about it. */
const weights = { place: 2.5, body: 1 };

export const words = Object.fromEntries(
  domains.map((domain) => [domain, createWordIndex(`words_${domain}`, weights)]),
) as Record<Domain, WordIndex>;

/**
 * An owner is what passages are cut from: a file, a commit, a topic. Its hash says whether they are up to date. Texts
 * are not kept; only their words are. Passages with the same text share a key, and with it a vector. A source's
 * generation says what its passages were last in step with.
 */
export const passagesSchema: DerivedSchema = {
  store: 'passages',
  version: 3,
  tables: [
    'passage_owners',
    'passages',
    'passage_sources',
    ...domains.flatMap((domain) => [...words[domain].tables, `terms_${domain}`]),
  ],
  create: `
    CREATE TABLE passage_owners (
      id INTEGER PRIMARY KEY, domain TEXT NOT NULL, owner TEXT NOT NULL, title TEXT NOT NULL, hash TEXT NOT NULL,
      priority REAL NOT NULL, updated INTEGER NOT NULL, UNIQUE (domain, owner));
    CREATE TABLE passages (
      id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES passage_owners (id) ON DELETE CASCADE,
      start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, heading TEXT NOT NULL, key TEXT NOT NULL);
    CREATE INDEX passages_owner ON passages (owner_id);
    CREATE INDEX passages_key ON passages (key);
    CREATE TABLE passage_sources (name TEXT PRIMARY KEY, generation TEXT NOT NULL) WITHOUT ROWID;
    ${domains.map((domain) => words[domain].create).join('')}`,
};

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
