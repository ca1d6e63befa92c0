import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';

const indexHistory = operation({
  name: 'index_history',
  summary: 'Reads new commits into the history index; with rebuild, all of them anew.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    rebuild: looseBoolean.default(false).describe('forget the index and read everything'),
    max_seconds: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('give up after this long; nothing is lost'),
  }),
  output: z.object({
    kind: z.enum(['unchanged', 'advanced', 'derived', 'built']),
    head: z.string().nullable(),
    commits: z.number().describe('commits read now'),
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
