import { type RawBuilder, sql } from 'kysely';
import { systemClock } from '../../base/clock.ts';
import { databaseNow } from '../../base/library/index.ts';
import type { WorkContext } from './context.ts';

/** The database's clock judges leases, so that claimants with different clocks agree; a test brings its own. */
export const leaseNow = ({ clock }: WorkContext): RawBuilder<number> =>
  clock === systemClock ? databaseNow : sql`CAST(${clock.now()} AS BIGINT)`;
