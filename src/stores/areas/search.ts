import { sql } from 'kysely';
import type { AreaKind } from './area.ts';
import { type AreasContext, tablesOf } from './context.ts';

export interface AreaHit {
  ref: string;
  kind: AreaKind;
  id: string;
  title: string;
  text: string;
  projectId: string;
  score: number;
}

/** Molecules and atoms by the words of their name, knowledge and paths, best first. */
export async function searchAreaText(
  context: AreasContext,
  request: { query: string; projectId?: string | undefined; limit: number },
): Promise<AreaHit[]> {
  const hits = await context.text.search({
    query: request.query,
    project: request.projectId,
    limit: request.limit,
  });
  return hitsOf(context, hits);
}

/** What is behind refs that were found otherwise; those that are gone or belong elsewhere are left out. */
export const textsOf = (context: AreasContext, refs: string[]): Promise<AreaHit[]> =>
  hitsOf(
    context,
    refs.map((ref) => ({ ref, score: 0 })),
  );

async function hitsOf(
  context: AreasContext,
  hits: Array<{ ref: string; score: number }>,
): Promise<AreaHit[]> {
  const found: AreaHit[] = [];
  for (const { ref, score } of hits) {
    const [kind, id] = ref.split(':') as [AreaKind, string];
    if (kind !== 'atom' && kind !== 'molecule') continue;
    const table = sql.table(kind === 'atom' ? 'graph_atoms' : 'graph_molecules');
    const { rows } = await sql<{ name: string; knowledge: string; project_id: string }>`
      SELECT name, knowledge, project_id FROM ${table} WHERE id = ${id}`.execute(tablesOf(context));
    const row = rows[0];
    if (row)
      found.push({ ref, kind, id, title: row.name, text: row.knowledge, projectId: row.project_id, score });
  }
  return found;
}

export interface AreaText {
  ref: string;
  title: string;
  text: string;
  updatedAt: string;
}

/** Every molecule and atom as a text: name, patterns, knowledge. */
export async function allTexts(context: AreasContext): Promise<AreaText[]> {
  const rows = await context.library.statement<AreaText & { paths: string; knowledge: string }>(
    `SELECT 'atom:' || id AS ref, name AS title, paths, knowledge, updated_at AS updatedAt FROM graph_atoms
     UNION ALL SELECT 'molecule:' || id, name, '[]', knowledge, updated_at FROM graph_molecules`,
  );
  return rows.map(({ paths, knowledge, ...rest }) => ({
    ...rest,
    text: [rest.title, (JSON.parse(paths) as string[]).join(' '), knowledge].filter(Boolean).join('\n\n'),
  }));
}
