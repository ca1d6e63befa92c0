import { type RawBuilder, sql } from 'kysely';
import { systemClock } from '../../base/clock.ts';
import type { WorkContext } from './context.ts';

/** The database's clock judges leases, so that claimants with different clocks agree; a test brings its own. */
export const leaseNow = (context: WorkContext): RawBuilder<number> =>
  context.clock === systemClock
    ? sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
    : sql<number>`${context.clock.now()}`;
