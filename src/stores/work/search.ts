import { sql } from 'kysely';
import type { Library } from '../../base/library/index.ts';
import { idOf } from '../../base/ref.ts';
import { createDocumentIndex, type DocumentIndex } from '../../base/search/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { searchWords } from '../../base/text/index.ts';
import { all, findContainer, type StoredContainer, tablesOf, type WorkContext } from './context.ts';
import type { WorkTables } from './tables.ts';

export interface WorkHit {
  ref: string;
  kind: 'project' | 'feature' | 'task' | 'section';
  id: string;
  title: string;
  text: string;
  projectId: string | null;
  /** For a section: its container. */
  parent?: string;
  score: number;
}

/** Containers and sections by their words, best first. */
export async function searchText(
  context: WorkContext,
  request: { query: string; projectId?: string | undefined; limit: number },
): Promise<WorkHit[]> {
  const hits = await context.words.rank({
    terms: searchWords(request.query),
    scope: request.projectId,
    limit: request.limit,
  });
  return hitsOf(context, hits);
}

/** The records of given refs; deleted ones and those of other projects are omitted. */
export const textsOf = (context: WorkContext, refs: string[]): Promise<WorkHit[]> =>
  hitsOf(
    context,
    refs.map((ref) => ({ ref, score: 0 })),
  );

const kinds = ['project', 'feature', 'task', 'section'] as const;

/** The word index of containers and sections, by ref; the scope is the project. */
export const createWorkWords = (library: Library, index: (() => Sqlite) | undefined): DocumentIndex =>
  createDocumentIndex({
    name: 'work_words',
    library,
    index,
    weights: { title: 4, body: 1 },
    owns: (ref) => kinds.some((kind) => ref.startsWith(`${kind}:`)),
    read: async (refs) => {
      const tables = library.tables<WorkTables>();
      const ids = refs.map(idOf);
      const containers = await tables
        .selectFrom('work_containers')
        .select(['id', 'kind', 'project_id', 'name', 'summary', 'description'])
        .where('id', 'in', ids)
        .execute();
      // A container that moves to another project takes its sections with it.
      const sections = await tables
        .selectFrom('work_sections as s')
        .innerJoin('work_containers as c', 'c.id', 's.entity_id')
        .select(['s.id', 's.title', 's.content', 'c.id as container', 'c.kind', 'c.project_id'])
        .where((where) => where.or([where('s.id', 'in', ids), where('c.id', 'in', ids)]))
        .execute();
      const document = (ref: string, project: string | null, title: string, body: string) => ({
        ref,
        scope: project ?? '',
        fields: [searchWords(title), searchWords(body)],
      });
      return [
        ...containers.map(({ id, kind, project_id, name, summary, description }) =>
          document(`${kind}:${id}`, kind === 'project' ? id : project_id, name, `${summary}\n${description}`),
        ),
        ...sections.map(({ id, title, content, container, kind, project_id }) =>
          document(`section:${id}`, kind === 'project' ? container : project_id, title, content),
        ),
      ];
    },
  });

async function hitsOf(context: WorkContext, hits: Array<{ ref: string; score: number }>): Promise<WorkHit[]> {
  const found: WorkHit[] = [];
  for (const { ref, score } of hits) {
    const [name, id = ''] = ref.split(':');
    const kind = kinds.find((each) => each === name);
    if (!kind) continue;
    const hit = kind === 'section' ? await sectionHit(context, id) : await containerHit(context, id);
    if (hit) found.push({ ...hit, ref, kind, id, score });
  }
  return found;
}

type Found = Pick<WorkHit, 'title' | 'text' | 'projectId' | 'parent'>;

async function containerHit(context: WorkContext, id: string): Promise<Found | undefined> {
  const row = await findContainer(context, id);
  if (!row) return undefined;
  return {
    title: row.name,
    text: `${row.summary}\n${row.description}`.trim(),
    projectId: row.kind === 'project' ? row.id : row.project_id,
  };
}

async function sectionHit(context: WorkContext, id: string): Promise<Found | undefined> {
  const [row] = await all(
    context,
    sql<
      StoredContainer & { title: string; content: string }
    >`SELECT s.title, s.content, c.kind, c.id, c.name, c.project_id
      FROM work_sections s JOIN work_containers c ON c.id = s.entity_id WHERE s.id = ${id}`,
  );
  if (!row) return undefined;
  return {
    title: `${row.name}: ${row.title}`,
    text: row.content,
    projectId: row.kind === 'project' ? row.id : row.project_id,
    parent: `${row.kind}:${row.id}`,
  };
}

export interface WorkText {
  ref: string;
  title: string;
  text: string;
  modifiedAt: string;
}

/** Containers and their sections as texts, the latest first; never more than `limit` of each. */
export async function latestTexts(context: WorkContext, limit: number): Promise<WorkText[]> {
  const containers = await sql<WorkText & { summary: string; description: string }>`
    SELECT kind || ':' || id AS ref, name AS title, summary, description, modified_at AS "modifiedAt"
    FROM work_containers ORDER BY modified_at DESC, seq DESC LIMIT ${limit}`.execute(tablesOf(context));
  const sections = await sql<WorkText>`
    SELECT 'section:' || s.id AS ref, c.name || ': ' || s.title AS title, s.content AS text, s.modified_at AS "modifiedAt"
    FROM work_sections AS s JOIN work_containers AS c ON c.id = s.entity_id
    WHERE s.content <> '' ORDER BY s.modified_at DESC, s.id LIMIT ${limit}`.execute(tablesOf(context));
  const texts = containers.rows.map(({ summary, description, ...rest }) => ({
    ...rest,
    text: [rest.title, summary, description].filter(Boolean).join('\n\n'),
  }));
  return [...texts, ...sections.rows];
}
