import { type Generated, sql } from 'kysely';
import type { LibraryMigrations } from '../../base/library/index.ts';

/** Spelled out as in the index on it, which a bound value would not use. */
export const unsettled = sql<boolean>`status IN ('queued', 'delivered', 'processing', 'failed')`;

export interface MessageTables {
  messages: {
    /** Order of acceptance. */
    seq: Generated<number>;
    id: string;
    session_id: string;
    source: string;
    target: string;
    type: string;
    priority: string;
    status: string;
    attempt: number;
    /** The rest of the envelope. */
    envelope: string;
    payload: string;
    error: string | null;
    reply: string | null;
    accepted_at: number;
    expires_at: number | null;
    not_before: number;
    processed_at: number | null;
    /** Who has it in its queue; '' when nobody has. */
    owner: string;
  };
}

export const messageMigrations: LibraryMigrations = {
  store: 'messages',
  steps: [
    `CREATE TABLE messages (
      seq NUMBERED, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
      type TEXT NOT NULL, priority TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('queued','delivered','processing','done','failed','expired','dead')),
      attempt INTEGER NOT NULL DEFAULT 0, envelope TEXT NOT NULL, payload TEXT NOT NULL, error TEXT, reply TEXT, accepted_at INTEGER NOT NULL,
      expires_at INTEGER, not_before INTEGER NOT NULL DEFAULT 0, processed_at INTEGER, owner TEXT NOT NULL DEFAULT '');
    CREATE INDEX messages_waiting ON messages (target, seq) WHERE status IN ('queued','delivered','processing','failed');
    CREATE INDEX messages_of_session ON messages (session_id, seq);
    CREATE INDEX messages_dead ON messages (seq) WHERE status = 'dead';
    CREATE INDEX messages_ended ON messages (processed_at) WHERE status IN ('done','expired');
    CREATE TABLE message_owners (owner TEXT PRIMARY KEY, pid INTEGER NOT NULL, alive_until INTEGER NOT NULL);`,
    'DROP TABLE message_owners',
  ],
};
