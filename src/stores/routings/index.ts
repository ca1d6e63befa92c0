// owns: where messages went, by their shape
// knows: the library
// must not know: how routing decides, what was answered
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { recordRouting } from './ingest.ts';
import { summariseRoutings } from './query.ts';
import type { Routing } from './routing.ts';
import { routingMigrations } from './tables.ts';

export type { RoutingSummary } from './query.ts';
export { patternOf, type Routing } from './routing.ts';

export function openRoutings({ library, clock }: { library: Library; clock: Clock }) {
  library.migrate(routingMigrations);
  return {
    record: (routing: Routing) => recordRouting({ library, clock }, routing),
    summary: (sessions?: string[]) => summariseRoutings(library, sessions),
  };
}

export type Routings = ReturnType<typeof openRoutings>;
