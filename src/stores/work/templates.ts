import { sql } from 'kysely';
import { byCodePoint } from '../../base/code-point-order.ts';
import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { builtInSections, builtInTemplates } from './built-in-templates.ts';
import type { EntityType, SectionFormat, SectionRecord, TemplateRecord } from './container.ts';
import { type Author, all, nowOf, tablesOf, type WorkContext } from './context.ts';
import { contentText, nameText, reasonText, tagList } from './fields.ts';
import { addSections, type NewSection } from './sections.ts';
import type { WorkTables } from './tables.ts';

type TemplateRow = WorkTables['work_templates'];
type TemplateSectionRow = WorkTables['work_template_sections'];

const templateOf = (row: TemplateRow): TemplateRecord => ({
  id: row.id,
  name: row.name,
  description: row.description,
  targetEntityType: row.target_entity_type,
  isBuiltIn: row.is_built_in === 1,
  isProtected: row.is_protected === 1,
  isEnabled: row.is_enabled === 1,
  createdBy: row.created_by,
  tags: parseJsonTexts(row.tags),
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
});

export async function getTemplate(
  context: WorkContext,
  idOrName: string,
  { includeSections = false } = {},
): Promise<TemplateRecord> {
  const template = templateOf(await requireTemplate(context, idOrName));
  return includeSections ? { ...template, sections: await templateSections(context, template.id) } : template;
}

export interface TemplateFilter {
  targetEntityType?: EntityType | undefined;
  isBuiltIn?: boolean | undefined;
  isEnabled?: boolean | undefined;
  tags?: string[] | undefined;
  includeSections?: boolean | undefined;
}

/** In order of name. */
export async function listTemplates(context: WorkContext, filter: TemplateFilter): Promise<TemplateRecord[]> {
  const rows = await allTemplates(context);
  const tags = (filter.tags ?? []).map((tag) => tag.trim().toLowerCase()).filter(Boolean);
  const { targetEntityType: target, isBuiltIn, isEnabled } = filter;
  const found = rows
    .map(templateOf)
    .filter((template) => (target ?? template.targetEntityType) === template.targetEntityType)
    .filter((template) => (isBuiltIn ?? template.isBuiltIn) === template.isBuiltIn)
    .filter((template) => (isEnabled ?? template.isEnabled) === template.isEnabled)
    .filter((template) => tags.every((tag) => template.tags.includes(tag)));
  if (!filter.includeSections) return found;
  return Promise.all(
    found.map(async (template) => ({ ...template, sections: await templateSections(context, template.id) })),
  );
}

export interface NewTemplate {
  name: string;
  description: string;
  targetEntityType: EntityType;
  isBuiltIn?: boolean | undefined;
  isProtected?: boolean | undefined;
  createdBy?: string | undefined;
  tags?: string[] | undefined;
}

export async function createTemplate(
  context: WorkContext,
  by: Author,
  given: NewTemplate,
): Promise<TemplateRecord> {
  const now = nowOf(context);
  const row: TemplateRow = {
    id: newUuid(),
    name: nameText(given.name, 'name'),
    description: reasonText(given.description, 'description'),
    target_entity_type: given.targetEntityType,
    is_built_in: given.isBuiltIn ? 1 : 0,
    is_protected: given.isProtected ? 1 : 0,
    is_enabled: 1,
    created_by: given.createdBy?.trim() || by.actor,
    tags: JSON.stringify(tagList(given.tags ?? [])),
    created_at: now,
    modified_at: now,
  };
  return context.library.write(async () => {
    await refuseTaken(context, row.name);
    await tablesOf(context).insertInto('work_templates').values(row).execute();
    await noteTemplate(context, by, 'create', row);
    return templateOf(row);
  });
}

export async function updateTemplate(
  context: WorkContext,
  by: Author,
  id: string,
  change: { name?: string | undefined; description?: string | undefined; tags?: string[] | undefined },
): Promise<TemplateRecord> {
  return context.library.write(async () => {
    const before = await requireOpen(context, id, 'updated');
    const { name, description, tags } = change;
    const after = { ...before, modified_at: nowOf(context) };
    if (name !== undefined) after.name = nameText(name, 'name');
    if (description !== undefined) after.description = reasonText(description, 'description');
    if (tags !== undefined) after.tags = JSON.stringify(tagList(tags));
    if (after.name !== before.name) await refuseTaken(context, after.name);
    await tablesOf(context).updateTable('work_templates').set(after).where('id', '=', before.id).execute();
    await noteTemplate(context, by, 'update', after);
    return templateOf(after);
  });
}

export async function deleteTemplate(context: WorkContext, by: Author, id: string): Promise<void> {
  await context.library.write(async () => {
    const row = await requireOpen(context, id, 'deleted');
    await tablesOf(context).deleteFrom('work_templates').where('id', '=', row.id).execute();
    await noteTemplate(context, by, 'delete', row);
  });
}

export async function switchTemplate(
  context: WorkContext,
  by: Author,
  id: string,
  enabled: boolean,
): Promise<TemplateRecord> {
  return context.library.write(async () => {
    const row = {
      ...(await requireTemplate(context, id)),
      is_enabled: enabled ? 1 : 0,
      modified_at: nowOf(context),
    };
    await tablesOf(context)
      .insertInto('work_templates')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await noteTemplate(context, by, enabled ? 'enable' : 'disable', row);
    return templateOf(row);
  });
}

