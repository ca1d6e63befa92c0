import { createWordIndex, type WordIndex } from '../../base/search/index.ts';
import type { DerivedSchema } from '../../base/sqlite/index.ts';

/** The searchable domains. Each has its own words, because a word can be rare in one and common in another. */
export const domains = ['code', 'commits', 'chronicle', 'references', 'areas', 'work', 'skills'] as const;
export type Domain = (typeof domains)[number];

/** The path weighs more than the body: a file named after the subject is about it. */
const weights = { place: 2.5, body: 1 };

export const words = Object.fromEntries(
  domains.map((domain) => [domain, createWordIndex(`words_${domain}`, weights)]),
) as Record<Domain, WordIndex>;

/**
 * An owner is what passages are cut from: a file, a commit, a topic. Its hash shows whether they are up to date. Texts
 * are not stored, only their words. Passages with the same text share a key, and with it a vector. A source's
 * generation is the state that its passages match.
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

/** The place of a passage. */
export interface Passage {
  id: number;
  domain: Domain;
  /** The id of its owner within its domain: a path, a commit, a topic. */
  owner: string;
  title: string;
  startLine: number;
  endLine: number;
  heading: string[];
  /** Equal for equal texts; the key of the vector. */
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
  /** Words of its place: the path, the headings. */
  place: string;
  body: string;
  /** The text that is embedded. */
  embedded: string;
}
