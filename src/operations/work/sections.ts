import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { sectionFormats, sectionRecord } from '../../stores/work/index.ts';
import { envelopeOperation } from '../envelope.ts';
import {
  containerId,
  entityType,
  flag,
  looseId,
  required,
  uuid,
  uuids,
  whole,
  words,
} from '../work-inputs.ts';

const work = envelopeOperation('work');

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

const querySections = work({
  name: 'query_sections',
  summary:
    'The sections of a project, feature or task (Implementation Plan, Context Files, …) in their order.',
  effect: 'read',
  input: z.object({
    entityType,
    entityId: looseId,
    includeContent: flag(true),
    tags: words.optional(),
    sectionIds: uuids.optional(),
  }),
  data: z.object({ sections: z.array(sectionRecord), count: z.number() }),
  examples: [{ entityType: 'TASK', entityId: 'Add rate limiting' }],
  command: { positionals: ['entityType', 'entityId'] },
  text: (data) =>
    data.sections.map((section) => `## ${section.title}\n${section.content ?? ''}`).join('\n\n'),
  run: async (input, { app }) => {
    const store = await app.work();
    const entityId = await containerId(store, input.entityId, input.entityType.toLowerCase() as 'task');
    const sections = await store.querySections({ ...input, entityId });
    return { message: `${sections.length} section(s)`, data: { sections, count: sections.length } };
  },
});

const manageSections = work({
  name: 'manage_sections',
  summary:
    'Write sections: add, update, updateText, delete, reorder, bulkCreate, bulkDelete. Updates need the version.',
  effect: 'write',
  destructive: true,
  input: z.object({
    operation: z.enum(['add', 'update', 'updateText', 'delete', 'reorder', 'bulkCreate', 'bulkDelete']),
    entityType: entityType.optional().describe('for add, reorder, bulkCreate'),
    entityId: looseId.optional().describe('for add, reorder, bulkCreate'),
    sectionId: uuid.optional().describe('for update, updateText, delete'),
    title: z.string().optional(),
    usageDescription: z.string().optional(),
    content: z.string().optional(),
    contentFormat: format.optional().describe('PLAIN_TEXT, MARKDOWN, JSON or CODE'),
    tags: words.optional(),
    ordinal: whole.optional().describe('unique within the container'),
    version: whole.optional().describe('for update, updateText'),
    orderedIds: uuids.optional().describe('for reorder: all sections in their new order'),
    sections: looseList(newSection).optional().describe('for bulkCreate'),
    sectionIds: uuids.optional().describe('for bulkDelete'),
  }),
  data: z.object({
    section: sectionRecord.optional(),
    sections: z.array(sectionRecord).optional(),
    deleted: z.number().optional(),
  }),
  examples: [
    {
      actor: 'ada',
      operation: 'add',
      entityType: 'TASK',
      entityId: 'Add rate limiting',
      title: 'Notes',
      usageDescription: 'What came up',
      content: 'Nothing yet.',
    },
  ],
  run: async (input, { app }, by) => {
    const store = await app.work();
    const { operation } = input;
    const target = async () => {
      const type = required(input.entityType, 'entityType', operation);
      const given = required(input.entityId, 'entityId', operation);
      return { entityType: type, entityId: await containerId(store, given, type.toLowerCase() as 'task') };
    };
    const id = () => required(input.sectionId, 'sectionId', operation);
    switch (operation) {
      case 'add': {
        const section = {
          ...input,
          title: required(input.title, 'title', operation),
          usageDescription: required(input.usageDescription, 'usageDescription', operation),
          content: required(input.content, 'content', operation),
        };
        const [added] = await store.addSections(by, await target(), [section]);
        return { message: 'Section added.', data: { section: added! } };
      }
      case 'update':
      case 'updateText': {
        const version = required(input.version, 'version', operation);
        const change =
          operation === 'update'
            ? { ...input, sectionId: id(), version }
            : { sectionId: id(), version, content: required(input.content, 'content', operation) };
        return { message: 'Section updated.', data: { section: await store.updateSection(by, change) } };
      }
      case 'delete':
        return {
          message: 'Section deleted.',
          data: { deleted: await store.removeSections(by, [id()], { strict: true }) },
        };
      case 'reorder': {
        const order = required(input.orderedIds, 'orderedIds', operation);
        return {
          message: 'Sections reordered.',
          data: { sections: await store.reorderSections(by, await target(), order) },
        };
      }
      case 'bulkCreate': {
        const sections = required(input.sections, 'sections', operation);
        const added = await store.addSections(by, await target(), sections);
        return { message: `${added.length} sections added.`, data: { sections: added } };
      }
      case 'bulkDelete': {
        const ids = required(input.sectionIds, 'sectionIds', operation);
        const deleted = await store.removeSections(by, ids, { strict: false });
        return { message: `${deleted} sections deleted.`, data: { deleted } };
      }
    }
  },
});

export const operations = [querySections, manageSections];
