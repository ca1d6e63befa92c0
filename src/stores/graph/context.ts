import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { type Library, numbers, texts } from '../../base/library/index.ts';
import { refText } from '../../base/ref.ts';
import type { GraphTables } from './tables.ts';

export interface GraphContext {
  library: Library;
  clock: Clock;
  maxNodes: number;
  /** Inside a write it is the transaction. */
  db(): Kysely<GraphTables>;
}

/** Numbers of known refs; unknown ones are omitted. */
export async function idsOf({ db }: GraphContext, refs: string[]): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<{ ref: string; id: number }>`
    SELECT ref, id FROM ref_nodes WHERE ref IN ${texts(refs.map(refText))}`.execute(db());
  return new Map(rows.map(({ ref, id }) => [ref, id]));
}

export async function refsOf({ db }: GraphContext, ids: Iterable<number>): Promise<Map<number, string>> {
  const { rows } = await sql<{ ref: string; id: number }>`
    SELECT id, ref FROM ref_nodes WHERE id IN ${numbers(ids)}`.execute(db());
  return new Map(rows.map(({ ref, id }) => [id, ref]));
}
