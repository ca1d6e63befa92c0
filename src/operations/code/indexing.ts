import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';
import { codeShape } from './shared.ts';

const indexRepository = operation({
  name: 'index_repository',
  summary: 'Brings the indexes of history and code up to date now, or builds them anew.',
  effect: 'derive',
  idempotent: true,
  ...codeShape,
  toolset: 'system',
  tier: 'specialised',
  keywords: ['index', 'refresh', 'rebuild', 'scan'],
  input: z.object({
    only: z.enum(['history', 'code']).optional().describe('one of the indexes'),
    rebuild: looseBoolean.default(false).describe('throw away what there is and read everything again'),
  }),
  output: z.object({
    items: z.array(
      z.object({
        source: z.string(),
        summary: z.string(),
        detail: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    problems: z.array(z.object({ source: z.string(), reason: z.string() })),
  }),
  examples: [{}, { only: 'code' }],
  render: ({ items, problems }) =>
    [
      ...items.map((one) => `${one.source}: ${one.summary}`),
      ...problems.map((one) => `${one.source}: failed: ${one.reason}`),
    ].join('\n'),
  run: async ({ only, rebuild }, { app, signal, progress }) => {
    const result = await (await app.indexing()).run({ only, rebuild, signal, progress });
    // What documents the packages that the code imports now.
    await (await app.knowledge()).libraries.follow();
    return { ...result, items: result.items.map(({ changed: _changed, ...item }) => item) };
  },
});

export const operations = [indexRepository];
