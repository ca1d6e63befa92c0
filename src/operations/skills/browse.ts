import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { skillCollection } from '../../stores/skills/index.ts';
import { operation } from '../operation.ts';
import { listed, listedSkill, skillLine } from './shared.ts';

const browseSkills = operation({
  name: 'browse_skills',
  summary:
    'Browse skill collections, or list the skills of one; with query, search all skills by purpose. With all, every skill with its source.',
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
      .describe('what you need a skill for; searches all collections and ignores path'),
    all: looseBoolean.default(false).describe('every skill at or under path; query is then a text filter'),
    source: z.string().max(64).optional().describe('with all: only skills of this source'),
    include_shadowed: looseBoolean
      .default(false)
      .describe('with all: include skills overridden by another source'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(100)
      .describe('with query: maximum number of results'),
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
  examples: [
    {},
    { path: 'extraction' },
    { query: 'write a new skill' },
    { all: true, include_shadowed: true },
  ],
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
    const { all, path, source, include_shadowed } = input;
    const query = input.query?.trim();
    if (all) {
      const filter = { collection: path || undefined, query: query || undefined };
      const skills = await engine.listSkills(filter, { shadowed: include_shadowed });
      const ofSource = skills.filter(({ source_name }) => !source || source_name === source);
      const request = { ...input, limit: undefined };
      const { items, total, next_cursor } = await pageOf(ofSource.map(listed), request);
      return { type: 'listing' as const, skills: items, total, next_cursor };
    }
    const level = query ? undefined : await engine.browse(input.path ?? '');
    const found = level?.skills ?? (await engine.search(query ?? '', input.limit));
    const cut = await pageOf(found.map(listed), input);
    const rest = { skills: cut.items, total: cut.total, next_cursor: cut.next_cursor };
    return level
      ? { type: 'listing' as const, path: level.path, subcollections: level.subcollections, ...rest }
      : { type: 'search' as const, query, ...rest };
  },
});

export const browsing = [browseSkills];
