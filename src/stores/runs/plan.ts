import { z } from 'zod';

/** Agents whose nodes change files: each gets a worktree, and its work is inspected, tested and merged. */
export const buildingAgents = ['engineer', 'designer', 'tester'] as const;
/** Agents whose nodes only answer: their output is handed to the nodes that depend on them. */
export const consultedAgents = ['librarian', 'archivalist', 'academic'] as const;
export const nodeAgents = [...buildingAgents, ...consultedAgents] as const;

export const priorities = ['low', 'normal', 'high', 'critical'] as const;

const retrySchema = z.strictObject({
  max: z.int().min(0).max(10),
  backoff_ms: z.int().min(0).max(3_600_000),
});

const texts = z.array(z.string().min(1).max(20_000)).max(200).default([]);

const touchSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { path: value } : value),
  z.strictObject({
    path: z.string().min(1).max(1000).describe('a file, or a folder with a slash at its end'),
    probability: z.number().min(0).max(1).default(1),
    shared: z.boolean().default(false).describe('a file that everybody edits: never two at once'),
  }),
);
export type Touch = z.output<typeof touchSchema>;

export const planNodeSchema = z.strictObject({
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'an id has letters, digits, dots, dashes and underscores, at most 64',
    ),
  agent: z.string().min(1).max(64),
  prompt: z.string().min(1).max(100_000),
  context: z
    .strictObject({
      relevant_files: texts,
      reason: z.string().max(20_000).optional(),
      upstream_outputs: texts,
      constraints: texts,
      tools: z
        .array(z.string().max(100))
        .max(20)
        .optional()
        .describe('tools beside the usual ones that whoever plans wants the agent to see'),
    })
    .prefault({}),
  metadata: z
    .strictObject({
      priority: z.enum(priorities).default('normal'),
      timeout_ms: z.int().min(1000).max(86_400_000).optional(),
      retry: retrySchema.optional(),
      file_operations: z.array(z.enum(['read', 'create', 'write', 'delete'])).default([]),
    })
    .prefault({}),
  depends_on: texts,
  compliance_criteria: texts,
  touches: z.array(touchSchema).max(200).default([]).describe('files that the node will probably change'),
});
export type PlanNode = z.output<typeof planNodeSchema>;

export const planSchema = z.strictObject({
  id: z.string().max(200).optional(),
  session_id: z.string().max(200).optional(),
  prompt: z.string().min(1).max(100_000),
  nodes: z.array(planNodeSchema).max(500),
  execution_order: z.array(z.array(z.string())).optional(),
  policy: z
    .strictObject({
      max_concurrency: z.int().min(1).max(64).default(4),
      fail_fast: z.boolean().default(true),
      touch_threshold: z
        .number()
        .min(0)
        .max(1)
        .default(0.5)
        .describe('how probable a change of the same file must be for two nodes not to run side by side'),
      default_retry: retrySchema.default({ max: 2, backoff_ms: 2000 }),
    })
    .prefault({}),
});
export type Plan = z.output<typeof planSchema>;
