import type { Generated } from 'kysely';
import type { Columns, LibraryMigrations } from '../../base/library/index.ts';
import type { Author, Entry } from './entry.ts';

export interface ChronicleTables {
  entries: { seq: Generated<number> } & Columns<'id session_id title content resolution source tags refs'> &
    Pick<Entry, 'category' | 'source_kind' | 'summary_type' | 'verification'> &
    Columns<'derived_from metadata digest subject promoted_by use_sessions'> &
    Columns<'superseded_by', string | null> &
    Columns<'confidence promoted needs_review uses archived created_at updated_at', number> &
    Columns<'promoted_at expires_at', number | null>;
  entry_conflicts: Columns<'id left_id right_id resolution'> &
    Columns<'created_at', number> &
    Columns<'resolved_at', number | null>;
  mistakes: Columns<'id session_id pattern error fix context tags reported_by'> &
    Columns<'confidence occurrences promoted created_at last_seen_at', number>;
  preferences: Columns<'kind repository session_id category value evidence author'> &
    Columns<'author_kind', Author['kind']> &
    Columns<'confidence observed_at', number>;
  preference_proposals: Columns<'id category value author decided_by'> &
    Columns<'author_kind', Author['kind']> &
    Columns<'status', 'waiting' | 'confirmed' | 'rejected'> &
    Columns<'proposed_at', number> &
    Columns<'decided_at', number | null>;
  scratchpad: Columns<'session_id key content'> &
    Columns<'created_at updated_at', number> &
    Columns<'expires_at', number | null>;
  checkpoints: Columns<'id session_id owner description body'> &
    Columns<'status', 'in_progress' | 'blocked' | 'paused' | 'completed'> &
    Columns<'created_at updated_at', number>;
  file_log: { id: Generated<number> } & Columns<'session_id path summary changes'> &
    Columns<'operation', 'read' | 'modified' | 'created' | 'deleted'> &
    Columns<'at', number>;
  chronicle_meta: { key: string; value: number };
}

