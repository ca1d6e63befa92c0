import { z } from 'zod';

export const tokenCategories = ['colors', 'spacing', 'typography', 'shadows', 'radii', 'other'] as const;
export type TokenCategory = (typeof tokenCategories)[number];

export const typographyToken = z.object({
  font_family: z.string().optional(),
  font_size: z.string().optional(),
  font_weight: z.string().optional(),
  line_height: z.string().optional(),
});
export type TypographyToken = z.infer<typeof typographyToken>;

/** One named value of the design system. */
export interface DesignToken {
  category: TokenCategory;
  name: string;
  value: string;
  /** How it is used: `var(--x)`, `bg-primary`, `theme.colors.x`. */
  reference: string;
  /** '' is the default; else the theme or scheme, such as `dark`. */
  theme: string;
  /** The typography field of the value. */
  field?: keyof TypographyToken;
  file: string;
  line: number;
}

export interface ComponentPattern {
  name: string;
  description: string;
  tokens: string[];
  example: string;
}

export const tokenMatch = z.object({
  category: z.enum(tokenCategories),
  name: z.string(),
  value: z.string(),
  reference: z.string(),
  theme: z.string().optional(),
  source: z.string().describe('file:line'),
});
export type TokenMatch = z.infer<typeof tokenMatch>;

export const tokenLookup = z.object({
  value: z.string(),
  found: z.boolean(),
  matches: z.array(tokenMatch),
  similar: z.array(tokenMatch),
  suggestion: z.string().optional(),
});
export type TokenLookup = z.infer<typeof tokenLookup>;

/** Other spellings of the categories. */
export const categoryAliases: Record<string, string> = {
  color: 'colors',
  colour: 'colors',
  colours: 'colors',
  space: 'spacing',
  sizes: 'spacing',
  font: 'typography',
  fonts: 'typography',
  text: 'typography',
  shadow: 'shadows',
  elevation: 'shadows',
  radius: 'radii',
  border: 'radii',
  borders: 'radii',
  rounded: 'radii',
};

const valueMap = z.record(z.string(), z.string());

export const designSystem = z.object({
  colors: valueMap.optional(),
  spacing: valueMap.optional(),
  typography: z.record(z.string(), typographyToken).optional(),
  shadows: valueMap.optional(),
  radii: valueMap.optional(),
  other: valueMap.optional(),
  themes: z.record(z.string(), valueMap).describe('values that differ in a theme, such as dark'),
  component_patterns: z.record(
    z.string(),
    z.object({ name: z.string(), description: z.string(), tokens: z.array(z.string()), example: z.string() }),
  ),
  sources: z.array(z.string()),
  total: z.number(),
  omitted: z.number().describe('tokens omitted to keep the reply small; ask for one category'),
});
export type DesignSystem = z.infer<typeof designSystem>;
