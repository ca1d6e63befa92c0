import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { authorText, tiers } from '../../engines/memory/index.ts';
import {
  checkpointBodySchema,
  checkpointStatuses,
  mistakeSchema,
  noteSchema,
} from '../../stores/chronicle/index.ts';
import { readerOf } from '../conventions/files.ts';
import { operation } from '../operation.ts';
import { authorOf, memoryCaller, reading, sessionInput, writing } from './shared.ts';

const getBriefing = operation({
  name: 'get_briefing',
  summary:
    'Briefing on the state of the work: decisions, failures, preferences of the person, and where it stopped. Call it at the start of a conversation.',
  effect: 'read',
  input: z.object({
    tier: z.enum(tiers).default('standard').describe('token limit: 200, 1000 or 4000'),
    ...sessionInput,
  }),
  output: z.object({ text: z.string(), tokens: z.number(), tier: z.enum(tiers), left_out: z.number() }),
  examples: [{}, { tier: 'micro' }],
  command: { positionals: ['tier'] },
  render: ({ text, left_out }) =>
    left_out > 0 ? `${text}\n\n(${left_out} more; run again with a larger --tier)` : text,
  run: async (input, context) =>
    (await context.app.memory()).briefing(memoryCaller(context), input.tier, input.session),
});

const scratchpadWrite = operation({
  name: 'scratchpad_write',
  summary: 'Save a note for later in this session: progress, attempts, what the person said.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    key: z.string().min(1).max(200),
    note: z.string(),
    ttl_seconds: z.coerce.number().int().min(1).optional().describe('expires after this'),
    ...sessionInput,
  }),
  output: z.object({ stored: z.boolean(), key: z.string() }),
  examples: [{ key: 'current_task', note: 'limit attempts' }],
  run: async (input, context) => {
    const { memory, session } = await writing(context, input);
    await memory.chronicle.scratchpad.write(session.id, input.key, input.note, input.ttl_seconds);
    return { stored: true, key: input.key };
  },
});

const scratchpadRead = operation({
  name: 'scratchpad_read',
  summary: 'Read a note saved earlier in this session; key `all` reads every note.',
  effect: 'read',
  input: z.object({ key: z.string(), ...sessionInput }),
  output: z.object({
    exists: z.boolean(),
    content: z.string().optional(),
    notes: z.array(noteSchema).optional(),
  }),
  examples: [{ key: 'all' }],
  command: { positionals: ['key'] },
  run: async (input, context) => {
    const { memory, session } = await reading(context, input);
    if (!session) return { exists: false, notes: input.key === 'all' ? [] : undefined };
    if (input.key === 'all') {
      const notes = await memory.chronicle.scratchpad.all(session.id);
      return { exists: notes.length > 0, notes };
    }
    const found = await memory.chronicle.scratchpad.read(session.id, input.key);
    return found ? { exists: true, content: found.content } : { exists: false };
  },
});

const checkMistakes = operation({
  name: 'check_mistakes',
  summary: 'Check an approach before trying it: has it gone wrong before?',
  effect: 'read',
  input: z.object({ approach: z.string().describe('what you are about to do'), ...sessionInput }),
  output: z.object({
    known_issues: z.boolean(),
    safe_to_proceed: z.boolean(),
    warnings: z.array(mistakeSchema),
  }),
  examples: [{ approach: 'count attempts in one global counter' }],
  command: { positionals: ['approach'], rest: true },
  render: ({ warnings }) =>
    warnings.length === 0
      ? 'No known mistakes match.'
      : warnings
          .map(
            (w) =>
              `${w.pattern}\n    went wrong: ${w.error}\n    instead: ${w.fix}  (${w.occurrences} times, ${Math.round(w.confidence * 100)} %, first reported by ${authorText(w.author)})`,
          )
          .join('\n'),
  run: async (input, context) => {
    const { memory, viewer } = await reading(context, input);
    const warnings = await memory.checkMistakes(viewer, input.approach);
    return { known_issues: warnings.length > 0, safe_to_proceed: warnings.length === 0, warnings };
  },
});

