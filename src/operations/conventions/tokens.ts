import { z } from 'zod';
import { limitInput } from '../../base/paging.ts';
import {
  categoryAliases,
  designSystem,
  tokenCategories,
  tokenLookup,
} from '../../stores/conventions/index.ts';
import { operation } from '../operation.ts';

const category = z.preprocess(
  (given) =>
    typeof given === 'string' ? (categoryAliases[given.toLowerCase()] ?? given.toLowerCase()) : given,
  z.enum([...tokenCategories, 'all']),
);

export const getDesignTokens = operation({
  name: 'get_design_tokens',
  summary:
    "The project's design tokens: colors, spacing, typography, shadows, radii, from CSS variables, Tailwind themes and token files. Use them instead of hard-coded values.",
  effect: 'read',
  input: z.object({
    category: category.default('all'),
    theme: z.string().optional().describe('only values of this theme, such as dark'),
    limit: limitInput(150, 1000),
  }),
  output: designSystem,
  examples: [{}, { category: 'colors' }],
  command: { positionals: ['category'] },
  run: async ({ category: wanted, theme, limit }, { app }) =>
    (await app.conventions()).tokens.all({ category: wanted, theme, limit }),
});

export const findDesignToken = operation({
  name: 'find_design_token',
  summary:
    'The design token for a hard-coded value such as #3B82F6 or 16px in any notation, or the nearest ones.',
  effect: 'read',
  input: z.object({ value: z.string().min(1).max(200).describe("value to find, e.g. '#3B82F6', '16px'") }),
  output: tokenLookup,
  examples: [{ value: '#3B82F6' }],
  command: { positionals: ['value'], rest: true },
  render: (reply) => {
    const line = (match: (typeof reply.matches)[number]) =>
      `${match.category}.${match.name} = ${match.value}  ${match.reference}  (${match.source}${match.theme ? `, ${match.theme}` : ''})`;
    if (reply.found) return reply.matches.map(line).join('\n');
    return [reply.suggestion ?? '', ...reply.similar.map((match) => `similar: ${line(match)}`)].join('\n');
  },
  run: async ({ value }, { app }) => (await app.conventions()).tokens.byValue(value),
});
