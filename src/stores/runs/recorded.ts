import { sql } from 'kysely';
import type { Library } from '../../base/library/index.ts';
import { consultedAgents } from './plan.ts';
import type { RunTables } from './tables.ts';

/** What a node that was finished has taken: all of its commands together, from when each was issued to its answer. */
export interface RecordedNode {
  /** It only answered, and changed no files. */
  isConsulted: boolean;
  milliseconds: number;
  cost: number;
}

export const isConsultedAgent = (agent: string): boolean => consultedAgents.some((known) => known === agent);

const ofNodes = ['work', 'consult', 'advise', 'inspect', 'test', 'merge'];

/** The nodes that were finished last, of all runs. */
export async function recordedNodes(library: Library, limit = 2000): Promise<RecordedNode[]> {
  const rows = await library
    .tables<RunTables>()
    .selectFrom('run_commands')
    .innerJoin('run_events', (join) =>
      join
        .onRef('run_events.run_id', '=', 'run_commands.run_id')
        .on('run_events.key', '=', sql<string>`'answer ' || run_commands.id`),
    )
    .select(['run_commands.run_id', 'node', 'kind', 'created_at', 'run_events.at', 'run_events.body'])
    .where('kind', 'in', ofNodes)
    .orderBy('run_events.at', 'desc')
    .limit(limit)
    .execute();
  const nodes = new Map<string, RecordedNode & { isFinished: boolean }>();
  for (const { run_id, node, kind, created_at, at, body } of rows) {
    const { outcome } = JSON.parse(body);
    const key = `${run_id}/${node}`;
    const known = nodes.get(key) ?? { isConsulted: false, milliseconds: 0, cost: 0, isFinished: false };
    known.milliseconds += Number(at) - Number(created_at);
    known.cost += outcome.cost ?? 0;
    known.isConsulted ||= kind === 'consult';
    known.isFinished ||= outcome.result === 'merged' || (kind === 'consult' && outcome.result === 'done');
    nodes.set(key, known);
  }
  return [...nodes.values()]
    .filter(({ isFinished }) => isFinished)
    .map(({ isConsulted, milliseconds, cost }) => ({ isConsulted, milliseconds, cost }));
}
