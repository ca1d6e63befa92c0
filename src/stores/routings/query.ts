import { isoTime } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { RoutingTables } from './tables.ts';

const shown = 10;

/** Of these sessions, or of all. */
export async function summariseRoutings(library: Library, sessions?: string[]) {
  let query = library
    .tables<RoutingTables>()
    .selectFrom('routings')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(5000);
  if (sessions) query = query.where('session_id', 'in', sessions.length > 0 ? sessions : ['none']);
  const rows = await query.execute();
  const groups = Map.groupBy(rows, ({ pattern }) => pattern);
  const pairs = Map.groupBy(rows, ({ pattern, target }) => `${pattern}\u0000${target}`);
  const known = [...groups].filter(
    ([, all]) => all.length > 1 && new Set(all.map(({ target }) => target)).size === 1,
  );
  const answered = rows.filter(({ outcome }) => outcome === 'answered');
  return {
    total: rows.length,
    known: Object.fromEntries(known.map(([pattern, all]) => [pattern, all[0]?.target ?? ''])),
    frequent: [...pairs.values()]
      .map((all) => ({
        pattern: all[0]?.pattern ?? '',
        agent: all[0]?.target ?? '',
        confidence: round(mean(all.map(({ confidence }) => confidence))),
        usage_count: all.length,
      }))
      .sort((left, right) => right.usage_count - left.usage_count)
      .slice(0, shown),
    failed: rows
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'nothing')
      .slice(0, shown)
      .map(({ pattern, target, outcome, error, at }) => ({
        pattern,
        agent: target,
        outcome,
        error,
        at: isoTime(at),
      })),
    capabilities: Object.fromEntries(
      [...Map.groupBy(answered, ({ target }) => target)].map(([target, all]) => [
        target,
        [...new Set(all.map(({ verb, intent }) => (verb === 'recall' ? intent : verb)))],
      ]),
    ),
    requests: [...Map.groupBy(rows, ({ pattern }) => pattern.split(' ').slice(0, 3).join(' '))]
      .map(([pattern, all]) => ({ pattern, count: all.length }))
      .sort((left, right) => right.count - left.count)
      .slice(0, shown),
    by_target: countBy(rows.map(({ target }) => target)),
    by_intent: countBy(rows.map(({ intent }) => intent)),
    by_method: countBy(rows.map(({ method }) => method)),
    mean_ms: round(mean(rows.map(({ milliseconds }) => milliseconds))),
  };
}

const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
const round = (value: number): number => Math.round(value * 100) / 100;
const countBy = (names: string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
