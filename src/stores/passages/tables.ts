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
