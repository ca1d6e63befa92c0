import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import type { ContainerKind } from './container.ts';
import { type Author, nowOf, tablesOf, touch, type WorkContext } from './context.ts';
import { tagList } from './fields.ts';

/** Most used first, then by name. */
export async function listTags(
  context: WorkContext,
  kind?: ContainerKind,
): Promise<Array<{ tag: string; count: number }>> {
  let query = tablesOf(context)
    .selectFrom('work_tags')
    .select(({ fn }) => ['tag', fn.countAll<number>().as('count')]);
  if (kind) query = query.where('kind', '=', kind);
  const rows = await query.groupBy('tag').orderBy(sql`count(*)`, 'desc').orderBy('tag').execute();
  return rows.map((row) => ({ tag: row.tag, count: Number(row.count) }));
}

export interface TagUse {
  entityId: string;
  entityType: ContainerKind;
  name: string;
}

export async function tagUsage(context: WorkContext, tag: string): Promise<TagUse[]> {
  const rows = await tablesOf(context)
    .selectFrom('work_tags')
    .innerJoin('work_containers', 'work_containers.id', 'work_tags.entity_id')
    .select(['work_containers.id', 'work_containers.kind', 'work_containers.name'])
    .where('work_tags.tag', '=', oneTag(tag, 'tag'))
    .orderBy('work_containers.kind')
    .orderBy('work_containers.name')
    .orderBy('work_containers.id')
    .execute();
  return rows.map((row) => ({ entityId: row.id, entityType: row.kind, name: row.name }));
}

/** Every container that has the old tag gets the new one; one that has both keeps one. */
export async function renameTag(
  context: WorkContext,
  by: Author,
  request: { oldTag: string; newTag: string; dryRun: boolean },
): Promise<TagUse[]> {
  const [from, to] = [oneTag(request.oldTag, 'oldTag'), oneTag(request.newTag, 'newTag')];
  if (from === to)
    throw new SylkError('VALIDATION_ERROR', 'The old and the new tag are the same.', {
      hint: 'Tags are lower case; choose another name.',
    });
  if (request.dryRun) return tagUsage(context, from);
  return context.library.write(async () => {
    const used = await tagUsage(context, from);
    const tables = tablesOf(context);
    for (const use of used) {
      await tables
        .deleteFrom('work_tags')
        .where('entity_id', '=', use.entityId)
        .where('tag', '=', from)
        .execute();
      await tables
        .insertInto('work_tags')
        .values({ entity_id: use.entityId, kind: use.entityType, tag: to })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await touch(context, by, use.entityId);
    }
    if (used.length > 0)
      await context.library.journal.record({
        at: nowOf(context),
        actor: by.actor,
        action: 'rename-tag',
        ref: `tag:${to}`,
        project: '',
        detail: { from, to, affected: used.length },
      });
    return used;
  });
}

function oneTag(given: string, field: string): string {
  const [tag] = tagList([given]);
  if (tag !== undefined) return tag;
  throw new SylkError('VALIDATION_ERROR', `${field} is empty.`, {
    hint: 'list_work_tags shows the tags in use.',
  });
}
