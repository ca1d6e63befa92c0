import { tablesOf, type WorkContext } from './context.ts';

export interface WorkHit {
  ref: string;
  kind: 'project' | 'feature' | 'task' | 'section';
  id: string;
  title: string;
  text: string;
  projectId: string | null;
  /** For a section: the container that it hangs on. */
  parent?: string;
  score: number;
}

/** Containers and sections by their words, best first. */
export async function searchText(
  context: WorkContext,
  request: { query: string; projectId?: string | undefined; limit: number },
): Promise<WorkHit[]> {
  const hits = await context.text.search({
    query: request.query,
    project: request.projectId,
    limit: request.limit,
  });
  const found: WorkHit[] = [];
  for (const { ref, score } of hits) {
    const [kind, id] = ref.split(':') as [WorkHit['kind'], string];
    const hit = kind === 'section' ? await sectionHit(context, id) : await containerHit(context, id);
    if (hit) found.push({ ...hit, ref, kind, id, score });
  }
  return found;
}

type Found = Pick<WorkHit, 'title' | 'text' | 'projectId' | 'parent'>;

async function containerHit(context: WorkContext, id: string): Promise<Found | undefined> {
  const row = await tablesOf(context)
    .selectFrom('work_containers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    title: row.name,
    text: `${row.summary}\n${row.description}`.trim(),
    projectId: row.kind === 'project' ? row.id : row.project_id,
  };
}

async function sectionHit(context: WorkContext, id: string): Promise<Found | undefined> {
  const row = await tablesOf(context)
    .selectFrom('work_sections')
    .innerJoin('work_containers', 'work_containers.id', 'work_sections.entity_id')
    .select([
      'work_sections.title',
      'work_sections.content',
      'work_containers.kind',
      'work_containers.id',
      'work_containers.name',
      'work_containers.project_id',
    ])
    .where('work_sections.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    title: `${row.name}: ${row.title}`,
    text: row.content,
    projectId: row.kind === 'project' ? row.id : row.project_id,
    parent: `${row.kind}:${row.id}`,
  };
}
