import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { AuditTables } from './tables.ts';

/** Shared by all functions of this store. */
export interface AuditContext {
  library: Library;
  tables(): Kysely<AuditTables>;
  clock: Clock;
}
