import type { DerivedSchema } from '../../base/sqlite/index.ts';

/**
 * View 0 is the base: the files of the main working tree. Every linked worktree is a view whose files override
 * the base's; a hash of '' hides a file of the base. Ids of files and symbols survive re-parsing, so that links into
 * an edited file stay valid.
 */
export const codeTables: DerivedSchema = {
  store: 'code',
  version: 6,
  tables: [
    'code_views',
    'code_files',
    'code_symbols',
    'code_facts',
    'code_links',
    'code_compiled',
    'code_consulted',
    'code_seen',
    'code_skipped',
    'code_words',
    'code_lookups',
  ],
  create: `
    CREATE TABLE code_views (
      id INTEGER PRIMARY KEY, root TEXT NOT NULL UNIQUE, head TEXT NOT NULL DEFAULT '', generation INTEGER NOT NULL DEFAULT 0,
      base_generation INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'empty', finished_at TEXT,
      found INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, settings TEXT NOT NULL DEFAULT '');
    CREATE TABLE code_files (
      id INTEGER PRIMARY KEY, view INTEGER NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, interface TEXT NOT NULL,
      language TEXT NOT NULL, package TEXT NOT NULL, size INTEGER NOT NULL, modified REAL NOT NULL, lines INTEGER NOT NULL,
      broken INTEGER NOT NULL, linked INTEGER NOT NULL DEFAULT 0, UNIQUE (path, view));
    CREATE INDEX code_files_unlinked ON code_files (view) WHERE linked = 0;
    CREATE INDEX code_files_package ON code_files (package) WHERE package <> '';
    CREATE TABLE code_symbols (
      id INTEGER PRIMARY KEY, file INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,
      parent INTEGER NOT NULL, line INTEGER NOT NULL, end_line INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
      exported INTEGER NOT NULL, declaration INTEGER NOT NULL, signature TEXT NOT NULL, doc TEXT NOT NULL);
    CREATE INDEX code_symbols_file ON code_symbols (file);
    CREATE INDEX code_symbols_name ON code_symbols (name);
    CREATE TABLE code_facts (file INTEGER PRIMARY KEY, facts TEXT NOT NULL, uses TEXT NOT NULL, ids BLOB NOT NULL);
    CREATE TABLE code_links (
      view INTEGER NOT NULL, file INTEGER NOT NULL, edges BLOB NOT NULL, unresolved TEXT NOT NULL,
      PRIMARY KEY (view, file)) WITHOUT ROWID;
    CREATE TABLE code_compiled (
      file INTEGER PRIMARY KEY, hash TEXT NOT NULL, edges BLOB NOT NULL, unresolved TEXT NOT NULL, targets TEXT NOT NULL,
      stale INTEGER NOT NULL, adds INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE code_consulted (
      target INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (target, source)) WITHOUT ROWID;
    CREATE INDEX code_consulted_source ON code_consulted (source);
    CREATE TABLE code_seen (
      view INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, modified REAL NOT NULL, hash TEXT NOT NULL,
      PRIMARY KEY (view, path)) WITHOUT ROWID;
    CREATE TABLE code_skipped (
      view INTEGER NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL, size INTEGER NOT NULL, modified REAL NOT NULL,
      PRIMARY KEY (view, path)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE code_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
    CREATE VIRTUAL TABLE code_lookups USING fts5 (names, content = '', contentless_delete = 1, detail = none,
      tokenize = "ascii tokenchars '_:'");
  `,
};
