import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { PeopleTables } from './tables.ts';

/** Shared by all functions of this store. */
export interface PeopleContext {
  library: Library;
  tables(): Kysely<PeopleTables>;
  clock: Clock;
  /** When the last use of each token was written down. */
  usesWritten: Map<string, number>;
}
