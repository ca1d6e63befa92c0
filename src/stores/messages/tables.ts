import { type Generated, sql } from 'kysely';
import type { Columns, LibraryMigrations } from '../../base/library/index.ts';

/** Literal, as in its index, which a bound value would not use. */
export const unsettled = sql<boolean>`status IN ('queued', 'delivered', 'processing', 'failed')`;

/** `seq`: order of acceptance. `envelope`: the rest of it. `owner`: the process that queues it; '' for none. */
export interface MessageTables {
  messages: { seq: Generated<number> } & Columns<'id session_id source target type priority status'> &
    Columns<'envelope payload owner'> &
    Columns<'error reply', string | null> &
    Columns<'attempt accepted_at not_before', number> &
    Columns<'expires_at processed_at', number | null>;
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
