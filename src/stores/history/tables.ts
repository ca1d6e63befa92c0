import type { DerivedSchema } from '../../base/sqlite/index.ts';

/**
 * Two kinds of rows. Facts are permanent and shared by all worktrees: commits, paths, changes, the words of
 * messages and paths. A view follows from the facts for one HEAD: order, living files, lineages, tags.
 * `facts.data` and the lists are packed numbers (packed.ts, facts.ts).
 */
export const historySchema: DerivedSchema = {
  store: 'history',
  version: 2,
  tables: [
    'meta',
    'authors',
    'commits',
    'facts',
    'tag_lines',
    'paths',
    'postings',
    'problems',
    'views',
    'worktrees',
    'lineages',
    'tags',
  ],
  create: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL);
    CREATE TABLE commits (
      id INTEGER PRIMARY KEY, sha BLOB NOT NULL, author INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      committed INTEGER NOT NULL, conv_type TEXT, conv_scope TEXT, breaking INTEGER NOT NULL, message TEXT NOT NULL);
    CREATE UNIQUE INDEX commits_sha ON commits (sha);
    CREATE TABLE facts (page INTEGER PRIMARY KEY, data BLOB NOT NULL);
    CREATE TABLE tag_lines (commit_id INTEGER PRIMARY KEY, operations TEXT NOT NULL);
    CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL);
    CREATE UNIQUE INDEX paths_path ON paths (path);
    CREATE TABLE postings (
      word TEXT NOT NULL, field INTEGER NOT NULL, chunk INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY (word, field, chunk)) WITHOUT ROWID;
    CREATE TABLE problems (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL,
      UNIQUE (kind, what));
    CREATE TABLE views (
      id INTEGER PRIMARY KEY, head BLOB, commits INTEGER NOT NULL, positions BLOB NOT NULL, homes BLOB NOT NULL);
    CREATE TABLE worktrees (name TEXT PRIMARY KEY, view INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE lineages (
      view INTEGER NOT NULL, path INTEGER NOT NULL, count INTEGER NOT NULL, words INTEGER NOT NULL,
      commits BLOB NOT NULL, operations TEXT, PRIMARY KEY (view, path)) WITHOUT ROWID;
    CREATE TABLE tags (
      view INTEGER NOT NULL, tag TEXT NOT NULL, alive INTEGER NOT NULL, paths BLOB NOT NULL,
      PRIMARY KEY (view, tag)) WITHOUT ROWID;
  `,
};

/** Creates the unique indexes after bulk loading: building them sorted is far cheaper. */
export const bulkIndexes = {
  drop: 'DROP INDEX commits_sha; DROP INDEX paths_path;',
  create: 'CREATE UNIQUE INDEX commits_sha ON commits (sha); CREATE UNIQUE INDEX paths_path ON paths (path);',
};
