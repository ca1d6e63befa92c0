import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import type { ContainerKind } from './container.ts';
import { type Author, all, nowOf, touch, type WorkContext } from './context.ts';
import { tagList } from './fields.ts';

/** Most used first, then by name. */
export async function listTags(
  context: WorkContext,
  kind?: ContainerKind,
): Promise<Array<{ tag: string; count: number }>> {
  const rows = await all(
    context,
    sql<{ tag: string; count: number }>`SELECT tag, count(*) AS count FROM work_tags
      WHERE ${kind ? sql`kind = ${kind}` : sql`true`} GROUP BY tag ORDER BY count(*) DESC, tag`,
  );
  return rows.map((row) => ({ tag: row.tag, count: Number(row.count) }));
}

export interface TagUse {
  entityId: string;
  entityType: ContainerKind;
  name: string;
}

export async function tagUsage(context: WorkContext, tag: string): Promise<TagUse[]> {
  return all(
    context,
    sql<TagUse>`SELECT c.id AS "entityId", c.kind AS "entityType", c.name FROM work_tags t
      JOIN work_containers c ON c.id = t.entity_id WHERE t.tag = ${oneTag(tag, 'tag')}
      ORDER BY c.kind, c.name, c.id`,
  );
}

/** Every container with the old tag gets the new one; one with both keeps one. */
export async function renameTag(
  context: WorkContext,
  by: Author,
  request: { oldTag: string; newTag: string; dryRun: boolean },
): Promise<TagUse[]> {
  const [from, to] = [oneTag(request.oldTag, 'oldTag'), oneTag(request.newTag, 'newTag')];
  if (from === to)
    throw new SylkError('VALIDATION_ERROR', 'The old and the new tag are the same.', {
      hint: 'Tags are lowercase; choose another name.',
    });
  if (request.dryRun) return tagUsage(context, from);
  return context.library.write(async () => {
    const used = await tagUsage(context, from);
    for (const use of used) {
      await all(context, sql`DELETE FROM work_tags WHERE entity_id = ${use.entityId} AND tag = ${from}`);
      await all(
        context,
        sql`INSERT INTO work_tags (entity_id, kind, tag) VALUES (${use.entityId}, ${use.entityType}, ${to})
          ON CONFLICT DO NOTHING`,
      );
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
  throw new SylkError('VALIDATION_ERROR', `Missing ${field}.`, {
    hint: 'Run `sylk work tags` to see the tags in use.',
  });
}
