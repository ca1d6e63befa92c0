import { z } from 'zod';
import { pageOf, pagingInput } from '../../base/paging.ts';
import { readArtifact } from '../../stores/history/index.ts';
import { openHistoryView } from '../open-index.ts';
import { operation } from '../operation.ts';
import { refuseWithheldText } from '../skills/withheld-text.ts';
import { freshnessOutput, isoDay, pathInput } from './shared.ts';

const contentWords = {
  text: '',
  binary: '(binary)',
  absent: '(absent)',
  missing: 'The content is missing or damaged in this clone. Run `git fsck` to see what is damaged.',
};

const getArtifact = operation({
  name: 'get_artifact',
  summary:
    'One file with its content (from git, at HEAD or at ref), tags and newest commits. Content is paged by lines.',
  effect: 'read',
  input: z.object({
    path: pathInput,
    ref: z.string().optional().describe('commit, branch or tag (default HEAD)'),
    ...pagingInput,
  }),
  output: z.object({
    path: z.string(),
    ref: z.string(),
    content: z
      .string()
      .nullable()
      .describe('null when the file does not exist at ref, is binary, or git lacks it'),
    content_kind: z
      .enum(['text', 'binary', 'absent', 'missing'])
      .describe('missing: the commit has the file, this clone does not have its content'),
    first_line: z.number(),
    total_lines: z.number(),
    next_cursor: z.string().optional(),
    tags: z.array(z.string()),
    commits: z.array(
      z.object({ commit: z.string(), message: z.string(), author: z.string(), timestamp: z.number() }),
    ),
    total_commits: z.number(),
    commits_truncated: z.boolean(),
    deleted: z.boolean().optional(),
    moved_to: z.string().optional(),
    ...freshnessOutput,
  }),
  examples: [{ path: 'README.md' }],
  command: { positionals: ['path'] },
  render: (found) =>
    [
      found.moved_to
        ? `${found.path} is now ${found.moved_to}`
        : `${found.path}${found.deleted ? ' (deleted)' : ''}`,
      `tags: ${found.tags.join(', ') || '—'}`,
      ...found.commits.map(
        (each) =>
          `${each.commit.slice(0, 10)}  ${isoDay(each.timestamp)}  ${each.author}  ${each.message.split('\n')[0]}`,
      ),
      `${found.commits.length} of ${found.total_commits} commits`,
      '',
      found.content ?? contentWords[found.content_kind],
    ].join('\n'),
  isFailure: ({ content_kind }) => content_kind === 'missing',
  run: async (input, context) => {
    const { history, view, freshness } = await openHistoryView(context);
    const path = view.requirePath(input.path);
    await refuseWithheldText(view.name(path), context);
    const found = await readArtifact(history, view, path, input.ref);
    const taken = await pageOf(found.lines, input);
    return {
      ...found.summary,
      ref: found.ref,
      content: found.content_kind === 'text' ? taken.items.join('') : null,
      content_kind: found.content_kind,
      first_line: taken.offset + 1,
      total_lines: found.lines.length,
      next_cursor: taken.next_cursor,
      freshness,
    };
  },
});

export const operations = [getArtifact];