const reportMistake = operation({
  name: 'report_mistake',
  summary:
    'Report something that went wrong and how to avoid it. Every client of this repository is warned; from a named session only once it was reported twice, or by a person.',
  effect: 'write',
  input: z.object({
    pattern: z.string().min(3).describe('what was tried'),
    error: z.string().describe('what went wrong'),
    fix: z.string().describe('how to avoid it'),
    context: z.string().optional().describe('when it applies'),
    tags: looseList(z.string()).optional(),
    scope: z
      .enum(['repository', 'person'])
      .default('repository')
      .describe('person: in all repositories; only a person may choose it'),
    ...sessionInput,
  }),
  output: z.object({
    recorded: z.boolean(),
    id: z.string(),
    occurrences: z.number(),
    confidence: z.number(),
  }),
  examples: [
    {
      pattern: 'one global counter for attempts',
      error: 'users lock each other out',
      fix: 'one counter for each user',
    },
  ],
  run: async (input, context) => {
    const { memory, session } = await writing(context, input);
    const { mistake: kept } = await memory.reportMistake(session, { ...input, author: authorOf(context) });
    return { recorded: true, id: kept.id, occurrences: kept.occurrences, confidence: kept.confidence };
  },
});

const mostFilesRead = 200;

const saveCheckpoint = operation({
  name: 'save_checkpoint',
  summary: 'Save the state of the work so that it can be resumed later: what is done and what is next.',
  effect: 'write',
  input: z.object({
    summary: z.string().min(1).describe('what is done so far'),
    completed: looseList(z.string()),
    next_steps: looseList(z.string()),
    status: z.enum(checkpointStatuses).default('in_progress'),
    decisions: checkpointBodySchema.shape.decisions.unwrap().optional(),
    context: z.record(z.string(), z.unknown()).optional().describe('what you gathered'),
    ...sessionInput,
  }),
  output: z.object({ saved: z.boolean(), id: z.string(), hint: z.string() }),
  examples: [
    {
      summary: 'rate limit done, tests missing',
      completed: ['limit'],
      next_steps: ['write tests'],
      status: 'paused',
    },
  ],
  run: async (input, context) => {
    const { memory, caller, session } = await writing(context, input);
    const read = (await context.app.conventions()).files.readBy(readerOf(context.caller));
    const files_read = read.slice(0, mostFilesRead).map(({ path }) => path);
    const saved = await memory.saveCheckpoint(caller, session, { ...input, files_read });
    return {
      saved: true,
      id: saved.id,
      hint: 'Continue later with `sylk memory resume ID`, or `sylk memory resume latest`.',
    };
  },
});

const resumeTask = operation({
  name: 'resume_task',
  summary:
    'Resume a saved task: restores your notes and returns the next step. `latest` takes the newest checkpoint.',
  effect: 'write',
  idempotent: true,
  input: z.object({ task_id: z.string().default('latest'), ...sessionInput }),
  output: z.object({
    found: z.boolean(),
    hint: z.string(),
    id: z.string().optional(),
    from: z.string().optional(),
    summary: z.string().optional(),
    status: z.string().optional(),
    ...Object.fromEntries(
      Object.entries({
        completed: z.array(z.string()),
        next_steps: z.array(z.string()),
        files_read: z.array(z.string()),
        files_modified: z.array(z.string()),
        decisions: checkpointBodySchema.shape.decisions.unwrap(),
        context: z.record(z.string(), z.unknown()),
        scratchpad: z.record(z.string(), z.string()),
      }).map(([key, schema]) => [key, schema.optional()]),
    ),
  }),
  examples: [{ task_id: 'latest' }],
  command: { positionals: ['task_id'] },
  run: async (input, context) => {
    const { memory, caller, session } = await writing(context, input);
    const resumed = await memory.resumeTask(caller, session, input.task_id);
    if (!resumed) return { found: false, hint: 'No checkpoint to resume. Save one with save_checkpoint.' };
    const { checkpoint, from } = resumed;
    const next = checkpoint.next_steps[0];
    return {
      found: true,
      id: checkpoint.id,
      from,
      summary: checkpoint.description,
      status: checkpoint.status,
      completed: checkpoint.progress,
      next_steps: checkpoint.next_steps,
      files_read: checkpoint.files_read,
      files_modified: checkpoint.files_modified,
      decisions: checkpoint.decisions,
      context: checkpoint.context,
      scratchpad: checkpoint.scratchpad,
      hint: next ? `Continue with: ${next}` : 'All planned steps are done.',
    };
  },
});

export const techniqueOperations = [
  getBriefing,
  scratchpadWrite,
  scratchpadRead,
  checkMistakes,
  reportMistake,
  saveCheckpoint,
  resumeTask,
];
