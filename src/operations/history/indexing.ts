import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';

const indexHistory = operation({
  name: 'index_history',
  summary: 'Read new commits into the history index; with rebuild, read all commits again.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    rebuild: looseBoolean.default(false).describe('delete the index and read everything'),
    max_seconds: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('stop after this many seconds; finished work is saved'),
  }),
  output: z.object({
    kind: z.enum(['unchanged', 'advanced', 'derived', 'built']),
    head: z.string().nullable(),
    commits: z.number().describe('commits read by this call'),
    skipped: z
      .object({ excluded: z.number(), submodule: z.number() })
      .optional()
      .describe('files of HEAD that are not indexed, by reason'),
    problems: z.array(z.string()).describe('what could not be read'),
  }),
  examples: [{}],
  run: async ({ rebuild, max_seconds }, { app, signal, progress }) => {
    const limit = max_seconds ? AbortSignal.any([signal, AbortSignal.timeout(max_seconds * 1000)]) : signal;
    const history = await app.history();
    const result = await history.update({ rebuild, signal: limit, progress });
    const skipped = result.kind === 'built' ? { skipped: await history.skippedFiles() } : {};
    return { ...result, ...skipped, problems: history.problems() };
  },
});

export const operations = [indexHistory];
