import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { showName } from '../../base/terminal-text.ts';
import { conflictAnswers, entrySchema } from '../../stores/chronicle/index.ts';
import { operation } from '../operation.ts';
import { base, doubtOf, memoryCaller, sessionIdOf, sessionInput } from './shared.ts';

const promote = operation({
  name: 'promote',
  summary: 'Share an entry of one session with all sessions of this repository.',
  effect: 'setup',
  idempotent: true,
  ...base,
  input: z.object({ id: z.string() }),
  output: entrySchema,
  examples: [{ id: 'ent_0' }],
  command: { positionals: ['id'] },
  render: (entry) => `shared: ${entry.title}`,
  run: async ({ id }, context) => (await context.app.memory()).promote(memoryCaller(context), id),
});

const rollbackPromotion = operation({
  ...promote,
  name: 'rollback_promotion',
  summary: 'Take a shared entry back into its session; other sessions no longer see it.',
  render: (entry) => `taken back: ${entry.title}`,
  run: async ({ id }, context) =>
    (await context.app.memory()).chronicle.promotion.rollback(id, context.caller.name),
});

const approveEntry = operation({
  ...promote,
  name: 'approve_entry',
  summary: 'Record that an inspection approved an entry, which shares it with all sessions.',
  render: (entry) => `approved: ${entry.title}`,
  run: async ({ id }, context) =>
    (await context.app.memory()).chronicle.promotion.promote(id, 'inspector', context.caller.name),
});

const recordUse = operation({
  name: 'record_use',
  summary:
    'Tell that a remembered pattern was used, and whether it worked. Enough good uses share it with all sessions.',
  effect: 'write',
  ...base,
  input: z.object({ id: z.string(), success: z.boolean().default(true), ...sessionInput }),
  output: entrySchema,
  examples: [{ id: 'ent_0' }],
  command: { positionals: ['id'] },
  run: async (input, context) =>
    (await context.app.memory()).recordUse(
      memoryCaller(context),
      input.id,
      input.success,
      sessionIdOf(input),
    ),
});

const conflict = z.object({
  id: z.string(),
  left: entrySchema,
  right: entrySchema,
  created_at: z.string(),
  resolution: z.string(),
});

const listEntryConflicts = operation({
  name: 'list_entry_conflicts',
  summary: 'Remembered entries that contradict each other and wait to be settled.',
  effect: 'read',
  ...base,
  input: z.object({ include_resolved: z.boolean().default(false), ...sessionInput }),
  output: z.object({ conflicts: z.array(conflict) }),
  examples: [{}],
  render: ({ conflicts }) =>
    conflicts.length === 0
      ? 'Nothing is disputed.'
      : conflicts
          .map(
            (each) =>
              `${each.id}\n  left   ${each.left.title}${doubtOf(each.left)}: ${showName(each.left.content.slice(0, 200))}\n  right  ${each.right.title}${doubtOf(each.right)}: ${showName(each.right.content.slice(0, 200))}`,
          )
          .join('\n'),
  run: async (input, context) => {
    const memory = await context.app.memory();
    const caller = memoryCaller(context);
    const session = await memory.sessions.forReading(caller, sessionIdOf(input));
    return {
      conflicts: await memory.chronicle.conflicts.list(
        memory.sessions.viewerOf(caller, session, true),
        input.include_resolved,
      ),
    };
  },
});

const resolveEntryConflict = operation({
  name: 'resolve_entry_conflict',
  summary: 'Settle two entries that contradict each other: keep one (the other is superseded), or both.',
  effect: 'write',
  ...base,
  input: z.object({
    id: z.string(),
    answer: z.enum(conflictAnswers),
    reason: z.string().min(1),
    ...sessionInput,
  }),
  output: z.object({ id: z.string(), resolution: z.string() }),
  examples: [{ id: 'cfl_0', answer: 'keep_right', reason: 'the newer one was agreed on' }],
  command: { positionals: ['id', 'answer'] },
  run: async (input, context) => {
    const memory = await context.app.memory();
    const caller = memoryCaller(context);
    const session = await memory.sessions.forWriting(caller, sessionIdOf(input));
    return memory.chronicle.conflicts.resolve(
      memory.sessions.viewerOf(caller, session, true),
      input.id,
      input.answer,
      input.reason,
    );
  },
});

const forget = operation({
  name: 'forget',
  summary: 'Forget for good: one entry, everything of a session, or everything that was derived from a ref.',
  effect: 'setup',
  destructive: true,
  ...base,
  input: z.object({
    what: z.string().describe('an entry id, a session id, or a ref such as topic:… or file:…'),
  }),
  output: z.object({
    entries: z.number(),
    notes: z.number(),
    checkpoints: z.number(),
    mistakes: z.number(),
    files: z.number(),
    linked: z.number(),
  }),
  examples: [{ what: 'file:src/gone.ts' }],
  command: { positionals: ['what'] },
  render: (gone) =>
    `Forgotten: ${gone.entries} entries, ${gone.notes} notes, ${gone.checkpoints} checkpoints, ${gone.mistakes} mistakes, ${gone.files} file records, and what was linked to ${gone.linked} of them.`,
  run: async ({ what }, { app }) => {
    const plain = what.replace(/^(?:entry|session):(?=ent_|ses_)/, '');
    if (/^(?:ent|ses)_|^[a-z_]+:./.test(plain)) return (await app.knowledge()).forget(plain);
    throw new SylkError('VALIDATION_ERROR', `Not something that can be forgotten: ${JSON.stringify(what)}`, {
      hint: 'Give an entry id (ent_…), a session id (ses_…) or a ref (kind:id).',
    });
  },
});

export const sharingOperations = [
  promote,
  rollbackPromotion,
  approveEntry,
  recordUse,
  listEntryConflicts,
  resolveEntryConflict,
  forget,
];
