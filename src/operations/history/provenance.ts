import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { type Git, requireRevision } from '../../base/git/index.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { limitInput, pageFrom, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import {
  artifactSummary,
  commitWithFiles,
  findCommit,
  type HistoryView,
  provenance,
} from '../../stores/history/index.ts';
import { diffOf } from '../diff-of.ts';
import { sessionInput } from '../memory/shared.ts';
import { openHistoryView } from '../open-index.ts';
import { operation } from '../operation.ts';
import {
  decisionOutput,
  decisionsAbout,
  decisionText,
  groupByReason,
  lineOutput,
  lineText,
  reasonOutput,
  reasonText,
  shapesOf,
} from './reasons.ts';
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
    'Why a file or one of its lines is as it is: the commits that shaped it, across renames, grouped by reason, with issue numbers and decisions. The newest 20 by default.',
  effect: 'read',
  input: z.object({
    path: pathInput.describe('FILE or FILE:LINE in the repository; an old name also works'),
    limit: limitInput(20, 500),
    ...sessionInput,
    ...pagingInput,
  }),
  output: z.object({
    path: z.string(),
    moved_to: z.string().optional(),
    deleted: z.boolean().optional(),
    line: lineOutput.optional(),
    reasons: z.array(reasonOutput),
    decisions: z.array(decisionOutput),
    commits: z.array(entryOutput),
    ...pagingOutput,
    ...freshnessOutput,
    ...notesOutput,
  }),
  examples: [{ path: 'README.md' }, { path: 'README.md', limit: 3 }, { path: 'README.md:1' }],
  command: { positionals: ['path'] },
  render: ({ path, moved_to, line, reasons, decisions, commits, total, next_cursor, notes = [] }) =>
    [
      moved_to ? `${path} was renamed to ${moved_to}` : `${path}${line ? `:${line.number}` : ''}`,
      ...(line ? lineText(line) : []),
      ...decisionText(decisions),
      ...reasonText(reasons, commits),
      `${commits.length} of ${total} commits${next_cursor ? `; older: --cursor ${next_cursor}` : ''}`,
      ...notes,
    ].join('\n'),
  isFailure: ({ damaged }) => damaged === true,
  run: async (input, context) => {
    const { view, freshness, notes, damaged } = await openHistoryView(context);
    const place = placeOf(view, input.path);
    const path = view.requirePath(place.path);
    const { items, total, next_cursor } = await pageFrom(input, (skip) => {
      const { entries, total } = provenance(view, path, { skip, take: input.limit });
      return { items: entries.reverse(), total };
    });
    const { moved_to, deleted } = artifactSummary(view, path);
    const name = moved_to ?? view.name(path);
    const decided = await decisionsAbout(context, input, name);
    return {
      path: view.name(path),
      moved_to,
      deleted,
      line: place.line === undefined ? undefined : await shapesOf(context.app.git, name, place.line),
      reasons: groupByReason(items),
      decisions: decided.decisions,
      commits: items.reverse(),
      total,
      next_cursor,
      freshness,
      notes: [...notes, ...decided.problems],
      damaged,
    };
  },
});

/** `FILE:LINE`, unless a file is called so. */
function placeOf(view: HistoryView, text: string): { path: string; line?: number } {
  const [, path, line] = /^(.+):(\d{1,7})$/.exec(text) ?? [];
  if (!path || !line || view.find(text) !== undefined) return { path: text };
  return { path, line: Math.max(1, Number(line)) };
}

const fileText = ({ path, from, now }: { path: string; from?: string; now?: string }): string =>
  [from ? `${from} → ${path}` : path, now && now !== path ? ` (now ${now})` : ''].join('');

const getCommit = operation({
  name: 'get_commit',
  summary: 'One commit: message, trailers, tags and changed files, with their current names.',
  effect: 'read',
  input: z.object({
    commit: z.string().min(1).max(80).describe('hash, its first digits, a branch, a tag, or HEAD~2'),
    diff: looseBoolean.default(false).describe('with the changed lines'),
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
    diff: z.string().optional(),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{ commit: 'HEAD' }, { commit: 'HEAD', diff: true }],
  command: { positionals: ['commit'] },
  render: ({ commit, message, author, timestamp, files, total, diff, next_cursor }) =>
    [
      `${commit.slice(0, 10)}  ${isoDay(timestamp)}  ${author}`,
      ...message
        .trimEnd()
        .split('\n')
        .map((line) => `    ${line}`.trimEnd()),
      `${total ?? files.length} changed files:`,
      ...files.map((file) => `  ${file.status.padEnd(8)}  ${fileText(file)}`),
      ...(next_cursor ? [`more: --cursor ${next_cursor}`] : []),
      ...(diff === undefined ? [] : ['', diff.trimEnd()]),
    ].join('\n'),
  run: async (input, context) => {
    const { view, freshness } = await openHistoryView(context);
    const found = commitWithFiles(view, findCommit(view, await hashOf(context.app.git, input.commit)));
    const { items, total, next_cursor } = await pageOf(found.files, input);
    const diff = input.diff ? await diffOf(context.app.git, found.commit) : undefined;
    return { ...found, files: items, diff, total, next_cursor, freshness };
  },
});

/** A branch, a tag or `HEAD~2` as a hash; a hash stays as it is. */
async function hashOf(git: Git, text: string): Promise<string> {
  if (/^(?:commit:)?(?:[0-9a-f]{4,64}|head)$/i.test(text)) return text;
  const name = `${requireRevision(text)}^{commit}`;
  const { code, stdout } = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', name], {
    accept: [0, 1, 128],
  });
  if (code === 0) return stdout.toString().trim();
  throw new SylkError('NOT_FOUND', `Unknown commit, branch or tag: ${JSON.stringify(text.slice(0, 100))}`, {
    hint: 'Run `git log --oneline` or `git branch -a` to see what is there.',
  });
}

export const operations = [getProvenance, getCommit];
