import type { LibraryMigrations } from '../../base/library/index.ts';

export interface ApprovalRow {
  id: string;
  kind: string;
  repository: string;
  requested_by: string;
  reason: string;
  prompt: string;
  targets: string;
  digest: string;
  files: number | null;
  bytes: number | null;
  status: 'pending' | 'approved' | 'denied' | 'used';
  requested_at: string;
  expires_at: string;
  answered_at: string | null;
  answered_by: string | null;
  note: string | null;
  used_at: string | null;
  /** The process that is carrying the approved work out right now. */
  claimed_pid: number | null;
  claimed_at: string | null;
}

export interface EventRow {
  approval_id: string;
  at: string;
  event: string;
  by: string;
  note: string | null;
}

export interface TrustRow {
  path: string;
  trusted: number;
  decided_at: string;
  decided_by: string;
}

/** What exactly a person trusted of a repository, item by item. */
export interface TrustedContentRow {
  repository: string;
  item: string;
  digest: string;
  text: string;
  decided_at: string;
  decided_by: string;
}

export interface ApprovalTables {
  approvals: ApprovalRow;
  approval_events: EventRow;
  trusted_repositories: TrustRow;
  trusted_content: TrustedContentRow;
}

export const migrations: LibraryMigrations = {
  store: 'approvals',
  steps: [
    `CREATE TABLE approvals (
       id TEXT PRIMARY KEY, kind TEXT NOT NULL, repository TEXT NOT NULL, requested_by TEXT NOT NULL,
       reason TEXT NOT NULL, prompt TEXT NOT NULL, targets TEXT NOT NULL, digest TEXT NOT NULL,
       files INTEGER, bytes INTEGER,
       status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'used')),
       requested_at TEXT NOT NULL, expires_at TEXT NOT NULL,
       answered_at TEXT, answered_by TEXT, note TEXT, used_at TEXT,
       claimed_pid INTEGER, claimed_at TEXT);
     CREATE INDEX approvals_by_status ON approvals (status, requested_at);
     CREATE INDEX approvals_by_digest ON approvals (digest, status);
     CREATE TABLE approval_events (
       approval_id TEXT NOT NULL REFERENCES approvals (id), at TEXT NOT NULL, event TEXT NOT NULL,
       by TEXT NOT NULL, note TEXT);
     CREATE INDEX approval_events_by_approval ON approval_events (approval_id);
     CREATE TRIGGER approval_events_stay BEFORE UPDATE ON approval_events
       BEGIN SELECT raise(ABORT, 'the audit trail is append-only'); END;
     CREATE TRIGGER approval_events_remain BEFORE DELETE ON approval_events
       BEGIN SELECT raise(ABORT, 'the audit trail is append-only'); END;
     CREATE TABLE trusted_repositories (
       path TEXT PRIMARY KEY, trusted INTEGER NOT NULL, decided_at TEXT NOT NULL, decided_by TEXT NOT NULL);`,
    `CREATE TABLE trusted_content (
       repository TEXT NOT NULL, item TEXT NOT NULL, digest TEXT NOT NULL, text TEXT NOT NULL,
       decided_at TEXT NOT NULL, decided_by TEXT NOT NULL, PRIMARY KEY (repository, item));`,
  ],
};
