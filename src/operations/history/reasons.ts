import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import type { Git } from '../../base/git/index.ts';
import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { showName } from '../../base/terminal-text.ts';
import { historyOfLine } from '../../engines/answers/index.ts';
import { reasonOf } from '../../stores/history/index.ts';
import { entriesAbout } from '../code/history.ts';
import type { OperationContext } from '../operation.ts';
import { isoDay } from './shared.ts';

const commitOutput = z.object({
  commit: z.string(),
  message: z.string(),
  author: z.string(),
  timestamp: z.number(),
});
type Commit = z.output<typeof commitOutput>;

export const lineOutput = z.object({
  number: z.number(),
  text: z.string(),
  uncommitted: z.boolean(),
  commits: z.array(commitOutput).describe('the commit that wrote the line, then its earlier shapes'),
});

export const reasonOutput = z.object({
  reason: z.string(),
  commits: z.array(z.string()).describe('hashes, newest first'),
  issues: z.array(z.string()),
});

export const decisionOutput = z.object({
  ref: z.string(),
  title: z.string(),
  author: z.string().optional(),
  timestamp: z.number().optional(),
});

const mostShapes = 6;

export async function shapesOf(git: Git, path: string, number: number): Promise<z.output<typeof lineOutput>> {
  const { text, commits, isUncommitted } = await historyOfLine(git, path, number, mostShapes);
  return { number, text, uncommitted: isUncommitted, commits };
}

/** Commits, newest first, under the reason that their messages give; the reason of the newest commit first. */
export function groupByReason(commits: Commit[]): Array<z.output<typeof reasonOutput>> {
  const groups = new Map<string, { commits: string[]; issues: Set<string> }>();
  for (const { commit, message } of commits) {
    const { reason, issues } = reasonOf(message);
    const group = groups.get(reason) ?? { commits: [], issues: new Set() };
    group.commits.push(commit);
    for (const issue of issues) group.issues.add(issue);
    groups.set(reason, group);
  }
  return [...groups].map(([reason, group]) => ({
    reason,
    commits: group.commits,
    issues: [...group.issues].slice(0, 20),
  }));
}

const mostDecisions = 5;
const decisionRecords = ['adr', 'adrs', 'decisions', 'rfc', 'rfcs'].map(
  (folder) => `:(icase,glob)**/${folder}/**`,
);

/** Remembered decisions about a file, and decision records of the repository that name it. */
export async function decisionsAbout(
  context: OperationContext,
  { session }: { session?: string | undefined },
  path: string,
): Promise<{ decisions: Array<z.output<typeof decisionOutput>>; problems: string[] }> {
  const records = await recordsNaming(context.app.git, path);
  try {
    const entries = await entriesAbout(context, { session, limit: mostDecisions }, [fileRef(path)]);
    const remembered = entries
      .filter(({ kind }) => kind === 'entry')
      .map(({ ref, message, author, timestamp }) => ({ ref, title: message, author, timestamp }));
    return { decisions: [...remembered, ...records].slice(0, 2 * mostDecisions), problems: [] };
  } catch (error) {
    if (!(error instanceof SylkError)) throw error;
    // What was remembered can't be read; the history can.
    return { decisions: records, problems: [`Remembered decisions are missing: ${error.message}`] };
  }
}

async function recordsNaming(git: Git, path: string): Promise<Array<z.output<typeof decisionOutput>>> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.length < 4) return [];
  const { stdout } = await git.run(
    ['grep', '-l', '-z', '-I', '-w', '-F', '-e', name, '--', ...decisionRecords],
    { accept: [1, 128], timeoutMs: 5000, maxOutputBytes: 100_000, mayCut: true },
  );
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((file) => file && file !== path)
    .slice(0, mostDecisions)
    .map((file) => ({ ref: fileRef(file), title: file }));
}

export const lineText = ({ text, uncommitted, commits }: z.output<typeof lineOutput>): string[] => [
  `  ${showName(text)}`,
  '',
  uncommitted ? 'This line is not committed yet.' : 'Written by',
  ...commits.slice(0, 1).flatMap(commitText),
  ...(commits.length > 1 ? ['Before that by', ...commits.slice(1).flatMap(commitText)] : []),
];

export const decisionText = (decisions: Array<z.output<typeof decisionOutput>>): string[] =>
  decisions.length === 0
    ? []
    : [
        '',
        'Decisions',
        ...decisions.map(
          ({ ref, title, author, timestamp }) =>
            `  ${[showName(title), author, timestamp ? isoDay(timestamp) : ''].filter(Boolean).join('  ')}${title === ref.replace(/^file:/, '') ? '' : `  (${ref})`}`,
        ),
      ];

const headings: Record<string, string> = {
  revert: 'Reverts',
  fix: 'Fixes',
  feature: 'Features',
  performance: 'Performance',
  refactoring: 'Refactoring',
  test: 'Tests',
  documentation: 'Documentation',
  upkeep: 'Upkeep',
  other: 'Other changes',
};

export function reasonText(reasons: Array<z.output<typeof reasonOutput>>, commits: Commit[]): string[] {
  const byHash = new Map(commits.map((commit) => [commit.commit, commit]));
  return reasons.flatMap(({ reason, commits: hashes, issues }) => [
    '',
    `${headings[reason] ?? reason} (${hashes.length})${issues.length > 0 ? `  ${issues.join(' ')}` : ''}`,
    ...hashes.flatMap((hash) => commitText(byHash.get(hash))),
  ]);
}

function commitText(commit: Commit | undefined): string[] {
  if (!commit) return [];
  const { why } = reasonOf(commit.message);
  const line = `  ${commit.commit.slice(0, 10)}  ${isoDay(commit.timestamp)}  ${showName(commit.author)}  ${showName(commit.message.split('\n')[0] ?? '')}`;
  return why ? [line, `      ${showName(redact(why))}`] : [line];
}
