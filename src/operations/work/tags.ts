import { z } from 'zod';
import { envelopeOperation } from '../envelope.ts';
import { containerType, flag } from '../work-inputs.ts';

const work = envelopeOperation('work');

const tagUse = z.object({ entityId: z.string(), entityType: z.string(), name: z.string() });

const listWorkTags = work({
  name: 'list_work_tags',
  summary: 'Tags of projects, features and tasks with how often each is used, most used first.',
  effect: 'read',
  input: z.object({ entityType: containerType.optional() }),
  data: z.object({ tags: z.array(z.object({ tag: z.string(), count: z.number() })), count: z.number() }),
  examples: [{}],
  text: (data) =>
    data.tags.map(({ tag, count }) => `${String(count).padStart(5)}  ${tag}`).join('\n') || 'no tags',
  run: async (input, { app }) => {
    const tags = await (await app.work()).listTags(input.entityType);
    return { message: `${tags.length} tag(s)`, data: { tags, count: tags.length } };
  },
});

const getWorkTagUsage = work({
  name: 'get_work_tag_usage',
  summary: 'Which projects, features and tasks have a tag.',
  effect: 'read',
  input: z.object({ tag: z.string() }),
  data: z.object({ entities: z.array(tagUse), count: z.number() }),
  examples: [{ tag: 'api' }],
  command: { positionals: ['tag'] },
  text: (data) =>
    data.entities.map((use) => `${use.entityType}  ${use.entityId.slice(0, 8)}  ${use.name}`).join('\n') ||
    'not used',
  run: async (input, { app }) => {
    const entities = await (await app.work()).tagUsage(input.tag);
    return { message: `${entities.length} use(s)`, data: { entities, count: entities.length } };
  },
});

const renameWorkTag = work({
  name: 'rename_work_tag',
  summary: 'Rename a tag everywhere. dryRun shows what would change.',
  effect: 'write',
  input: z.object({ oldTag: z.string(), newTag: z.string(), dryRun: flag(false) }),
  data: z.object({ affected: z.number(), entities: z.array(tagUse), dryRun: z.boolean() }),
  examples: [{ actor: 'ada', oldTag: 'api', newTag: 'http', dryRun: true }],
  command: { positionals: ['oldTag', 'newTag'] },
  run: async (input, { app }, by) => {
    const entities = await (await app.work()).renameTag(by, input);
    return {
      message: `${input.dryRun ? 'Would rename' : 'Renamed'} on ${entities.length} container(s).`,
      data: { affected: entities.length, entities, dryRun: input.dryRun },
    };
  },
});

export const operations = [listWorkTags, getWorkTagUsage, renameWorkTag];
