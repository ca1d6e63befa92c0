// owns: where messages were routed, by their shape
// knows: the library
// must not know: how routing decides, what was answered
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { Routing } from './ingest.ts';
import { recordRouting } from './ingest.ts';
import { summariseRoutings } from './query.ts';
import { routingMigrations } from './tables.ts';

export { patternOf, type Routing } from './ingest.ts';

/** Only the latest are stored: they show frequencies just as well. */
export function openRoutings({
  library,
  clock,
  keep = 5000,
}: {
  library: Library;
  clock: Clock;
  keep?: number;
}) {
  library.migrate(routingMigrations);
  return {
    record: (routing: Routing) => recordRouting({ library, clock, keep }, routing),
    summary: (sessions?: string[]) => summariseRoutings(library, sessions),
  };
}
