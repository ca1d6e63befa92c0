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

/** One value that the design system gave a name. */
export interface DesignToken {
  category: TokenCategory;
  name: string;
  value: string;
  /** What is written where it is used: `var(--x)`, `bg-primary`, `theme.colors.x`. */
  reference: string;
  /** '' is the default; else the theme or scheme, such as `dark`. */
  theme: string;
  /** Which field of a typography token the value is. */
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
