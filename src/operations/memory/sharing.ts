import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { entrySchema } from '../../stores/chronicle/index.ts';
import { operation } from '../operation.ts';
import { memoryCaller, sessionInput, writing } from './shared.ts';

const promote = operation({
  name: 'promote',
  summary: 'Share an entry of one session with all sessions of this repository, or withdraw it.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    id: z.string(),
    change: z
      .enum(['share', 'approve', 'take_back'])
      .default('share')
      .describe('approve: approved by an inspection'),
  }),
  output: entrySchema,
  examples: [{ id: 'ent_0' }],
  command: { positionals: ['id'] },
  render: ({ promoted, title }) => `${promoted ? 'shared' : 'withdrawn'}: ${title}`,
  run: async ({ id, change }, context) =>
    (await context.app.memory()).promote(memoryCaller(context), id, change),
});

const recordUse = operation({
  name: 'record_use',
  summary:
    'Record that a remembered pattern was used, and whether it worked. After enough successes it is shared with all sessions.',
  effect: 'write',
  input: z.object({ id: z.string(), success: z.boolean().default(true), ...sessionInput }),
  output: entrySchema,
  examples: [{ id: 'ent_0' }],
  command: { positionals: ['id'] },
  run: async (input, context) => {
    const { memory, caller, session } = await writing(context, input);
    return memory.recordUse(memory.sessions.viewerOf(caller, session), input.id, input.success);
  },
});

const forget = operation({
  name: 'forget',
  summary: 'Delete permanently: one entry, everything of a session, or everything derived from a ref.',
  effect: 'setup',
  destructive: true,
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
    `Deleted: ${gone.entries} entries, ${gone.notes} notes, ${gone.checkpoints} checkpoints, ${gone.mistakes} mistakes, ${gone.files} file records, and the links of ${gone.linked} of them.`,
  run: async ({ what }, { app }) => {
    const plain = what.replace(/^(?:entry|session):(?=ent_|ses_)/, '');
    if (/^(?:ent|ses)_|^[a-z_]+:./.test(plain)) return (await app.knowledge()).forget(plain);
    throw new SylkError(
      'VALIDATION_ERROR',
      `Cannot forget ${JSON.stringify(what)}: not an entry, a session or a ref.`,
      {
        hint: 'Give an entry id (ent_…), a session id (ses_…) or a ref (kind:id).',
      },
    );
  },
});

export const sharingOperations = [promote, recordUse, forget];
