import { systemClock } from '../../base/clock.ts';
import type { WorkContext } from './context.ts';

/** The database's clock judges leases, so that claimants with different clocks agree; a test brings its own. */
export const leaseNow = (context: WorkContext): { text: string; values: number[] } =>
  context.clock === systemClock
    ? { text: "CAST(unixepoch('subsec') * 1000 AS INTEGER)", values: [] }
    : { text: '?', values: [context.clock.now()] };
