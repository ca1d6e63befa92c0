import { z } from 'zod';
import { parseUuid } from '../../base/ids.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { sectionFormats, sectionRecord, templateRecord } from '../../stores/work/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { containerId, entityType, flag, looseId, required, whole, words } from '../work-inputs.ts';

const work = envelopeOperation('work');

/** An id in any spelling, or the name. */
const templateRef = looseId.transform((text) => (/^[0-9a-f-]{32,36}$/i.test(text) ? parseUuid(text) : text));

const queryTemplates = work({
  name: 'query_templates',
  summary: 'Templates of sections: get one (by id or name), or list them.',
  effect: 'read',
  input: z.object({
    operation: z.enum(['get', 'list']).optional().default('list'),
    id: templateRef.optional(),
    includeSections: flag(false),
    targetEntityType: entityType.optional(),
    isBuiltIn: looseBoolean.optional(),
    isEnabled: looseBoolean.optional(),
    tags: words.optional(),
  }),
  data: z.object({
    template: templateRecord.optional(),
    templates: z.array(templateRecord).optional(),
    count: z.number(),
  }),
  examples: [{ operation: 'list', targetEntityType: 'TASK' }],
  text: (data) =>
    [...(data.templates ?? []), ...(data.template ? [data.template] : [])]
      .map(
        (template) =>
          `${template.id}  ${template.targetEntityType}  ${template.name}${template.isEnabled ? '' : ' (disabled)'}`,
      )
      .join('\n'),
  run: async (input, { app }) => {
    const store = await app.work();
    if (input.operation === 'get') {
      const template = await store.getTemplate(required(input.id, 'id', 'get'), input);
      return { message: template.name, data: { template, count: 1 } };
    }
    const templates = await store.listTemplates(input);
    return { message: `${templates.length} template(s)`, data: { templates, count: templates.length } };
  },
});

const manageTemplate = work({
  name: 'manage_template',
  summary:
    'Create, update, delete, enable or disable a template, or addSection to it. Protected ones can only be switched.',
  effect: 'write',
  destructive: true,
  input: z.object({
    operation: z.enum(['create', 'update', 'delete', 'enable', 'disable', 'addSection']),
    id: templateRef.optional(),
    name: z.string().optional(),
    description: z.string().optional(),
    targetEntityType: entityType.optional(),
    isBuiltIn: looseBoolean.optional(),
    isProtected: looseBoolean.optional(),
    createdBy: z.string().max(200).optional(),
    tags: words.optional(),
    title: z.string().optional(),
    usageDescription: z.string().optional(),
    contentSample: z.string().optional(),
    contentFormat: z.enum(sectionFormats).optional(),
    isRequired: looseBoolean.optional(),
    ordinal: whole.optional(),
  }),
  data: z.object({ template: templateRecord.optional(), deleted: z.boolean().optional() }),
  examples: [
    {
      actor: 'ada',
      operation: 'create',
      name: 'Bug',
      description: 'Sections of a bug report.',
      targetEntityType: 'TASK',
    },
  ],
  run: async (input, { app }, by) => {
    const store = await app.work();
    const need = <T>(value: T | undefined, field: string) => required(value, field, input.operation);
    if (input.operation === 'create') {
      const template = await store.createTemplate(by, {
        ...input,
        name: need(input.name, 'name'),
        description: need(input.description, 'description'),
        targetEntityType: need(input.targetEntityType, 'targetEntityType'),
      });
      return { message: 'Template created.', data: { template } };
    }
    const id = need(input.id, 'id');
    switch (input.operation) {
      case 'update':
        return {
          message: 'Template updated.',
          data: { template: await store.updateTemplate(by, id, input) },
        };
      case 'delete':
        await store.deleteTemplate(by, id);
        return { message: 'Template deleted.', data: { deleted: true } };
      case 'enable':
      case 'disable':
        return {
          message: `Template ${input.operation}d.`,
          data: { template: await store.switchTemplate(by, id, input.operation === 'enable') },
        };
      case 'addSection': {
        const section = {
          ...input,
          title: need(input.title, 'title'),
          usageDescription: need(input.usageDescription, 'usageDescription'),
          contentSample: need(input.contentSample, 'contentSample'),
        };
        return {
          message: 'Section added to the template.',
          data: { template: await store.addTemplateSection(by, id, section) },
        };
      }
    }
  },
});

const applyTemplate = work({
  name: 'apply_template',
  summary: 'Add the sections of a template (id or name) to a project, feature or task, behind what is there.',
  effect: 'write',
  input: z.object({ templateId: templateRef, entityType, entityId: looseId }),
  data: z.object({ sections: z.array(sectionRecord), count: z.number() }),
  examples: [
    { actor: 'ada', templateId: 'Standard Task', entityType: 'TASK', entityId: 'Document the limits' },
  ],
  command: { positionals: ['templateId', 'entityType', 'entityId'] },
  run: async (input, { app }, by) => {
    const store = await app.work();
    const entityId = await containerId(store, input.entityId, input.entityType.toLowerCase() as 'task');
    const sections = await store.applyTemplate(by, { ...input, entityId });
    return { message: `${sections.length} section(s) added.`, data: { sections, count: sections.length } };
  },
});

export const operations = [queryTemplates, manageTemplate, applyTemplate];
