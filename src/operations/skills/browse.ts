import { z } from 'zod';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { skillCollection } from '../../stores/skills/index.ts';
import { operation } from '../operation.ts';
import { listed, listedSkill, skillLine } from './shared.ts';

const browseSkills = operation({
  name: 'browse_skills',
  summary:
    'Browse available skill collections or list the skills in one; with query, search all skills by what they are for.',
  effect: 'read',
  input: z.object({
    path: z
      .string()
      .max(512)
      .optional()
      .describe('collection to browse, e.g. extraction/medical; empty: the root'),
    query: z
      .string()
      .max(2000)
      .optional()
      .describe('what you need a skill for; searches all collections, path is then ignored'),
    limit: z.coerce.number().int().min(1).max(100).default(100).describe('with query: most to answer'),
    ...pagingInput,
  }),
  output: z.object({
    type: z.enum(['listing', 'search']),
    path: z.string().optional(),
    query: z.string().optional(),
    subcollections: z.array(skillCollection).optional(),
    skills: z.array(listedSkill),
    ...pagingOutput,
  }),
  examples: [{}, { path: 'extraction' }, { query: 'write a new skill' }],
  command: { positionals: ['path'] },
  render: (answer) =>
    [
      ...(answer.subcollections ?? []).map(
        ({ path, count, description }) => `${path}/  ${count}  ${description}`,
      ),
      ...answer.skills.map(skillLine),
      ...(answer.skills.length + (answer.subcollections ?? []).length === 0 ? ['No skills here.'] : []),
    ].join('\n'),
  run: async (input, { app }) => {
    const engine = await (await app.skills()).requireEngine();
    const query = input.query?.trim();
    const level = query ? undefined : await engine.browse(input.path ?? '');
    const found = level?.skills ?? (await engine.search(query ?? '', input.limit));
    const cut = await pageOf(found.map(listed), input);
    const rest = { skills: cut.items, total: cut.total, next_cursor: cut.next_cursor };
    return level
      ? { type: 'listing' as const, path: level.path, subcollections: level.subcollections, ...rest }
      : { type: 'search' as const, query, ...rest };
  },
});

const listSkills = operation({
  name: 'list_skills',
  summary: 'Every skill with its source, by collection, by source or by text; shadowed ones too when asked.',
  effect: 'read',
  input: z.object({
    collection: z.string().max(512).optional().describe('only at or below this collection'),
    query: z.string().max(2000).optional().describe('only with this text in name or description'),
    source: z.string().max(64).optional().describe('only of this source'),
    include_shadowed: z
      .boolean()
      .default(false)
      .describe('also skills that another source takes precedence over'),
    ...pagingInput,
  }),
  output: z.object({ skills: z.array(listedSkill), ...pagingOutput }),
  examples: [{}, { include_shadowed: true }],
  render: ({ skills, total }) => (total === 0 ? 'No skills.' : skills.map(skillLine).join('\n')),
  run: async (input, { app }) => {
    const engine = await (await app.skills()).requireEngine();
    const { collection, query, include_shadowed } = input;
    const filter = { collection: collection || undefined, query: query || undefined };
    const found = (await engine.listSkills(filter, { shadowed: include_shadowed })).filter(
      (skill) => !input.source || skill.source_name === input.source,
    );
    const cut = await pageOf(found.map(listed), input);
    return { skills: cut.items, total: cut.total, next_cursor: cut.next_cursor };
  },
});

export const browsing = [browseSkills, listSkills];
