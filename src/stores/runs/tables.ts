import type { LibraryMigrations } from '../../base/library/index.ts';

export interface RunTables {
  runs: {
    id: string;
    session_id: string;
    prompt: string;
    status: string;
    phase: string;
    number: number;
    /** Which version of the state it is. */
    format: number;
    /** Without the parts that have rows of their own. */
    state: string;
    created_at: number;
    updated_at: number;
  };
  run_parts: { run_id: string; name: string; body: string };
  run_plans: {
    run_id: string;
    revision: number;
    purpose: string;
    digest: string;
    plan: string;
    created_at: number;
  };
  run_events: { run_id: string; number: number; key: string; type: string; at: number; body: string };
  run_commands: {
    id: string;
    run_id: string;
    session_id: string;
    kind: string;
    node: string;
    body: string;
    status: 'open' | 'leased' | 'answered' | 'withdrawn';
    /** At most one command of a key is executed at a time. */
    key: string;
    /** Lower goes first. */
    lane: number;
    /** Milliseconds since 1970; not before. */
    due_at: number;
    owner: string;
    expires_at: number;
    epoch: number;
    late_answers: number;
    created_at: number;
  };
  run_signals: { id?: number; command_id: string; kind: string; message: string; at: number };
}

export const runMigrations: LibraryMigrations = {
  store: 'runs',
  steps: [
    `CREATE TABLE runs (
       id TEXT PRIMARY KEY, session_id TEXT NOT NULL, prompt TEXT NOT NULL, status TEXT NOT NULL, phase TEXT NOT NULL,
       number INTEGER NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
     CREATE INDEX runs_session ON runs (session_id, created_at);
     CREATE TABLE run_plans (
       run_id TEXT NOT NULL, revision INTEGER NOT NULL, purpose TEXT NOT NULL, digest TEXT NOT NULL, plan TEXT NOT NULL,
       created_at INTEGER NOT NULL, PRIMARY KEY (run_id, revision));
     CREATE TABLE run_events (
       run_id TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,
       body TEXT NOT NULL, PRIMARY KEY (run_id, number));
     CREATE UNIQUE INDEX run_events_key ON run_events (run_id, key);
     CREATE TABLE run_commands (
       id TEXT PRIMARY KEY, run_id TEXT NOT NULL, session_id TEXT NOT NULL, kind TEXT NOT NULL, node TEXT NOT NULL,
       body TEXT NOT NULL, status TEXT NOT NULL, key TEXT NOT NULL, lane INTEGER NOT NULL, due_at INTEGER NOT NULL,
       owner TEXT NOT NULL, expires_at INTEGER NOT NULL, epoch INTEGER NOT NULL, late_answers INTEGER NOT NULL,
       created_at INTEGER NOT NULL);
     CREATE INDEX run_commands_due ON run_commands (status, due_at);
     CREATE INDEX run_commands_run ON run_commands (run_id);
     CREATE UNIQUE INDEX run_commands_key ON run_commands (key) WHERE status = 'leased';
     CREATE TABLE run_signals (
       id INTEGER PRIMARY KEY, command_id TEXT NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL, at INTEGER NOT NULL);
     CREATE INDEX run_signals_command ON run_signals (command_id, id);`,
    'ALTER TABLE runs ADD COLUMN format INTEGER NOT NULL DEFAULT 1;',
    `CREATE TABLE run_parts (
       run_id TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run_id, name));`,
  ],
};
