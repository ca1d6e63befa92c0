import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseList } from '../../base/loose-input.ts';
import {
  prepareTurn,
  resolvedEvent,
  respondToSkills,
  skillEvent,
  skillResource,
} from '../../stores/skills/index.ts';
import { operation } from '../operation.ts';
import { skillId } from './shared.ts';

const loadSkill = operation({
  name: 'load_skill',
  summary: "Load a skill's full instructions into the conversation, by its id from browse_skills.",
  effect: 'read',
  input: z.object({ id: skillId }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    source_name: z.string(),
    content: z.string(),
    byte_size: z.number(),
    truncated: z.boolean(),
    resources: z.number(),
    notes: z.array(z.string()),
    events: z.array(skillEvent),
  }),
  examples: [{ id: 'skill-creator' }, { id: 'no/such-skill' }],
  command: { positionals: ['id'] },
  render: ({ content, notes }) => [content, ...notes.map((note) => `(${note})`)].join('\n'),
  run: async ({ id }, { app }) => {
    const engine = await (await app.skills()).requireEngine();
    const [skill] = await engine.resolveAndRender([id]);
    const resources = (await engine.source.resources?.(id))?.length ?? 0;
    const files = `${resources} more files: read_skill_resource. Sylk never runs the scripts of a skill.`;
    const { rendered_body: content, foreign: _foreign, ...rest } = skill!;
    return {
      ...rest,
      content,
      resources,
      notes: [...rest.notes, ...(resources > 0 ? [files] : [])],
      events: [resolvedEvent([skill!])],
    };
  },
});

const resourceLimit = 64 * 1024;

const readSkillResource = operation({
  name: 'read_skill_resource',
  summary:
    'The files of a skill (scripts, references, templates), or with path the text of one. Limited to the directory of the skill.',
  effect: 'read',
  input: z.object({
    id: skillId,
    path: z.string().min(1).max(1024).optional().describe('one of the files; lists them when omitted'),
    offset: z.coerce.number().int().min(0).default(0).describe('byte offset to start at'),
  }),
  output: z.object({
    id: z.string(),
    resources: z.array(skillResource).optional(),
    path: z.string().optional(),
    content: z.string().optional(),
    bytes: z.number().optional(),
    next_offset: z.number().optional(),
  }),
  examples: [
    { id: 'skill-creator' },
    { id: 'skill-creator', path: 'SKILL.md' },
    { id: 'skill-creator', path: '../../package.json' },
  ],
  command: { positionals: ['id', 'path'] },
  render: ({ content, resources = [] }) =>
    content ?? (resources.map(({ path, bytes }) => `${path}  ${bytes}`).join('\n') || 'No other files.'),
  run: async ({ id, path, offset }, { app }) => {
    const engine = await (await app.skills()).requireEngine();
    // The trust check of a skill also covers its files.
    await engine.loadUsable(id);
    if (path === undefined) return { id, resources: (await engine.source.resources?.(id)) ?? [] };
    const bytes = await engine.source.readResource!(id, path);
    if (bytes.subarray(0, 8000).includes(0))
      throw new SylkError('INVALID_OPERATION', `${path} of skill '${id}' is not text.`, {
        hint: 'Only text files can be read.',
      });
    const part = bytes.subarray(offset, offset + resourceLimit);
    const next = offset + part.length;
    const next_offset = next < bytes.length ? next : undefined;
    return { id, path, bytes: bytes.length, content: Buffer.from(part).toString('utf8'), next_offset };
  },
});

const prepareTurnOperation = operation({
  name: 'prepare_turn',
  summary:
    'What an agent loop adds to one message: the inventory of skills, preloaded skills, and the skill that the message names with a slash.',
  effect: 'read',
  input: z.object({
    text: z.string().max(1_000_000).describe('the message; a leading /skill-id activates that skill'),
    preload_skills: looseList(skillId)
      .optional()
      .describe('ids whose text is required; a missing one fails the call'),
    skill_references: looseList(skillId).optional().describe('ids to activate for this message only'),
  }),
  output: z.object({
    text: z.string(),
    inventory: z.string(),
    blocks: z.array(
      z.object({
        id: z.string(),
        role: z.enum(['system', 'user']),
        content: z.string(),
        source_name: z.string(),
      }),
    ),
    events: z.array(skillEvent),
  }),
  examples: [{ text: '/skill-creator turn my notes into a skill' }, { text: 'hello', preload_skills: [] }],
  command: { positionals: ['text'], rest: true },
  run: async (input, { app }) => prepareTurn(await (await app.skills()).engine(), input),
});

const answerSkillsRequest = operation({
  name: 'answer_skills_request',
  summary:
    'The read-only skills API for other Sylk installations: /skills, /skills/{id} and /skill-collections under /api.',
  effect: 'read',
  input: z.object({
    path: z.string().max(2000).describe('URL-encoded, such as /skills/extraction%2Femail'),
    collection: z.string().max(512).optional(),
    query: z.string().max(2000).optional(),
  }),
  output: z.object({ status: z.number(), json: z.unknown() }),
  examples: [{ path: '/skills' }, { path: '/skills/skill-creator' }, { path: '/skill-collections' }],
  run: async ({ path, collection, query }, { app }) =>
    respondToSkills(await (await app.skills()).servedEngine(), { path, query: { collection, query } }),
});

export const loading = [loadSkill, readSkillResource, prepareTurnOperation, answerSkillsRequest];
