import { z } from 'zod';
import { belowRoot, styleGuide } from '../../stores/conventions/index.ts';
import { operation } from '../operation.ts';

export const getStyleGuide = operation({
  name: 'get_style_guide',
  summary:
    'Code style of this project: naming, formatting and patterns, inferred from the files with counts and examples. Use BEFORE writing code, to match it.',
  effect: 'read',
  input: z.object({
    language: z.string().default('all').describe("a language, or 'all'"),
    path: z.string().default('.').describe('only code under this directory'),
  }),
  output: styleGuide,
  examples: [{}, { language: 'typescript' }],
  command: { positionals: ['language', 'path'] },
  render: ({ styles, problems }) => {
    const blocks = styles.map((style) => {
      const lines = Object.entries(style.evidence)
        .filter(([aspect]) => !aspect.startsWith('comma.'))
        .map(([aspect, found]) => {
          const [group, field] = aspect.split('.') as ['naming' | 'formatting' | 'patterns', string];
          const shown = (style[group] as Record<string, unknown>)[field] ?? found.value;
          return `  ${field.padEnd(16)} ${String(shown).padEnd(28)} ${Math.round(found.share * 100)} % of ${found.total}  ${found.example}`;
        });
      if (style.formatting.trailing_comma)
        lines.push(`  ${'trailing_comma'.padEnd(16)} ${style.formatting.trailing_comma}`);
      if (style.patterns.import_order)
        lines.push(`  ${'import_order'.padEnd(16)} ${style.patterns.import_order.join(', ')}`);
      if (style.configured_by.length > 0) lines.push(`  configured by ${style.configured_by.join(', ')}`);
      return [`${style.language} (${style.files_analysed} of ${style.files_total} files)`, ...lines].join(
        '\n',
      );
    });
    return [...blocks, ...problems].join('\n\n') || 'No source file in a supported language.';
  },
  run: async ({ language, path }, { app }) =>
    (await app.conventions()).style.guide({ language, path: belowRoot(app.repository.root, path) }),
});
