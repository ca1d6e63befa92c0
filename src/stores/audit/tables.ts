import { type LibraryMigrations, refusing } from '../../base/library/index.ts';
import type { AuditRecord } from './audit-record.ts';

export interface AuditTables {
  audit: AuditRecord;
  /** One row: how many records there are, and the digest of the last one, so that a missing end shows. */
  audit_head: { id: number; records: number; digest: string };
}

const message = 'the audit is append-only';

export const migrations: LibraryMigrations = {
  store: 'audit',
  steps: [
    [
      `CREATE TABLE audit (
         seq INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, person TEXT NOT NULL,
         token TEXT NOT NULL, repository TEXT NOT NULL, operation TEXT NOT NULL, effect TEXT NOT NULL,
         outcome TEXT NOT NULL, call TEXT NOT NULL, input TEXT NOT NULL, note TEXT NOT NULL, previous TEXT NOT NULL,
         digest TEXT NOT NULL);
       CREATE INDEX audit_by_name ON audit (name, seq);
       CREATE INDEX audit_by_repository ON audit (repository, seq);
       CREATE TABLE audit_head (id INTEGER PRIMARY KEY, records INTEGER NOT NULL, digest TEXT NOT NULL);`,
      refusing('UPDATE', { trigger: 'audit_stays', table: 'audit', message }),
      refusing('DELETE', { trigger: 'audit_remains', table: 'audit', message }),
      {
        postgres: `CREATE TRIGGER audit_is_whole BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_remains();`,
      },
    ],
  ],
};
