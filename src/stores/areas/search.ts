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
  const found: AreaHit[] = [];
  for (const { ref, score } of hits) {
    const [kind, id] = ref.split(':') as [AreaKind, string];
    const table = sql.table(kind === 'atom' ? 'graph_atoms' : 'graph_molecules');
    const { rows } = await sql<{ name: string; knowledge: string; project_id: string }>`
      SELECT name, knowledge, project_id FROM ${table} WHERE id = ${id}`.execute(tablesOf(context));
    const row = rows[0];
    if (row)
      found.push({ ref, kind, id, title: row.name, text: row.knowledge, projectId: row.project_id, score });
  }
  return found;
}
