import { z } from 'zod';
import { operation } from './operation.ts';

const getStatus = operation({
  name: 'get_status',
  summary: 'Which repository is served, where Sylk keeps its data, and how fresh each index is.',
  effect: 'read',
  toolset: 'system',
  scope: 'repository',
  tier: 'core',
  domain: 'system',
  keywords: ['status', 'freshness', 'index'],
  input: z.object({}),
  output: z.object({
    repository: z.string(),
    sylk_directory: z.string(),
    notices: z.array(z.string()),
  }),
  examples: [{}],
  run: async (_input, { app }) => ({
    repository: app.repository.root,
    sylk_directory: app.repository.sylkDirectory,
    notices: app.notices,
  }),
});

export const operations = [getStatus];
