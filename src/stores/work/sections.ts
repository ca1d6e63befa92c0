import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import {
  type ContainerKind,
  type EntityType,
  entityTypeOf,
  type SectionFormat,
  type SectionRecord,
} from './container.ts';
import {
  type Author,
  all,
  note,
  nowOf,
  requireContainer,
  requireVersion,
  type StoredContainer,
  tablesOf,
  type WorkContext,
} from './context.ts';
import { contentText, nameText, reasonText, tagList } from './fields.ts';
import { sectionOf } from './rows.ts';
import type { SectionRow } from './tables.ts';

export const kindOf = (entityType: EntityType): ContainerKind =>
  (({ PROJECT: 'project', FEATURE: 'feature', TASK: 'task' }) as const)[entityType];

export interface NewSection {
  title: string;
  usageDescription: string;
  content: string;
  contentFormat?: SectionFormat | undefined;
  tags?: string[] | undefined;
  ordinal?: number | undefined;
}

export async function querySections(
  context: WorkContext,
  request: {
    entityType: EntityType;
    entityId: string;
    includeContent: boolean;
    tags?: string[] | undefined;
    sectionIds?: string[] | undefined;
  },
): Promise<SectionRecord[]> {
  await requireContainer(context, request.entityId, kindOf(request.entityType));
  const rows = await rowsOf(context, request.entityId);
  const tags = (request.tags ?? []).map((tag) => tag.trim().toLowerCase()).filter(Boolean);
  return rows
    .map(sectionOf)
    .filter((section) => !request.sectionIds?.length || request.sectionIds.includes(section.id))
    .filter((section) => tags.every((tag) => section.tags.includes(tag)))
    .map(({ content, ...section }) => (request.includeContent ? { ...section, content } : section));
}

/** Sections by ordinal. All of them are added, or none. */
export async function addSections(
  context: WorkContext,
  by: Author,
  target: { entityType: EntityType; entityId: string },
  sections: NewSection[],
): Promise<SectionRecord[]> {
  if (sections.length === 0) {
    throw new SylkError('VALIDATION_ERROR', 'Missing sections.', {
      hint: 'sections is a list of { title, usageDescription, content }.',
    });
  }
  return context.library.write(async () => {
    const entity = await requireContainer(context, target.entityId, kindOf(target.entityType));
    const added: SectionRecord[] = [];
    for (const section of sections) added.push(await addOne(context, entity, section));
    await note(context, by, 'add-section', entity, { titles: added.map((section) => section.title) });
    return added;
  });
}

async function addOne(
  context: WorkContext,
  entity: StoredContainer,
  given: NewSection,
): Promise<SectionRecord> {
  const taken = (await rowsOf(context, entity.id)).map((row) => row.ordinal);
  const ordinal = given.ordinal ?? Math.max(-1, ...taken) + 1;
  if (!Number.isInteger(ordinal) || ordinal < 0) {
    throw new SylkError('VALIDATION_ERROR', `Invalid ordinal ${ordinal}.`, {
      hint: 'Give 0 or more, or omit it.',
    });
  }
  if (taken.includes(ordinal)) throw ordinalTaken(ordinal, Math.max(...taken) + 1);
  const now = nowOf(context);
  const row: SectionRow = {
    id: newUuid(),
    entity_type: entityTypeOf[entity.kind],
    entity_id: entity.id,
    title: nameText(given.title, 'title'),
    usage_description: reasonText(given.usageDescription, 'usageDescription'),
    content: contentText(given.content),
    content_format: given.contentFormat ?? 'MARKDOWN',
    ordinal,
    tags: JSON.stringify(tagList(given.tags ?? [])),
    version: 1,
    created_at: now,
    modified_at: now,
  };
  await tablesOf(context).insertInto('work_sections').values(row).execute();
  return sectionOf(row);
}

const ordinalTaken = (ordinal: number, free: number) =>
  new SylkError('CONFLICT', `Ordinal ${ordinal} is taken.`, {
    hint: `Use ${free}, or omit ordinal; reorder changes the order.`,
    data: { ordinal, next: free },
  });

