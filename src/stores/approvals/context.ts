import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Approval } from './approval.ts';
import type { ApprovalPolicy } from './policy.ts';
import type { ApprovalTables } from './tables.ts';

/** What every function of this store works on. */
export interface ApprovalsContext {
  tables: Kysely<ApprovalTables>;
  clock: Clock;
  policy: ApprovalPolicy;
  expireHours: number;
  /** Told of every request and every answer once it is kept. */
  told?: ((approval: Approval) => void) | undefined;
}
