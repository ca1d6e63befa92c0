import type { Columns, LibraryMigrations } from '../../base/library/index.ts';
import type { GivenRight, MemberKind, Right } from './member.ts';

export interface PeopleTables {
  members: Columns<'id name name_key added_at added_by'> &
    Columns<'owner email password subject ended_at', string | null> &
    Columns<'kind', MemberKind>;
  member_rights: Columns<'member repository given_at given_by'> & Columns<'level', GivenRight>;
  /** Lists are JSON; null narrows nothing. */
  member_tokens: Columns<'id member digest label created_at expires_at'> &
    Columns<'last_used_at revoked_at repositories operations', string | null> &
    Columns<'level', Right | null>;
}

export const migrations: LibraryMigrations = {
  store: 'people',
  steps: [
    `CREATE TABLE members (
       id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('person', 'agent', 'service')), name TEXT NOT NULL,
       name_key TEXT NOT NULL UNIQUE, owner TEXT REFERENCES members (id), email TEXT, password TEXT, subject TEXT UNIQUE,
       added_at TEXT NOT NULL, added_by TEXT NOT NULL, ended_at TEXT);
     CREATE TABLE member_rights (
       member TEXT NOT NULL REFERENCES members (id), repository TEXT NOT NULL,
       level TEXT NOT NULL CHECK (level IN ('none', 'reader', 'writer', 'reviewer', 'admin')),
       given_at TEXT NOT NULL, given_by TEXT NOT NULL, PRIMARY KEY (member, repository));
     CREATE TABLE member_tokens (
       id TEXT PRIMARY KEY, member TEXT NOT NULL REFERENCES members (id), digest TEXT NOT NULL, label TEXT NOT NULL,
       created_at TEXT NOT NULL, expires_at TEXT NOT NULL, last_used_at TEXT, revoked_at TEXT,
       level TEXT CHECK (level IN ('reader', 'writer', 'reviewer', 'admin')), repositories TEXT, operations TEXT);
     CREATE INDEX member_tokens_by_member ON member_tokens (member);`,
  ],
};
