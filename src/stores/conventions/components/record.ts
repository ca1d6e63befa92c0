import { z } from 'zod';

export const componentTypes = ['ui', 'hook', 'utility', 'pattern'] as const;
export type ComponentType = (typeof componentTypes)[number];

export const propDefinition = z.object({
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  default: z.string().optional(),
});
export type PropDefinition = z.infer<typeof propDefinition>;

/** Something to reuse instead of rewriting it. */
export interface Component {
  type: ComponentType;
  name: string;
  line: number;
  description: string;
  signature: string;
  props: PropDefinition[];
  parameters: Array<{ name: string; type: string }>;
  returns: string;
  variants: string[];
}

export const componentMatch = z.object({
  name: z.string(),
  type: z.enum(componentTypes),
  path: z.string(),
  line: z.number(),
  description: z.string(),
  signature: z.string(),
  props: z.array(propDefinition).optional(),
  parameters: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  returns: z.string().optional(),
  variants: z.array(z.string()).optional(),
  usage_example: z.string(),
  usage_source: z.string().describe("file:line of the example, or 'from its signature'"),
  tags: z.array(z.string()),
  score: z.number(),
});
export type ComponentMatch = z.infer<typeof componentMatch>;

export const componentReply = z.object({
  need: z.string(),
  found: z.boolean(),
  matches: z.array(componentMatch),
  closest: z
    .array(componentMatch)
    .optional()
    .describe('where nothing matches: what says of itself something near the need'),
  suggestion: z.string().optional(),
  registry: z.object({ ui: z.number(), hook: z.number(), utility: z.number(), pattern: z.number() }),
  problems: z.array(z.string()),
});
export type ComponentReply = z.infer<typeof componentReply>;