export interface SectionChange extends Partial<Omit<NewSection, 'ordinal'>> {
  sectionId: string;
  version: number;
}

export async function updateSection(
  context: WorkContext,
  by: Author,
  change: SectionChange,
): Promise<SectionRecord> {
  return context.library.write(async () => {
    const before = await requireSection(context, change.sectionId);
    requireVersion(before, change.version);
    const { title, usageDescription, content, contentFormat, tags } = change;
    const after = { ...before, version: before.version + 1, modified_at: nowOf(context) };
    if (title !== undefined) after.title = nameText(title, 'title');
    if (usageDescription !== undefined)
      after.usage_description = reasonText(usageDescription, 'usageDescription');
    if (content !== undefined) after.content = contentText(content);
    if (contentFormat !== undefined) after.content_format = contentFormat;
    if (tags !== undefined) after.tags = JSON.stringify(tagList(tags));
    await tablesOf(context).updateTable('work_sections').set(after).where('id', '=', before.id).execute();
    const entity = await requireContainer(context, before.entity_id);
    await note(context, by, 'update-section', entity, { section: before.id, title: after.title });
    return sectionOf(after);
  });
}

export async function removeSections(
  context: WorkContext,
  by: Author,
  ids: string[],
  { strict }: { strict: boolean },
): Promise<number> {
  return context.library.write(async () => {
    let removed = 0;
    for (const id of new Set(ids)) {
      const row = strict ? await requireSection(context, id) : await findSection(context, id);
      if (!row) continue;
      await tablesOf(context).deleteFrom('work_sections').where('id', '=', id).execute();
      await note(context, by, 'delete-section', await requireContainer(context, row.entity_id), {
        title: row.title,
      });
      removed++;
    }
    return removed;
  });
}

/** The given ids take the ordinals 0, 1, 2 …; every section of the container must be named once. */
export async function reorderSections(
  context: WorkContext,
  by: Author,
  target: { entityType: EntityType; entityId: string },
  orderedIds: string[],
): Promise<SectionRecord[]> {
  return context.library.write(async () => {
    const entity = await requireContainer(context, target.entityId, kindOf(target.entityType));
    const rows = await rowsOf(context, entity.id);
    const same = orderedIds.length === rows.length && rows.every((row) => orderedIds.includes(row.id));
    if (!same || new Set(orderedIds).size !== orderedIds.length) {
      throw new SylkError('VALIDATION_ERROR', 'orderedIds must name every section of the container once.', {
        hint: `Its sections are ${rows.map((row) => row.id).join(', ')}.`,
      });
    }
    // Moved away first: an ordinal is unique at every moment.
    await all(
      context,
      sql`UPDATE work_sections SET ordinal = ordinal + 1000000 WHERE entity_id = ${entity.id}`,
    );
    for (const [ordinal, id] of orderedIds.entries())
      await all(
        context,
        sql`UPDATE work_sections SET ordinal = ${ordinal}, version = version + 1, modified_at = ${nowOf(context)}
          WHERE id = ${id}`,
      );
    await note(context, by, 'reorder-sections', entity);
    return (await rowsOf(context, entity.id)).map(sectionOf);
  });
}

export const rowsOf = (context: WorkContext, id: string): Promise<SectionRow[]> =>
  all(context, sql<SectionRow>`SELECT * FROM work_sections WHERE entity_id = ${id} ORDER BY ordinal`);

const findSection = (context: WorkContext, id: string): Promise<SectionRow | undefined> =>
  tablesOf(context).selectFrom('work_sections').selectAll().where('id', '=', id).executeTakeFirst();

async function requireSection(context: WorkContext, id: string): Promise<SectionRow> {
  const row = await findSection(context, id);
  if (row) return row;
  throw new SylkError('NOT_FOUND', `Unknown section ${id}.`, {
    hint: 'Run `sylk work show ID --sections` to list the sections of a container.',
  });
}
