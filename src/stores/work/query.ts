import { type RawBuilder, sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { escapeLike } from '../../base/text/index.ts';
import { type ContainerKind, type ContainerRecord, type Priority, priorities } from './container.ts';
import { requireContainer, type StoredContainer, tablesOf, type WorkContext } from './context.ts';
import { priorityRank } from './fields.ts';
import { oneRecord, recordsOf } from './rows.ts';

export interface ContainerSearch {
  kind: ContainerKind;
  /** Every word must occur in name, summary or description, case-insensitively. */
  query?: string | undefined;
  /** Words; `!word` excludes. A status or priority matches any of the wanted; tags must all match. */
  status?: string[] | undefined;
  priority?: string[] | undefined;
  tags?: string[] | undefined;
  projectId?: string | undefined;
  featureId?: string | undefined;
  limit: number;
  offset: number;
}

/** Last changed first, which a board needs; ties are in order of creation. */
export async function searchContainers(
  context: WorkContext,
  search: ContainerSearch,
): Promise<{ items: ContainerRecord[]; total: number }> {
  const where = sql.join(filters(search), sql` AND `);
  const tables = tablesOf(context);
  const total = (
    await sql<{ total: number }>`SELECT count(*) AS total FROM work_containers c WHERE ${where}`.execute(
      tables,
    )
  ).rows[0]!.total;
  const { rows } = await sql<StoredContainer>`
    SELECT c.* FROM work_containers c WHERE ${where}
    ORDER BY c.modified_at DESC, c.seq LIMIT ${search.limit} OFFSET ${search.offset}`.execute(tables);
  return { items: await recordsOf(context, rows), total };
}

function filters(search: ContainerSearch): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [sql`c.kind = ${search.kind}`];
  for (const word of (search.query ?? '').toLowerCase().split(/\s+/).filter(Boolean)) {
    const like = `%${escapeLike(word)}%`;
    parts.push(sql`lower(c.name || ' ' || c.summary || ' ' || c.description) LIKE ${like} ESCAPE '\\'`);
  }
  const status = split(search.status, (word) => word.toUpperCase());
  const priority = split(search.priority, (word) => priorityRank(asPriority(word)));
  if (search.kind !== 'project') {
    if (status.wanted.length > 0) parts.push(sql`c.status IN (${sql.join(status.wanted)})`);
    if (status.unwanted.length > 0) parts.push(sql`c.status NOT IN (${sql.join(status.unwanted)})`);
    if (priority.wanted.length > 0) parts.push(sql`c.priority IN (${sql.join(priority.wanted)})`);
    if (priority.unwanted.length > 0) parts.push(sql`c.priority NOT IN (${sql.join(priority.unwanted)})`);
    if (search.projectId !== undefined) parts.push(sql`c.project_id = ${search.projectId}`);
    if (search.featureId !== undefined) parts.push(sql`c.feature_id = ${search.featureId}`);
  }
  const tags = split(search.tags, (word) => word.toLowerCase());
  const has = (tag: string) =>
    sql`EXISTS (SELECT 1 FROM work_tags t WHERE t.entity_id = c.id AND t.tag = ${tag})`;
  for (const tag of tags.wanted) parts.push(has(tag));
  for (const tag of tags.unwanted) parts.push(sql`NOT ${has(tag)}`);
  return parts;
}

function split<T>(words: string[] | undefined, read: (word: string) => T): { wanted: T[]; unwanted: T[] } {
  const given = (words ?? []).map((word) => word.trim()).filter((word) => word !== '' && word !== '!');
  return {
    wanted: given.filter((word) => !word.startsWith('!')).map(read),
    unwanted: given.filter((word) => word.startsWith('!')).map((word) => read(word.slice(1).trim())),
  };
}

function asPriority(word: string): Priority {
  const upper = word.toUpperCase() as Priority;
  if (priorities.includes(upper)) return upper;
  throw new SylkError('VALIDATION_ERROR', `Unknown priority ${JSON.stringify(word)}.`, {
    hint: `Use ${priorities.join(', ')}; !LOW excludes.`,
  });
}

export async function getContainer(
  context: WorkContext,
  kind: ContainerKind,
  id: string,
): Promise<ContainerRecord> {
  return oneRecord(context, await requireContainer(context, id, kind));
}

/** Counts of the tasks of a project or feature by state. */
export async function taskCounts(context: WorkContext, kind: 'project' | 'feature', id: string) {
  const column = kind === 'project' ? 'project_id' : 'feature_id';
  const now = context.clock.now();
  const { rows } = await sql<{ status: string; count: number; blocked: number; claimed: number }>`
    SELECT status, count(*) AS count, count(CASE WHEN blockers > 0 THEN 1 END) AS blocked,
      count(CASE WHEN claim_expires_at > ${now} THEN 1 END) AS claimed
    FROM work_containers WHERE kind = 'task' AND ${sql.ref(column)} = ${id} GROUP BY status ORDER BY status`.execute(
    tablesOf(context),
  );
  return {
    total: rows.reduce((sum, row) => sum + row.count, 0),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
    blocked: rows.reduce((sum, row) => sum + row.blocked, 0),
    claimed: rows.reduce((sum, row) => sum + row.claimed, 0),
  };
}

/** Full id for an id prefix of at least four digits or an exact name. */
export async function resolveContainer(
  context: WorkContext,
  given: string,
  kind?: ContainerKind,
): Promise<string | undefined> {
  const text = given.trim();
  const digits = text.toLowerCase().replaceAll('-', '');
  const prefix = /^[0-9a-f]{4,31}$/.test(digits) ? dashed(digits) : undefined;
  let query = tablesOf(context)
    .selectFrom('work_containers')
    .select(['id', 'name'])
    .where((where) =>
      where.or([
        where('name', '=', text),
        ...(prefix ? [where.and([where('id', '>=', prefix), where('id', '<', `${prefix}g`)])] : []),
      ]),
    );
  if (kind) query = query.where('kind', '=', kind);
  const found = await query.limit(3).execute();
  if (found.length <= 1) return found[0]?.id;
  throw new SylkError(
    'VALIDATION_ERROR',
    `${JSON.stringify(given)} matches more than one ${kind ?? 'container'}.`,
    {
      hint: `Give more digits: ${found.map((row) => `${row.id} (${row.name})`).join(', ')}.`,
    },
  );
}

const dashed = (digits: string) =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
    .filter((part) => part !== '')
    .join('-');
