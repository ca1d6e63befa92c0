import { z } from 'zod';
import { operation } from '../operation.ts';
import { academic } from './material.ts';

export const listAcademicSources = operation({
  name: 'list_academic_sources',
  summary:
    'Places that references come from: address, interface, how often they may be asked, whether they need a login, when something was last fetched.',
  effect: 'read',
  ...academic,
  input: z.object({}),
  output: z.object({
    sources: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        base_url: z.string(),
        api_endpoint: z.string().nullable(),
        rate_limit_per_min: z.number().nullable(),
        requires_auth: z.boolean(),
        last_crawled_at: z.string().nullable(),
      }),
    ),
  }),
  examples: [{}],
  render: ({ sources }) =>
    sources
      .map(
        ({ name, base_url, rate_limit_per_min, requires_auth, last_crawled_at }) =>
          `${name}  ${base_url}${rate_limit_per_min ? `  ${rate_limit_per_min}/min` : ''}${requires_auth ? '  needs a login' : ''}${last_crawled_at ? `  last ${last_crawled_at.slice(0, 10)}` : ''}`,
      )
      .join('\n'),
  run: async (_, { app }) => ({ sources: await (await app.references()).sources() }),
});

export const getLibraryDocs = operation({
  name: 'get_library_docs',
  summary:
    'Which reference topic documents a library, for which version and how old; all of them without a name.',
  effect: 'read',
  ...academic,
  input: z.object({ library: z.string().min(1).max(300).optional() }),
  output: z.object({
    libraries: z.array(
      z.object({
        library: z.string(),
        topic_id: z.string(),
        title: z.string(),
        library_version: z.string(),
        fetched_at: z.string(),
      }),
    ),
  }),
  examples: [{}, { library: 'zod' }],
  command: { positionals: ['library'] },
  render: ({ libraries }) =>
    libraries
      .map(
        ({ library, library_version, title, topic_id, fetched_at }) =>
          `${library} ${library_version}  ${title} (${topic_id}), fetched ${fetched_at.slice(0, 10)}`,
      )
      .join('\n') || 'No topic documents it. reference_topic_create with `library` makes one.',
  run: async ({ library }, { app }) => ({ libraries: await (await app.references()).libraryDocs(library) }),
});
