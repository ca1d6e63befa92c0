import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';
import { historyShape } from './shared.ts';

const indexHistory = operation({
  name: 'index_history',
  summary: 'Reads new commits into the history index; with rebuild, all of them anew.',
  effect: 'decide',
  idempotent: true,
  ...historyShape,
  tier: 'specialised',
  keywords: ['index', 'rebuild', 'refresh'],
  input: z.object({ rebuild: looseBoolean.default(false).describe('forget the index and read everything') }),
  output: z.object({
    kind: z.enum(['unchanged', 'advanced', 'derived', 'built']),
    head: z.string().nullable(),
    commits: z.number().describe('commits read now'),
  }),
  examples: [{}],
  run: async ({ rebuild }, { app, signal, progress }) =>
    (await app.history()).update({ rebuild, signal, progress }),
});

export const operations = [indexHistory];
