import { type Selectable, sql } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { texts } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import { refText, symbolsOf } from '../../base/ref.ts';
import { type GraphContext, idsOf } from './context.ts';
import type { GraphNode, NodeFacts } from './records.ts';
import type { GraphTables } from './tables.ts';

/** Numbers for refs; assigns new ones where needed. */
export async function intern(context: GraphContext, refs: string[]): Promise<Map<string, number>> {
  const { db, clock } = context;
  const wanted = [...new Set(refs.map(refText))];
  const known = await idsOf(context, wanted);
  const missing = wanted.filter((ref) => !known.has(ref));
  if (missing.length === 0) return known;
  await refuseTooMany(context, missing.length);
  const now = clock.now();
  const { rows } = await sql<{ ref: string; id: number }>`
    INSERT INTO ref_nodes (ref, created_at, updated_at)
    SELECT value, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT) FROM ${texts(missing)} AS missing WHERE true
    ON CONFLICT (ref) DO UPDATE SET ref = excluded.ref RETURNING ref, id`.execute(db());
  for (const { ref, id } of rows) known.set(ref, id);
  return known;
}

/** The number of an interned ref. */
export function idIn(ids: ReadonlyMap<string, number>, ref: string): number {
  const id = ids.get(refText(ref));
  if (id === undefined) throw new SylkError('INTERNAL_ERROR', `${ref} was not interned.`);
  return id;
}

/** The row that a statement always returns. */
export function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new SylkError('INTERNAL_ERROR', 'A statement returned no row.');
  return row;
}

/** The highest number is cheap to read and never below the count; rows are counted only when it exceeds the limit. */
async function refuseTooMany({ db, maxNodes }: GraphContext, more: number): Promise<void> {
  const top = await sql<{ top: number | null }>`SELECT max(id) AS top FROM ref_nodes`.execute(db());
  if ((top.rows[0]?.top ?? 0) + more <= maxNodes) return;
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ref_nodes`.execute(db());
  const { count } = only(rows);
  if (count + more <= maxNodes) return;
  throw new SylkError('BUDGET_EXCEEDED', `The graph holds ${count} items; the limit is ${maxNodes}.`, {
    hint: 'Forget items that are no longer needed, or raise graph.max_nodes.',
  });
}

/** Records facts about items: their kind, place and content. */
export async function describe(context: GraphContext, facts: NodeFacts[]): Promise<void> {
  if (facts.length === 0) return;
  const { library, clock } = context;
  await library.write(async () => {
    await intern(
      context,
      facts.map(({ ref }) => ref),
    );
    for (const { ref, kind, place, content_hash, expires_at } of facts) {
      await context
        .db()
        .updateTable('ref_nodes')
        .set({
          kind,
          place: place && JSON.stringify(redactValue(place)),
          content_hash,
          expires_at,
          updated_at: clock.now(),
        })
        .where('ref', '=', refText(ref))
        .execute();
    }
  });
}

export async function nodesOf({ db }: GraphContext, refs: string[]): Promise<Map<string, GraphNode>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<Selectable<GraphTables['ref_nodes']> & { newer: string | null }>`
    SELECT n.*, s.ref AS newer FROM ref_nodes n LEFT JOIN ref_nodes s ON s.id = n.superseded_by
    WHERE n.ref IN ${texts(refs.map(refText))}`.execute(db());
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  return new Map(
    rows.map((row) => [
      row.ref,
      {
        ref: row.ref,
        kind: row.kind,
        place: JSON.parse(row.place),
        content_hash: row.content_hash,
        superseded_by: row.newer,
        expires_at: time(row.expires_at),
        archived_at: time(row.archived_at),
        created_at: isoTime(row.created_at),
        updated_at: isoTime(row.updated_at),
      },
    ]),
  );
}

/** Linked symbols of these files, whether or not they still exist. */
export async function symbolRefs({ db }: GraphContext, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const starts = paths.map((path) => symbolsOf(path).slice(0, -1));
  const { rows } = await sql<{ ref: string }>`
    SELECT n.ref FROM ${texts(starts)} AS p JOIN ref_nodes n
    ON n.ref >= p.value || '#' AND n.ref < p.value || '$'`.execute(db());
  return rows.map(({ ref }) => ref);
}

/** Deletes permanently: links, sources, verification and conflicts of the refs. Returns how many there were. */
export async function removeRefs({ db }: GraphContext, refs: string[]): Promise<number> {
  if (refs.length === 0) return 0;
  const removed = texts(refs.map(refText));
  const ids = sql`(SELECT id FROM ref_nodes WHERE ref IN ${removed})`;
  // A source outlives the ref that it names; duplicates that result are merged.
  await sql`DELETE FROM ref_sources AS s WHERE source IN ${ids} AND EXISTS (SELECT 1 FROM ref_sources o
    WHERE o.node = s.node AND o.type = s.type AND coalesce(o.path, '') = coalesce(s.path, '')
      AND coalesce(o.line, 0) = coalesce(s.line, 0) AND coalesce(o.url, '') = coalesce(s.url, '')
      AND (o.source IS NULL OR (o.id < s.id AND o.source IN ${ids})))`.execute(db());
  const { rows } = await sql`DELETE FROM ref_nodes WHERE ref IN ${removed} RETURNING id`.execute(db());
  return rows.length;
}

/**
 * Removes incidental mentions of refs, as a contradiction or in metadata, and items that existed only because
 * of such a mention.
 */
export async function dropMentions({ db }: GraphContext, refs: string[]): Promise<void> {
  for (const ref of refs.map(refText)) {
    const id = ref.slice(ref.indexOf(':') + 1);
    const { rows } = await sql<{ node: number; contradictions: string }>`
      SELECT node, contradictions FROM ref_verifications WHERE instr(contradictions, ${id}) > 0`.execute(
      db(),
    );
    for (const { node, contradictions } of rows) {
      const all: unknown[] = JSON.parse(contradictions);
      const others = all.filter((one) => !JSON.stringify(one).includes(id));
      await sql`UPDATE ref_verifications SET contradictions = ${JSON.stringify(others)} WHERE node = ${node}`.execute(
        db(),
      );
    }
    await sql`UPDATE ref_edges SET metadata = '{}' WHERE instr(metadata, ${id}) > 0`.execute(db());
  }
  await sql`DELETE FROM ref_nodes AS n
    WHERE kind IS NULL AND place = '{}' AND content_hash IS NULL AND superseded_by IS NULL AND expires_at IS NULL
      AND archived_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM ref_edges WHERE source = n.id)
      AND NOT EXISTS (SELECT 1 FROM ref_edges WHERE target = n.id)
      AND NOT EXISTS (SELECT 1 FROM ref_sources WHERE node = n.id)
      AND NOT EXISTS (SELECT 1 FROM ref_sources WHERE source = n.id)
      AND NOT EXISTS (SELECT 1 FROM ref_verifications WHERE node = n.id)
      AND NOT EXISTS (SELECT 1 FROM ref_conflicts WHERE "left" = n.id)
      AND NOT EXISTS (SELECT 1 FROM ref_conflicts WHERE "right" = n.id)
      AND NOT EXISTS (SELECT 1 FROM ref_nodes WHERE superseded_by = n.id)`.execute(db());
}
