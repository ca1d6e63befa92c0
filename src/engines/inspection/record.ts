import { z } from 'zod';

const place = { file: z.string().optional(), line: z.number().optional() };

export const checkFinding = z.object({
  tool: z.string(),
  category: z.string(),
  ...place,
  column: z.number().optional(),
  rule: z.string().optional(),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  suggestion: z.string().optional(),
});

export const brokenTest = z.object({
  tool: z.string(),
  id: z.string(),
  file: z.string().optional(),
  message: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  stack: z.string().optional(),
});

export const checkGate = z.object({
  tool: z.string(),
  category: z.string(),
  directory: z.string(),
  command: z.string(),
  status: z.enum(['clean', 'findings', 'failed']).describe('failed: the tool itself, so it judged nothing'),
  problem: z.string().optional().describe('why the tool failed, with the next step'),
  new: z.number(),
  before: z.number().describe('findings or red tests that were there before the change'),
  tests_run: z.number().optional(),
  seconds: z.number(),
  cached: z.boolean(),
});

export const checkReport = z.object({
  verdict: z
    .enum(['passed', 'failed', 'unsure'])
    .describe('unsure: nothing broke as far as the tools ran, but some could not judge'),
  base: z.object({ commit: z.string(), label: z.string() }),
  changed_files: z.number(),
  gates: z.array(checkGate),
  findings: z.array(checkFinding).describe('what the change brought'),
  broken_tests: z.array(brokenTest).describe('red here twice, green or not there at the base'),
  flaky_tests: z.array(z.object({ id: z.string(), seen: z.number() })),
  unproven_tests: z.array(z.string()).describe('new or changed tests that pass without the change'),
  review: z
    .array(z.object({ guard: z.string(), ...place, message: z.string(), minor: z.boolean().optional() }))
    .describe('changes to what judges changes: for a person to look at'),
  needs_review: z
    .boolean()
    .optional()
    .describe('with strict: nothing broke, but a person has to look at the changes in `review`'),
  not_run: z.array(z.string()),
  notes: z.array(z.string()),
  document: z.string().optional().describe('the report in the format that was asked for'),
  seconds: z.number(),
  tool_seconds: z.number().describe('spent by the tools themselves'),
});
export type CheckReport = z.infer<typeof checkReport>;
