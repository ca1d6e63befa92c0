import type { Git } from '../base/git/index.ts';

const mostOfDiff = 100_000;

/** The changed lines of a commit against its first parent. */
export async function diffOf(git: Git, commit: string): Promise<string> {
  const flags = ['-p', '-M', '--root', '--no-commit-id', '--no-ext-diff', '--no-textconv', '--no-color'];
  const text = await git.text(['diff-tree', ...flags, '--diff-merges=first-parent', commit]);
  return text.length <= mostOfDiff
    ? text
    : `${text.slice(0, mostOfDiff)}\n… the rest: git show ${commit.slice(0, 10)}`;
}
