import { type Selectable, sql } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { type ErrorReport, reportOf, SylkError } from '../../base/errors.ts';
import { numbers } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import { type GraphContext, idsOf } from './context.ts';
import { idIn, intern, only } from './nodes.ts';
import type { Edge, GraphViewer, NewEdge } from './records.ts';
import type { GraphTables } from './tables.ts';
import { codesOf, type EdgeType, edgeTable, orderedEnds, typeOfCode } from './vocabulary.ts';

type EdgeRow = Omit<Selectable<GraphTables['ref_edges']>, 'id' | 'source' | 'target'> & {
  source: string;
  target: string;
};

const edgeOf = ({ session: _, ...row }: EdgeRow): Edge => ({
  ...row,
  type: typeOfCode(row.type),
  metadata: JSON.parse(row.metadata),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export const selectEdges = sql`
  SELECT s.ref AS source, t.ref AS target, e.type, e.session, e.weight, e.metadata, e.by, e.created_at, e.updated_at
  FROM ref_edges e JOIN ref_nodes s ON s.id = e.source JOIN ref_nodes t ON t.id = e.target`;

/** The links that a viewer may see; without a viewer, the shared ones. */
export const seenBy = (viewer: GraphViewer | undefined) =>
  viewer?.sees_all ? sql`true` : sql`e.session IN ('', ${viewer?.session ?? ''})`;

const maxMetadata = 4000;

function checked(given: NewEdge) {
  const ends = orderedEnds(given);
  const weight = given.weight ?? 1;
  if (!(weight >= 0 && weight <= 1)) {
    throw new SylkError('VALIDATION_ERROR', `weight is ${weight}; it must be between 0 and 1.`, {
      hint: '1 is certain, and the default.',
    });
  }
  const metadata = JSON.stringify(redactValue(given.metadata ?? {}));
  if (metadata.length > maxMetadata)
    throw new SylkError(
      'VALIDATION_ERROR',
      `metadata has ${metadata.length} characters; the limit is ${maxMetadata}.`,
      {
        hint: 'Put the text in an entry and link the entry.',
      },
    );
  return { ...ends, weight, metadata, by: given.by, session: given.session ?? '' };
}

/** Links two refs. A repeated link takes the new weight and metadata; a session's own link never changes the shared one. */
export async function link(context: GraphContext, given: NewEdge): Promise<Edge> {
  const edge = checked(given);
  return context.library.write(async () => {
    const ids = await intern(context, [edge.source, edge.target]);
    const [source, target] = [idIn(ids, edge.source), idIn(ids, edge.target)];
    const type = edgeTable[edge.type].code;
    const { session } = edge;
    const now = context.clock.now();
    await sql`
      INSERT INTO ref_edges (source, target, type, session, weight, metadata, by, created_at, updated_at)
      VALUES (${source}, ${target}, ${type}, ${session}, ${edge.weight}, ${edge.metadata}, ${edge.by}, ${now}, ${now})
      ON CONFLICT (source, type, target, session) DO UPDATE SET
        weight = excluded.weight, metadata = excluded.metadata, by = excluded.by, updated_at = excluded.updated_at`.execute(
      context.db(),
    );
    const { rows } = await sql<EdgeRow>`${selectEdges}
      WHERE e.source = ${source} AND e.type = ${type} AND e.target = ${target} AND e.session = ${session}`.execute(
      context.db(),
    );
    return edgeOf(only(rows));
  });
}

/** Many links in one transaction; an invalid one never stops the others. */
export async function linkAll(
  context: GraphContext,
  given: NewEdge[],
): Promise<{ items: Edge[]; problems: Array<ErrorReport & { edge: NewEdge }> }> {
  const items: Edge[] = [];
  const problems: Array<ErrorReport & { edge: NewEdge }> = [];
  await context.library.write(async () => {
    for (const edge of given) {
      try {
        items.push(await link(context, edge));
      } catch (error) {
        if (!(error instanceof SylkError)) throw error;
        problems.push({ ...reportOf(error), edge });
      }
    }
  });
  return { items, problems };
}

/** Removes what the viewer sees of a link: their own, and the shared one. False if there was none. */
export async function unlink(
  context: GraphContext,
  key: { source: string; target: string; type: string },
  viewer?: GraphViewer,
  /** `own`: the shared link stays. */
  scope: 'seen' | 'own' = 'seen',
): Promise<boolean> {
  const { source, target, type } = orderedEnds(key);
  const ids = await idsOf(context, [source, target]);
  const [from, to] = [ids.get(source), ids.get(target)];
  if (from === undefined || to === undefined) return false;
  const { rows } = await sql<{ session: string }>`DELETE FROM ref_edges AS e
    WHERE e.source = ${from} AND e.type = ${edgeTable[type].code} AND e.target = ${to}
      AND ${scope === 'own' ? sql`e.session = ${viewer?.session ?? ''}` : seenBy(viewer)} RETURNING session`.execute(
    context.db(),
  );
  // What this link superseded is current again.
  if (type === 'supersedes' && rows.some(({ session }) => session === ''))
    await sql`UPDATE ref_nodes SET superseded_by = NULL WHERE id = ${to} AND superseded_by = ${from}`.execute(
      context.db(),
    );
  return rows.length > 0;
}

export interface EdgeFilter {
  direction?: 'out' | 'in' | 'both' | undefined;
  types?: readonly EdgeType[] | undefined;
  /** Archived items are omitted unless requested. */
  archived?: boolean | undefined;
  viewer?: GraphViewer | undefined;
}

/** Links of any of the refs, strongest first. A link that is both private and shared is returned once. */
export async function edgesOf(
  context: GraphContext,
  ref: string | string[],
  filter: EdgeFilter = {},
): Promise<Edge[]> {
  const ids = [...(await idsOf(context, [ref].flat())).values()];
  if (ids.length === 0) return [];
  const { direction = 'both', types, archived, viewer } = filter;
  const ends = {
    out: sql`e.source IN ${numbers(ids)}`,
    in: sql`e.target IN ${numbers(ids)}`,
    both: sql`(e.source IN ${numbers(ids)} OR e.target IN ${numbers(ids)})`,
  }[direction];
  const { rows } = await sql<EdgeRow>`${selectEdges}
    WHERE ${ends} AND ${types ? sql`e.type IN ${numbers(codesOf(types))}` : sql`true`}
      AND ${archived ? sql`true` : sql`s.archived_at IS NULL AND t.archived_at IS NULL`} AND ${seenBy(viewer)}
    ORDER BY e.created_at DESC, e.id DESC`.execute(context.db());
  return once(rows, viewer?.sees_all ?? false)
    .map(edgeOf)
    .sort((a, b) => b.weight - a.weight);
}

/** For a session its own row overrides the shared one; for a viewer who sees everything it is the reverse. */
function once(rows: EdgeRow[], seesAll: boolean): EdgeRow[] {
  const kept = new Map<string, EdgeRow>();
  for (const row of rows) {
    const key = `${row.source}\n${row.type}\n${row.target}`;
    if (!kept.has(key) || (row.session === '') === seesAll) kept.set(key, row);
  }
  return [...kept.values()];
}

/** A completed session shares its links; duplicates are merged into one. */
export async function shareLinksOf({ db, library }: GraphContext, session: string): Promise<number> {
  if (session === '') return 0;
  return library.write(async () => {
    const { rows } =
      await sql`UPDATE ref_edges AS e SET session = '' WHERE session = ${session} AND NOT EXISTS (
          SELECT 1 FROM ref_edges o WHERE o.source = e.source AND o.type = e.type AND o.target = e.target AND o.session = '')
        RETURNING id`.execute(db());
    await sql`DELETE FROM ref_edges WHERE session = ${session}`.execute(db());
    return rows.length;
  });
}

/** Deletes everything linked for one session only. */
export async function dropLinksOf({ db }: GraphContext, session: string): Promise<number> {
  if (session === '') return 0;
  const { rows } = await sql`DELETE FROM ref_edges WHERE session = ${session} RETURNING id`.execute(db());
  return rows.length;
}
