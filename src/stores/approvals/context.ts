import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Approval } from './approval.ts';
import type { ApprovalPolicy } from './policy.ts';
import type { ApprovalTables } from './tables.ts';

/** Shared by all functions of this store. */
export interface ApprovalsContext {
  tables: Kysely<ApprovalTables>;
  clock: Clock;
  policy: ApprovalPolicy;
  expireHours: number;
  /** Called after every stored request and answer. */
  told?: ((approval: Approval) => void) | undefined;
}
