import type { Generated } from 'kysely';
import type { Columns, LibraryMigrations } from '../../base/library/index.ts';
import type { SessionState } from './session.ts';

export interface SessionTables {
  sessions: {
    state: SessionState;
  } & Columns<'id name context active_dag_id dag_history branch_name base_branch worktree'> &
    Columns<'config metadata summary'> &
    Columns<'archived created_at last_active_at version', number> &
    Columns<'activated_at suspended_at completed_at', number | null>;
  session_bindings: Columns<'client worktree conversation session_id'> & Columns<'bound_at', number>;
  session_pointers: { caller: string; session_id: string };
  session_events: { id: Generated<number>; session_id: string; at: number; event: string; data: string };
  session_snapshots: { id: string; session_id: string; created_at: number; content: string };
  session_locks: { path: string; session_id: string; mode: string; acquired_at: number; expires_at: number };
}

export const sessionMigrations: LibraryMigrations = {
  store: 'sessions',
  steps: [
    `CREATE TABLE sessions (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('created','active','suspended','completed','failed')),
      archived INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, activated_at INTEGER, suspended_at INTEGER, completed_at INTEGER,
      last_active_at INTEGER NOT NULL, context TEXT NOT NULL, active_dag_id TEXT NOT NULL DEFAULT '', dag_history TEXT NOT NULL DEFAULT '[]',
      branch_name TEXT NOT NULL DEFAULT '', base_branch TEXT NOT NULL DEFAULT '', worktree TEXT NOT NULL DEFAULT '', config TEXT NOT NULL,
      metadata TEXT NOT NULL DEFAULT '{}', summary TEXT NOT NULL DEFAULT '', version INTEGER NOT NULL DEFAULT 1);
    CREATE INDEX sessions_by_state ON sessions (state, last_active_at);
    CREATE TABLE session_bindings (
      client TEXT NOT NULL, worktree TEXT NOT NULL, conversation TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      bound_at INTEGER NOT NULL, PRIMARY KEY (client, worktree, conversation));
    CREATE TABLE session_pointers (caller TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE);
    CREATE TABLE session_events (
      id INTEGER PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, at INTEGER NOT NULL, event TEXT NOT NULL, data TEXT NOT NULL DEFAULT '{}');
    CREATE INDEX session_events_by_session ON session_events (session_id, id);
    CREATE TABLE session_snapshots (
      id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, created_at INTEGER NOT NULL, content TEXT NOT NULL);
    CREATE INDEX session_snapshots_by_session ON session_snapshots (session_id, created_at);
    CREATE TABLE session_locks (
      path TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, mode TEXT NOT NULL CHECK (mode IN ('read','write')),
      acquired_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (path, session_id));`,
    // A session that was made by itself is its client's part of the main session.
    `UPDATE sessions SET metadata = '{"kind":"main",' || substr(metadata, 2)
      WHERE id IN (SELECT session_id FROM session_bindings) AND metadata LIKE '{"%';`,
  ],
};
