import { z } from 'zod';

const evidence = z.object({
  value: z.string(),
  count: z.number(),
  total: z.number(),
  share: z.number(),
  others: z.record(z.string(), z.number()),
  example: z.string().describe('file:line'),
});
export type StyleEvidence = z.infer<typeof evidence>;

export const languageStyle = z.object({
  language: z.string(),
  files_analysed: z.number(),
  files_total: z.number(),
  naming: z.object({
    functions: z.string().optional(),
    variables: z.string().optional(),
    constants: z.string().optional(),
    types: z.string().optional(),
    files: z.string().optional(),
    components: z.string().optional(),
  }),
  formatting: z.object({
    indent_style: z.string().optional(),
    indent_size: z.number().optional(),
    quote_style: z.string().optional(),
    semicolons: z.boolean().optional(),
    trailing_comma: z.string().optional(),
  }),
  patterns: z.object({
    error_handling: z.string().optional(),
    async_style: z.string().optional(),
    component_style: z.string().optional(),
    export_style: z.string().optional(),
    import_order: z.array(z.string()).optional(),
  }),
  evidence: z.record(z.string(), evidence),
  examples: z.array(z.object({ pattern: z.string(), file: z.string(), line: z.number() })),
  configured_by: z
    .array(z.string())
    .describe('files that configure the formatting; they override what was inferred'),
});
export type LanguageStyle = z.infer<typeof languageStyle>;

export const styleGuide = z.object({
  styles: z.array(languageStyle),
  languages: z.array(z.string()).describe('all languages with a style guide'),
  problems: z.array(z.string()),
});
export type StyleGuide = z.infer<typeof styleGuide>;
