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

const singular: Record<string, string> = {
  entries: 'entry',
  notes: 'note',
  checkpoints: 'checkpoint',
  mistakes: 'mistake',
  files: 'file record',
};

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
    titles: z.array(z.string()).describe('of the entries'),
  }),
  examples: [{ what: 'file:src/gone.ts' }],
  command: { positionals: ['what'] },
  render: ({ titles, linked, ...counts }) => {
    const parts = Object.entries(counts).filter(([, count]) => count > 0);
    if (parts.length + linked === 0) return 'Nothing of it was remembered.';
    const said = parts.map(([kind, count]) => `${count} ${count === 1 ? singular[kind] : kind}`).join(', ');
    return [`Deleted for good: ${said || `${linked} links`}.`, ...titles.map((title) => `  ${title}`)].join(
      '\n',
    );
  },
  run: async ({ what }, { app }) => {
    const plain = what.replace(/^(?:entry|session):(?=ent_|ses_)/, '');
    const { chronicle, sessions } = await app.memory();
    const isThere = plain.startsWith('ent_')
      ? (await chronicle.standing.traces([plain])).titles.length > 0
      : !plain.startsWith('ses_') || (await sessions.find(plain)) !== undefined;
    if (!isThere)
      throw new SylkError('NOT_FOUND', `Nothing is remembered as ${plain}.`, {
        hint: 'Run `sylk memory list` or `sylk sessions` for the ids.',
      });
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
