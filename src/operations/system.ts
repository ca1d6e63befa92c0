import { z } from 'zod';
import { version } from '../version.ts';
import { operation } from './operation.ts';

const indexState = z.object({ source: z.string(), state: z.string(), detail: z.string() });

const getStatus = operation({
  name: 'get_status',
  summary: 'Which repository is served, where Sylk keeps its data, and how fresh each index is.',
  effect: 'read',
  toolset: 'system',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    repository: z.string(),
    state_directory: z.string().describe('databases, caches and logs; only on this machine'),
    sylk_directory: z.string().describe('text that is shared through git: settings, areas, skills'),
    trusted: z.boolean(),
    withheld: z.array(z.string()).describe('settings of this repository that wait for trust'),
    indexes: z.array(indexState),
    watching: z.enum(['elsewhere', 'watching', 'polling', 'off']),
    notices: z.array(z.string()),
  }),
  examples: [{}],
  render: (status) =>
    [
      `Sylk ${status.version} in ${status.repository}`,
      `state     ${status.state_directory}`,
      ...status.indexes.map(
        (index) => `${index.source.padEnd(9)} ${index.state}${index.detail ? ` · ${index.detail}` : ''}`,
      ),
      `watching  ${status.watching}`,
      ...status.withheld,
      ...status.notices,
    ].join('\n'),
  run: async (_input, { app }) => {
    const indexing = await app.indexing();
    const withheld = app.loadedConfig.warnings.filter((warning) => warning.includes('`sylk trust`'));
    return {
      version,
      repository: app.repository.root,
      state_directory: app.repository.state.directory,
      sylk_directory: app.repository.sharedDirectory,
      trusted: app.trustedContent().size > 0 && withheld.length === 0,
      withheld,
      indexes: await indexing.freshness(),
      watching: indexing.watching(),
      notices: app.notices,
    };
  },
});

export const operations = [getStatus];
