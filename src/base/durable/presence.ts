import { type RawBuilder, sql } from 'kysely';
import { type Clock, systemClock } from '../clock.ts';
import { databaseNow, type Library, type LibraryMigrations } from '../library/index.ts';
import { isGone } from './owner.ts';

interface PresenceTables {
  owners: { owner: string; alive_until: number };
}

const migrations: LibraryMigrations = {
  store: 'owners',
  steps: ['CREATE TABLE owners (owner TEXT PRIMARY KEY, alive_until BIGINT NOT NULL)'],
};

/** The clock of the database judges leases, so that processes with different clocks agree; a test brings its own. */
export const leaseNow = (clock: Clock): RawBuilder<number> =>
  clock === systemClock ? databaseNow : sql`CAST(${clock.now()} AS BIGINT)`;

/**
 * Who works on rows of a library. A row names its owner; a row whose owner is not among the living is free for the next
 * one. One beat for a process, however many rows it has; writes name owner and attempt, so that a late one changes
 * nothing.
 */
export function createPresence({
  library,
  clock,
  believedMs = 60_000,
}: {
  library: Library;
  clock: Clock;
  /** How long an owner is believed to live after its last beat. */
  believedMs?: number;
}) {
  library.migrate(migrations);
  const owners = library.tables<PresenceTables>;
  const leave = async (owner: string): Promise<void> => {
    await owners().deleteFrom('owners').where('owner', '=', owner).execute();
  };
  return {
    /** To be repeated well within a minute while the owner has anything. */
    beat: async (owner: string): Promise<void> => {
      const alive_until = sql<number>`${leaseNow(clock)} + ${believedMs}`;
      await owners()
        .insertInto('owners')
        .values({ owner, alive_until })
        .onConflict((conflict) => conflict.column('owner').doUpdateSet({ alive_until }))
        .execute();
    },
    /** Forgets those that ended or fell silent. */
    living: async (): Promise<string[]> => {
      await owners().deleteFrom('owners').where('alive_until', '<', leaseNow(clock)).execute();
      const rows = await owners().selectFrom('owners').select('owner').execute();
      for (const { owner } of rows) if (isGone(owner)) await leave(owner);
      return rows.map(({ owner }) => owner).filter((owner) => !isGone(owner));
    },
    leave,
  };
}

export type Presence = ReturnType<typeof createPresence>;
