import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { refText } from '../../base/ref.ts';
import type { GraphTables } from './tables.ts';

export interface GraphContext {
  library: Library;
  clock: Clock;
  maxNodes: number;
  /** Inside a write it is the transaction. */
  db(): Kysely<GraphTables>;
}

/** One bound value for a list of any length: the statement stays the same and stays prepared. */
export const listOf = (values: Iterable<string | number>) =>
  sql`(SELECT value FROM json_each(${JSON.stringify([...values])}))`;

/** Numbers of refs that are known; the others are left out. */
export async function idsOf({ db }: GraphContext, refs: string[]): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<{ ref: string; id: number }>`
    SELECT ref, id FROM ref_nodes WHERE ref IN ${listOf(refs.map(refText))}`.execute(db());
  return new Map(rows.map(({ ref, id }) => [ref, id]));
}

export async function refsOf({ db }: GraphContext, ids: Iterable<number>): Promise<Map<number, string>> {
  const { rows } = await sql<{ ref: string; id: number }>`
    SELECT id, ref FROM ref_nodes WHERE id IN ${listOf(ids)}`.execute(db());
  return new Map(rows.map(({ ref, id }) => [id, ref]));
}
