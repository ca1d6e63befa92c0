import { z } from 'zod';
import { limitInput, pageFrom, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { artifactSummary, commitWithFiles, findCommit, provenance } from '../../stores/history/index.ts';
import { openHistoryView } from '../open-index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput, isoDay, notesOutput, pathInput } from './shared.ts';

const entryOutput = z.object({
  commit: z.string(),
  message: z.string(),
  author: z.string(),
  timestamp: z.number(),
  tags_at_commit: z.array(z.string()),
  path: z.string().optional().describe("the file's name at that commit"),
});

const getProvenance = operation({
  name: 'get_provenance',
  summary:
    'History of a file: the commits that touched it, across renames, oldest first, with its tags at the time. The newest 20 by default.',
  effect: 'read',
  input: z.object({ path: pathInput, limit: limitInput(20, 500), ...pagingInput }),
  output: z.object({
    path: z.string(),
    moved_to: z.string().optional(),
    deleted: z.boolean().optional(),
    commits: z.array(entryOutput),
    ...pagingOutput,
    ...freshnessOutput,
    ...notesOutput,
  }),
  examples: [{ path: 'README.md' }, { path: 'README.md', limit: 3 }],
  command: { positionals: ['path'] },
  render: ({ path, moved_to, commits, total, next_cursor, notes = [] }) =>
    [
      moved_to ? `${path} was renamed to ${moved_to}` : path,
      ...commits.map(
        (each) =>
          `${each.commit.slice(0, 10)}  ${isoDay(each.timestamp)}  ${each.author}  ${each.message.split('\n')[0]}`,
      ),
      `${commits.length} of ${total}${next_cursor ? `; older: --cursor ${next_cursor}` : ''}`,
      ...notes,
    ].join('\n'),
  isFailure: ({ damaged }) => damaged === true,
  run: async (input, context) => {
    const { view, freshness, notes, damaged } = await openHistoryView(context);
    const path = view.requirePath(input.path);
    const { items, total, next_cursor } = await pageFrom(input, (skip) => {
      const { entries, total } = provenance(view, path, { skip, take: input.limit });
      return { items: entries.reverse(), total };
    });
    const { moved_to, deleted } = artifactSummary(view, path);
    return {
      path: view.name(path),
      moved_to,
      deleted,
      commits: items.reverse(),
      total,
      next_cursor,
      freshness,
      notes,
      damaged,
    };
  },
});

const getCommit = operation({
  name: 'get_commit',
  summary: 'One commit: message, trailers, tags and changed files, with their current names.',
  effect: 'read',
  input: z.object({
    commit: z.string().min(4).max(80).describe('hash, its first digits, or HEAD'),
    ...pagingInput,
  }),
  output: z.object({
    commit: z.string(),
    message: z.string(),
    author: z.string(),
    timestamp: z.number(),
    type: z.string().optional(),
    scope: z.string().optional(),
    breaking: z.boolean().optional(),
    parents: z.array(z.string()),
    trailers: z.array(z.object({ key: z.string(), value: z.string() })),
    tags: z.array(z.object({ op: z.enum(['add', 'remove']), tag: z.string() })),
    files: z.array(
      z.object({
        path: z.string(),
        status: z.enum(['modified', 'added', 'deleted', 'renamed']),
        from: z.string().optional(),
        now: z.string().optional(),
      }),
    ),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{ commit: 'HEAD' }],
  command: { positionals: ['commit'] },
  run: async (input, context) => {
    const { view, freshness } = await openHistoryView(context);
    const found = commitWithFiles(view, findCommit(view, input.commit));
    const { items, total, next_cursor } = await pageOf(found.files, input);
    return { ...found, files: items, total, next_cursor, freshness };
  },
});

export const operations = [getProvenance, getCommit];
