import { sql } from 'kysely';
import { newUuid } from '../../base/ids.ts';
import { texts } from '../../base/library/index.ts';
import { type AreaKind, type ChangelogRecord, changelogOf } from './area.ts';
import {
  type AreasContext,
  type Author,
  note,
  nowOf,
  requireArea,
  requireTask,
  summaryText,
  tablesOf,
} from './context.ts';
import type { ChangelogRow } from './tables.ts';

/** Adds an entry. Entries are never edited; they are deleted only with their area. */
export async function appendChangelog(
  context: AreasContext,
  by: Author,
  given: { parentType: AreaKind; parentId: string; taskId?: string | undefined; summary: string },
): Promise<ChangelogRecord> {
  const summary = summaryText(given.summary);
  return context.library.write(async () => {
    const parent = await requireArea(context, given.parentType, given.parentId);
    const row = {
      id: newUuid(),
      parent_type: given.parentType,
      parent_id: given.parentId,
      task_id: await requireTask(context, by, given.taskId, 'taskId'),
      summary,
      created_at: nowOf(context),
    };
    await tablesOf(context).insertInto('graph_changelog').values(row).execute();
    await note(context, by, 'append-changelog', given.parentType, parent, { summary: summary.slice(0, 200) });
    return changelogOf(row);
  });
}

/** Newest first; entries with equal times are in reverse order of writing. */
export async function searchChangelog(
  context: AreasContext,
  request: { parentType: AreaKind; parentId: string; limit: number; offset: number },
): Promise<{ items: ChangelogRecord[]; total: number }> {
  await requireArea(context, request.parentType, request.parentId);
  const ours = tablesOf(context)
    .selectFrom('graph_changelog')
    .where('parent_type', '=', request.parentType)
    .where('parent_id', '=', request.parentId);
  const { total } = await ours
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await ours
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(request.limit)
    .offset(request.offset)
    .execute();
  return { items: rows.map(changelogOf), total: Number(total) };
}

/** The last entries of many parents in one query. */
export async function recentChangelogs(
  context: AreasContext,
  kind: AreaKind,
  ids: string[],
  limit: number,
): Promise<Map<string, ChangelogRecord[]>> {
  const recent = new Map<string, ChangelogRecord[]>();
  if (ids.length === 0 || limit <= 0) return recent;
  const { rows } = await sql<ChangelogRow>`
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY parent_id ORDER BY created_at DESC, seq DESC) AS place
      FROM graph_changelog WHERE parent_type = ${kind} AND parent_id IN ${texts(ids)}) AS ranked
    WHERE place <= ${limit} ORDER BY parent_id, place`.execute(tablesOf(context));
  for (const row of rows) {
    const list = recent.get(row.parent_id);
    if (list) list.push(changelogOf(row));
    else recent.set(row.parent_id, [changelogOf(row)]);
  }
  return recent;
}
