export {
  type Backup,
  backUp,
  backUpDaily,
  copyInto,
  listBackups,
  removeBackups,
  verifyCopy,
} from './backups.ts';
export { coverRows, findDamage, findDamagedRows, isCovered, rowHashes, uncoverRows } from './digests.ts';
export { isBusy, isConstraint, isDamaged, namingFullDisk } from './failures.ts';
export { openSqlite, retryBusy, type Sqlite, type Statement } from './open.ts';
export { isFreshFromSalvage, isNeverMade, openSalvaging, salvageNotice } from './open-salvaging.ts';
export { differsFromPrint, removePrint } from './print.ts';
export { damageNotice, isSound, openOrQuarantine, quarantine } from './quarantine.ts';
export {
  type DerivedSchema,
  ensureDerived,
  migrate,
  versionOf,
} from './schema.ts';