export interface NewTemplateSection {
  title: string;
  usageDescription: string;
  contentSample: string;
  contentFormat?: SectionFormat | undefined;
  isRequired?: boolean | undefined;
  ordinal?: number | undefined;
  tags?: string[] | undefined;
}

export async function addTemplateSection(
  context: WorkContext,
  by: Author,
  id: string,
  given: NewTemplateSection,
): Promise<TemplateRecord> {
  return context.library.write(async () => {
    const template = await requireOpen(context, id, 'updated');
    const taken = (await templateSections(context, template.id)).map((section) => section.ordinal);
    const ordinal = given.ordinal ?? Math.max(-1, ...taken) + 1;
    if (taken.includes(ordinal))
      throw new SylkError('CONFLICT', `Ordinal ${ordinal} is taken.`, { hint: 'Omit ordinal.' });
    await tablesOf(context)
      .insertInto('work_template_sections')
      .values({
        id: newUuid(),
        template_id: template.id,
        title: nameText(given.title, 'title'),
        usage_description: reasonText(given.usageDescription, 'usageDescription'),
        content_sample: contentText(given.contentSample),
        content_format: given.contentFormat ?? 'MARKDOWN',
        ordinal,
        is_required: given.isRequired ? 1 : 0,
        tags: JSON.stringify(tagList(given.tags ?? [])),
      })
      .execute();
    await noteTemplate(context, by, 'add-section', template);
    return getTemplate(context, template.id, { includeSections: true });
  });
}

/** Copies the template's sections behind those that are there. One of `own` with the same title stands in its place. */
export async function applyTemplate(
  context: WorkContext,
  by: Author,
  request: { templateId: string; entityType: EntityType; entityId: string; own?: NewSection[] | undefined },
): Promise<SectionRecord[]> {
  return context.library.write(async () => {
    const template = await getTemplate(context, request.templateId, { includeSections: true });
    if (!template.isEnabled)
      throw new SylkError('TEMPLATE_DISABLED', `The template ${JSON.stringify(template.name)} is disabled.`, {
        hint: 'Enable it with `sylk work save-template --is-enabled`, or choose another.',
      });
    if (template.targetEntityType !== request.entityType)
      throw new SylkError(
        'VALIDATION_ERROR',
        `The template ${JSON.stringify(template.name)} is for a ${template.targetEntityType}, not for a ${request.entityType}.`,
        { hint: 'Run `sylk work templates` to list the templates.' },
      );
    const sections = (template.sections ?? []).map((section): NewSection => {
      const own = request.own?.find((each) => isSameTitle(each, section));
      if (own) return { ...own, ordinal: undefined };
      const { title, usageDescription, contentSample: content, contentFormat, tags } = section;
      return { title, usageDescription, content, contentFormat, tags };
    });
    return sections.length === 0 ? [] : addSections(context, by, request, sections);
  });
}

export const isSameTitle = (left: { title: string }, right: { title: string }): boolean =>
  left.title.trim().toLowerCase() === right.title.trim().toLowerCase();

async function templateSections(
  context: WorkContext,
  id: string,
): Promise<NonNullable<TemplateRecord['sections']>> {
  const stored = await all(
    context,
    sql<TemplateSectionRow>`SELECT * FROM work_template_sections WHERE template_id = ${id} ORDER BY ordinal`,
  );
  const rows = [...builtInSections.filter((section) => section.template_id === id), ...stored];
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    usageDescription: row.usage_description,
    contentSample: row.content_sample,
    contentFormat: row.content_format,
    ordinal: row.ordinal,
    isRequired: row.is_required === 1,
    tags: parseJsonTexts(row.tags),
  }));
}

async function allTemplates(context: WorkContext): Promise<TemplateRow[]> {
  const stored = await tablesOf(context).selectFrom('work_templates').selectAll().execute();
  const built = builtInTemplates.filter((template) => !stored.some((row) => row.id === template.id));
  return [...built, ...stored].sort((a, b) => byCodePoint(a.name, b.name));
}

async function requireTemplate(context: WorkContext, idOrName: string): Promise<TemplateRow> {
  const row = (await allTemplates(context)).find(({ id, name }) => id === idOrName || name === idOrName);
  if (row) return row;
  throw new SylkError('NOT_FOUND', `Unknown template ${JSON.stringify(idOrName)}.`, {
    hint: 'Run `sylk work templates` to list the templates.',
  });
}

async function requireOpen(context: WorkContext, id: string, verb: string): Promise<TemplateRow> {
  const row = await requireTemplate(context, id);
  if (row.is_protected !== 1) return row;
  throw new SylkError(
    'PROTECTED_TEMPLATE',
    `The template ${JSON.stringify(row.name)} is protected and cannot be ${verb}.`,
    {
      hint: 'Create your own template; a protected one can be disabled.',
    },
  );
}

async function refuseTaken(context: WorkContext, name: string): Promise<void> {
  const there = (await allTemplates(context)).find((template) => template.name === name);
  if (there)
    throw new SylkError('DUPLICATE_NAME', `A template named ${JSON.stringify(name)} already exists.`, {
      hint: 'Choose another name, or update that one.',
      data: { id: there.id },
    });
}

const noteTemplate = (context: WorkContext, by: Author, action: string, row: TemplateRow): Promise<void> =>
  context.library.journal.record({
    at: nowOf(context),
    actor: by.actor,
    action,
    ref: `template:${row.id}`,
    project: '',
    detail: { name: row.name },
  });
