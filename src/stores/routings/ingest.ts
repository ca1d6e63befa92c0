import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { redact } from '../../base/redact.ts';
import type { Routing } from './routing.ts';
import type { RoutingTables } from './tables.ts';

/** Every so many are looked through for those that are too old. */
const sweepEvery = 100;

export async function recordRouting(
  { library, clock, keep }: { library: Library; clock: Clock; keep: number },
  routing: Routing,
): Promise<void> {
  const db = library.tables<RoutingTables>();
  const row = {
    ...routing,
    pattern: redact(routing.pattern),
    error: redact(routing.error).slice(0, 200),
    at: clock.now(),
  };
  const { id } = await db.insertInto('routings').values(row).returning('id').executeTakeFirstOrThrow();
  if (Number(id) % sweepEvery === 0)
    await db
      .deleteFrom('routings')
      .where('id', '<=', Number(id) - keep)
      .execute();
}