export const chronicleMigrations: LibraryMigrations = {
  store: 'chronicle',
  followed: [{ table: 'entries', ref: (row) => `'entry:' || ${row}.id` }],
  steps: [
    [
      `CREATE TABLE entries (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, category TEXT NOT NULL, summary_type TEXT, title TEXT NOT NULL,
      content TEXT NOT NULL, resolution TEXT NOT NULL DEFAULT '', source TEXT NOT NULL, source_kind TEXT NOT NULL, tags TEXT NOT NULL DEFAULT '[]',
      refs TEXT NOT NULL DEFAULT '[]', derived_from TEXT NOT NULL DEFAULT '[]', metadata TEXT NOT NULL DEFAULT '{}', confidence REAL NOT NULL DEFAULT 0.5,
      digest TEXT NOT NULL, subject TEXT NOT NULL DEFAULT '', promoted INTEGER NOT NULL DEFAULT 0, promoted_by TEXT NOT NULL DEFAULT '', promoted_at INTEGER,
      superseded_by TEXT REFERENCES entries (id) ON DELETE SET NULL, needs_review INTEGER NOT NULL DEFAULT 0, verification TEXT NOT NULL DEFAULT 'none',
      uses INTEGER NOT NULL DEFAULT 0, use_sessions TEXT NOT NULL DEFAULT '[]', archived INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL, expires_at INTEGER);
    CREATE INDEX entries_by_session ON entries (session_id, created_at);
    CREATE INDEX entries_by_category ON entries (category, created_at);
    CREATE INDEX entries_by_digest ON entries (digest);
    CREATE INDEX entries_by_subject ON entries (category, subject) WHERE subject <> '';
    CREATE INDEX entries_promoted ON entries (promoted) WHERE promoted = 1;
    CREATE TABLE entry_conflicts (
      id TEXT PRIMARY KEY, left_id TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE, right_id TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL, resolved_at INTEGER, resolution TEXT NOT NULL DEFAULT '', UNIQUE (left_id, right_id));
    CREATE TABLE mistakes (
      id TEXT PRIMARY KEY, session_id TEXT NOT NULL, pattern TEXT NOT NULL, error TEXT NOT NULL, fix TEXT NOT NULL, context TEXT NOT NULL DEFAULT '',
      tags TEXT NOT NULL DEFAULT '[]', confidence REAL NOT NULL, occurrences INTEGER NOT NULL, promoted INTEGER NOT NULL DEFAULT 0, reported_by TEXT NOT NULL,
      created_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL);
    CREATE TABLE preferences (
      kind TEXT NOT NULL CHECK (kind IN ('explicit','inferred','session')), session_id TEXT NOT NULL DEFAULT '', category TEXT NOT NULL, value TEXT NOT NULL,
      confidence REAL NOT NULL DEFAULT 1, evidence TEXT NOT NULL DEFAULT '[]', observed_at INTEGER NOT NULL, PRIMARY KEY (kind, session_id, category));
    CREATE TABLE scratchpad (
      session_id TEXT NOT NULL, key TEXT NOT NULL, content TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, expires_at INTEGER,
      PRIMARY KEY (session_id, key));
    CREATE TABLE checkpoints (
      id TEXT PRIMARY KEY, session_id TEXT NOT NULL, owner TEXT NOT NULL, description TEXT NOT NULL, status TEXT NOT NULL, body TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
    CREATE INDEX checkpoints_by_session ON checkpoints (session_id, created_at);
    CREATE TABLE file_log (
      id INTEGER PRIMARY KEY, session_id TEXT NOT NULL, path TEXT NOT NULL, operation TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '',
      changes TEXT NOT NULL DEFAULT '[]', at INTEGER NOT NULL);
    CREATE INDEX file_log_by_session ON file_log (session_id, id);
    CREATE TABLE chronicle_meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);`,
      {
        sqlite:
          "CREATE VIRTUAL TABLE entry_words USING fts5 (title, content, tags, content = '', contentless_delete = 1);",
      },
    ],
    { sqlite: "CREATE VIRTUAL TABLE entry_word_places USING fts5vocab ('entry_words', 'instance');" },
    // Preferences of earlier versions have no author, so they wait to be confirmed.
    [
      `ALTER TABLE preferences RENAME TO preferences_before;
    CREATE TABLE preferences (
      kind TEXT NOT NULL CHECK (kind IN ('explicit','inferred','session')), repository TEXT NOT NULL DEFAULT '', session_id TEXT NOT NULL DEFAULT '',
      category TEXT NOT NULL, value TEXT NOT NULL, confidence REAL NOT NULL DEFAULT 1, evidence TEXT NOT NULL DEFAULT '[]',
      author_kind TEXT NOT NULL DEFAULT 'unknown', author TEXT NOT NULL DEFAULT '', observed_at INTEGER NOT NULL,
      PRIMARY KEY (kind, repository, session_id, category));
    CREATE TABLE preference_proposals (
      id TEXT PRIMARY KEY, category TEXT NOT NULL, value TEXT NOT NULL, author_kind TEXT NOT NULL, author TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('waiting','confirmed','rejected')), proposed_at INTEGER NOT NULL, decided_at INTEGER,
      decided_by TEXT NOT NULL DEFAULT '');
    INSERT INTO preferences (kind, session_id, category, value, confidence, evidence, observed_at)
      SELECT kind, session_id, category, value, confidence, evidence, observed_at FROM preferences_before WHERE kind <> 'explicit';`,
      {
        sqlite: `INSERT INTO preference_proposals (id, category, value, author_kind, author, status, proposed_at)
      SELECT 'prp_' || lower(hex(randomblob(14))), category, value, 'unknown', '', 'waiting', observed_at FROM preferences_before WHERE kind = 'explicit';`,
      },
      'DROP TABLE preferences_before;',
    ],
    // Words are searched in the index, which follows the library.
    { sqlite: 'DROP TABLE entry_word_places; DROP TABLE entry_words;' },
  ],
};
