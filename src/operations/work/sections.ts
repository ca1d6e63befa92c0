import { z } from 'zod';
import { parseUuid } from '../../base/ids.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import {
  type ContainerKind,
  entityTypeOf,
  sectionFormats,
  sectionRecord,
  templateRecord,
  type Work,
} from '../../stores/work/index.ts';
import { envelopeOperation } from '../envelope.ts';
import {
  containerId,
  containerType,
  flag,
  looseId,
  required,
  uuid,
  uuids,
  whole,
  words,
} from '../work-inputs.ts';

const format = z.preprocess(
  (given) => (typeof given === 'string' ? given.trim().toUpperCase() : given),
  z.enum(sectionFormats),
);

export const newSection = z.object({
  title: z.string(),
  usageDescription: z.string(),
  content: z.string(),
  contentFormat: format.optional(),
  tags: words.optional(),
  ordinal: whole.optional(),
});

/** An id in any spelling, or the name. */
export const templateRef = looseId.transform((text) =>
  /^[0-9a-f-]{32,36}$/i.test(text) ? parseUuid(text) : text,
);

const target = async (store: Work, type: ContainerKind | undefined, id: string | undefined) => {
  const kind = required(type, 'type');
  return {
    entityType: entityTypeOf[kind],
    entityId: await containerId(store, required(id, 'id'), kind),
  };
};

const saveSections = envelopeOperation({
  name: 'save_sections',
  summary:
    'Write sections of a project, feature or task: add one, several, or those of a template; update one by section_id and version; reorder with ordered_ids.',
  effect: 'write',
  input: z.object({
    type: containerType.optional().describe('type of the container'),
    id: looseId.optional().describe('id of the container'),
    title: z.string().optional(),
    usage_description: z.string().optional(),
    content: z.string().optional(),
    content_format: format.optional().describe('PLAIN_TEXT, MARKDOWN, JSON or CODE'),
    tags: words.optional(),
    ordinal: whole.optional().describe('unique within the container'),
    sections: looseList(newSection).optional().describe('several new sections'),
    template: templateRef.optional().describe('id or name of a template; adds its sections'),
    section_id: uuid.optional().describe('update this section'),
    version: whole.optional().describe('with section_id: its current version'),
    ordered_ids: uuids.optional().describe('all sections in their new order'),
  }),
  data: z.object({
    section: sectionRecord.optional(),
    sections: z.array(sectionRecord).optional(),
    count: z.number().optional(),
  }),
  examples: [
    {
      actor: 'ada',
      type: 'task',
      id: 'Add rate limiting',
      title: 'Notes',
      usage_description: 'What came up',
      content: 'Nothing yet.',
    },
    { actor: 'ada', template: 'Standard Task', type: 'task', id: 'Document the limits' },
  ],
  run: async ({ type, id, sectionId, template, orderedIds, ...input }, { app }, by) => {
    const store = await app.work();
    if (sectionId !== undefined) {
      const change = { ...input, sectionId, version: required(input.version, 'version') };
      return { message: 'Section updated.', data: { section: await store.updateSection(by, change) } };
    }
    const container = await target(store, type, id);
    if (orderedIds)
      return {
        message: 'Sections reordered.',
        data: { sections: await store.reorderSections(by, container, orderedIds) },
      };
    const sections = template
      ? await store.applyTemplate(by, { ...container, templateId: template })
      : await store.addSections(by, container, input.sections ?? [oneSection(input)]);
    const data = { section: template || input.sections ? undefined : sections[0], sections };
    return { message: `${sections.length} section(s) added.`, data: { ...data, count: sections.length } };
  },
});

const oneSection = (input: Partial<z.output<typeof newSection>>) => ({
  ...input,
  title: required(input.title, 'title'),
  usageDescription: required(input.usageDescription, 'usage_description'),
  content: required(input.content, 'content'),
});

const listTemplates = envelopeOperation({
  name: 'list_templates',
  summary: 'Section templates; with id (or name), one of them.',
  effect: 'read',
  input: z.object({
    id: templateRef.optional(),
    include_sections: flag(false),
    target_entity_type: containerType.optional(),
    is_built_in: looseBoolean.optional(),
    is_enabled: looseBoolean.optional(),
    tags: words.optional(),
  }),
  data: z.object({
    template: templateRecord.optional(),
    templates: z.array(templateRecord).optional(),
    count: z.number(),
  }),
  examples: [{ target_entity_type: 'task' }],
  text: ({ templates = [], template }) =>
    [...templates, ...(template ? [template] : [])]
      .map(
        ({ id, targetEntityType, name, isEnabled }) =>
          `${id}  ${targetEntityType}  ${name}${isEnabled ? '' : ' (disabled)'}`,
      )
      .join('\n'),
  run: async ({ id, targetEntityType, ...input }, { app }) => {
    const store = await app.work();
    if (id !== undefined) {
      const template = await store.getTemplate(id, input);
      return { message: template.name, data: { template, count: 1 } };
    }
    const type = targetEntityType && entityTypeOf[targetEntityType];
    const templates = await store.listTemplates({ ...input, targetEntityType: type });
    return { message: `${templates.length} template(s)`, data: { templates, count: templates.length } };
  },
});

const saveTemplate = envelopeOperation({
  name: 'save_template',
  summary:
    'Create a section template, or change one by its id (or name): its fields, is_enabled, or one more section (title, usage_description, content_sample). Protected templates can only be switched on or off.',
  effect: 'write',
  input: z.object({
    id: templateRef.optional(),
    name: z.string().optional(),
    description: z.string().optional(),
    target_entity_type: containerType.optional(),
    is_built_in: looseBoolean.optional(),
    is_protected: looseBoolean.optional(),
    is_enabled: looseBoolean.optional(),
    created_by: z.string().max(200).optional(),
    tags: words.optional(),
    title: z.string().optional().describe('title of a section to add'),
    usage_description: z.string().optional(),
    content_sample: z.string().optional(),
    content_format: format.optional(),
    is_required: looseBoolean.optional(),
    ordinal: whole.optional(),
  }),
  data: z.object({ template: templateRecord }),
  examples: [
    {
      actor: 'ada',
      name: 'Bug',
      description: 'Sections of a bug report.',
      target_entity_type: 'task',
    },
  ],
  run: async ({ id, targetEntityType: type, ...input }, { app }, by) => {
    const store = await app.work();
    const targetEntityType = type && entityTypeOf[type];
    if (id === undefined) {
      const template = await store.createTemplate(by, {
        ...input,
        name: required(input.name, 'name'),
        description: required(input.description, 'description'),
        targetEntityType: required(targetEntityType, 'target_entity_type'),
      });
      return { message: 'Template created.', data: { template } };
    }
    if (input.isEnabled !== undefined) {
      const template = await store.switchTemplate(by, id, input.isEnabled);
      return { message: `Template ${input.isEnabled ? 'enabled' : 'disabled'}.`, data: { template } };
    }
    if (input.title === undefined) {
      const template = await store.updateTemplate(by, id, input);
      return { message: 'Template updated.', data: { template } };
    }
    const template = await store.addTemplateSection(by, id, {
      ...input,
      title: input.title,
      usageDescription: required(input.usageDescription, 'usage_description'),
      contentSample: required(input.contentSample, 'content_sample'),
    });
    return { message: 'Section added to the template.', data: { template } };
  },
});

export const operations = [saveSections, listTemplates, saveTemplate];
