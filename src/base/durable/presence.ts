import type { Clock } from '../clock.ts';
import type { Library, LibraryMigrations } from '../library/index.ts';
import { isGone } from './owner.ts';

interface PresenceTables {
  owners: { owner: string; alive_until: number };
}

const migrations: LibraryMigrations = {
  store: 'owners',
  steps: ['CREATE TABLE owners (owner TEXT PRIMARY KEY, alive_until BIGINT NOT NULL)'],
};

/** How long an owner is believed to live after its last beat. */
const believedMs = 60_000;

/**
 * Who works on rows of a library. A row names its owner; a row whose owner is not among the living is free for the next
 * one. One beat for a process, however many rows it has; writes name owner and attempt, so that a late one changes
 * nothing.
 */
export function createPresence({ library, clock }: { library: Library; clock: Clock }) {
  library.migrate(migrations);
  const owners = library.tables<PresenceTables>;
  return {
    /** To be repeated well within a minute while the owner has anything. */
    beat: async (owner: string): Promise<void> => {
      const alive_until = clock.now() + believedMs;
      await owners()
        .insertInto('owners')
        .values({ owner, alive_until })
        .onConflict((conflict) => conflict.column('owner').doUpdateSet({ alive_until }))
        .execute();
    },
    /** Forgets those that ended or fell silent. */
    living: async (): Promise<string[]> => {
      const rows = await owners().selectFrom('owners').selectAll().execute();
      const dead = rows.filter((row) => row.alive_until < clock.now() || isGone(row.owner));
      for (const { owner } of dead) await owners().deleteFrom('owners').where('owner', '=', owner).execute();
      return rows.filter((row) => !dead.includes(row)).map(({ owner }) => owner);
    },
    leave: async (owner: string): Promise<void> => {
      await owners().deleteFrom('owners').where('owner', '=', owner).execute();
    },
  };
}

export type Presence = ReturnType<typeof createPresence>;
