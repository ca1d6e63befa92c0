export { isBusy, isConstraint, isDamaged } from './failures.ts';
export { acquireLease, isAlive, type Lease, leaseHolder } from './lease.ts';
export { openSqlite, type Row, retryBusy, type Sqlite, type SqliteOptions } from './open.ts';
export { damageNotice, isSound, type OpenedSqlite, openOrQuarantine, quarantine } from './quarantine.ts';
export {
  backUp,
  type DerivedSchema,
  ensureDerived,
  migrate,
  type StoreMigrations,
  versionOf,
} from './schema.ts';
