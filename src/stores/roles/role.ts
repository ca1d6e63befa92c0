import { z } from 'zod';

const names = z.array(z.string().min(1).max(100)).max(200);
const percent = z.number().int().min(1).max(100);

/** The ways in which single techniques save an agent work, under the names that the design gives them. */
export const techniques = [
  'scratchpad_memory',
  'style_inference',
  'component_registry',
  'mistake_memory',
  'diff_preview',
  'user_preferences',
  'file_snapshot_cache',
  'dependency_awareness',
  'task_continuity',
  'design_token_awareness',
] as const;

const effects = z.enum(['read', 'change', 'command', 'library', 'fetch', 'end']);

/** What loads a contextual tool: words that were said last, or a part of the work. */
const calledFor = z.union([
  names.transform((words) => ({ words, phases: [] as string[] })),
  z.strictObject({ words: names.default([]), phases: names.default([]) }),
]);

/** One role of the team: the beginning of its file. The text below it is its prompt. */
export const roleHead = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
  does: z.string().min(1).max(300).describe('one sentence'),
  speaks: z
    .enum(['never', 'when_asked', 'at_work', 'first'])
    .describe('to the person: never, where a question is for it, while it is at work, or before all others'),
  model: z.enum(['fast', 'strong']),
  usual_model: z.string().max(200).default('').describe('provider/model where your settings name none'),
  may: z.array(effects).describe('what its tools may do'),
  tools: z.strictObject({
    core: names.describe('always shown'),
    contextual: z.record(z.string(), calledFor).default({}).describe('shown where the work calls for them'),
    specialised: z
      .union([z.literal('all'), names])
      .default([])
      .describe('found by find_tools or by request; `all`: every other operation'),
  }),
  hooks: names.default([]),
  memory: z.strictObject({
    checkpoints: z.array(percent).default([]).describe('percent of the window at which a summary is stored'),
    compact: percent.optional().describe('percent at which the conversation is shortened'),
    hand_over: percent.optional().describe('percent at which a fresh conversation goes on with the work'),
    document: z.string().max(100).default('').describe('category of what is stored'),
  }),
  techniques: z.array(z.enum(techniques)).default([]),
  asks: names.default([]).describe('roles that it speaks to'),
});

export interface Role extends z.output<typeof roleHead> {
  prompt: string;
}

/** Where a role comes from, and what was left out of a file that asks for more than it may. */
export interface FoundRole extends Role {
  /** `product`, or `person` where a file of theirs changes it. */
  from: 'product' | 'person';
  /** Whether a file of the repository narrows it, or would once a person trusts it. */
  repository: 'none' | 'waits' | 'narrows';
  problems: string[];
}
