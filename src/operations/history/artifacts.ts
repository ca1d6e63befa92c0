import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { artifactSummary, listArtifacts, listTags } from '../../stores/history/index.ts';
import { openHistoryView } from '../open-index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput, isoDay, tagsInput } from './shared.ts';

export const artifactOutput = z.object({
  path: z.string(),
  tags: z.array(z.string()),
  last_modified: z.number().nullable().describe('author date of the newest commit, in seconds since 1970'),
  deleted: z.boolean().optional(),
  moved_to: z.string().optional(),
});

const listArtifactsOperation = operation({
  name: 'list_artifacts',
  summary: 'Files of the repository with their tags and last change, filtered by tags or folder. No content.',
  effect: 'read',
  input: z.object({
    tags: tagsInput,
    include_deleted: looseBoolean.default(false).describe('include files deleted from HEAD'),
    include_ignored: looseBoolean.default(false).describe('include tracked files that .gitignore matches'),
    source_only: looseBoolean.default(false).describe('only files under src/ directories'),
    path: z.string().optional().describe('only under this folder'),
    limit: limitInput(100, 1000),
    offset: z.coerce.number().int().min(0).optional().describe('skip this many'),
    ...pagingInput,
  }),
  output: z.object({
    artifacts: z.array(artifactOutput),
    ...pagingOutput,
    next_offset: z.number().optional(),
    ...freshnessOutput,
  }),
  examples: [{}, { tags: 'auth', limit: 5 }, { tags: ['auth', 'session'], include_deleted: true }],
  render: ({ artifacts, total, next_offset }) =>
    [
      ...artifacts.map(
        (each) =>
          `${each.path}${each.deleted ? ' (deleted)' : ''}  ${isoDay(each.last_modified)}  ${each.tags.join(', ')}`,
      ),
      `${artifacts.length} of ${total}${next_offset === undefined ? '' : `; next: --offset ${next_offset}`}`,
    ].join('\n'),
  run: async (input, context) => {
    const { history, view, freshness } = await openHistoryView(context);
    const ignored = input.include_ignored ? undefined : await history.ignoredFiles();
    const found = listArtifacts(view, {
      tags: input.tags,
      includeDeleted: input.include_deleted,
      sourceOnly: input.source_only,
      under: input.path,
      ignored,
    });
    const { items, ...rest } = await pageOf(found, input, (path) => artifactSummary(view, path));
    return { artifacts: items, ...rest, freshness };
  },
});

const listTagsOperation = operation({
  name: 'list_tags',
  summary:
    'Every tag of the repository with its number of files, most used first. A good start for exploring.',
  effect: 'read',
  input: z.object({ limit: limitInput(200, 5000), ...pagingInput }),
  output: z.object({
    tags: z.array(z.object({ tag: z.string(), count: z.number() })),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{}, { limit: 10 }],
  render: ({ tags, total }) =>
    [
      ...tags.map(({ tag, count }) => `${String(count).padStart(6)}  ${tag}`),
      `${tags.length} of ${total}`,
    ].join('\n'),
  run: async (input, context) => {
    const { view, freshness } = await openHistoryView(context);
    const { items, total, next_cursor } = await pageOf(listTags(view), input);
    return { tags: items, total, next_cursor, freshness };
  },
});

export const operations = [listArtifactsOperation, listTagsOperation];
