import { SylkError } from '../../base/errors.ts';
import type { Git } from '../../base/git/index.ts';

/** What two commits give together, without a working tree. */
export interface MergedTree {
  /** Files in conflict are in it with both sides and marks between them. */
  tree: string;
  conflicts: string[];
}

export async function mergeCommits(git: Git, ours: string, theirs: string): Promise<MergedTree> {
  const merged = await git.run(
    ['merge-tree', '--write-tree', '--no-messages', '--name-only', '-z', ours, theirs],
    {
      accept: [1],
      timeoutMs: 300_000,
    },
  );
  const [tree = '', ...conflicts] = merged.stdout.toString('utf8').split('\0').filter(Boolean);
  if (tree === '')
    throw new SylkError(
      'UNAVAILABLE',
      `git could not merge ${theirs.slice(0, 12)} into ${ours.slice(0, 12)}.`,
      {
        hint: `It said: ${merged.stderr.trim().slice(0, 300)}`,
      },
    );
  return { tree, conflicts };
}

/** The tree of `tip` without what `commit` changed against its parent. */
export async function mergeInverse(git: Git, tip: string, commit: string): Promise<MergedTree> {
  const [from, ours, theirs] = await Promise.all(
    [commit, tip, `${commit}^`].map((name) => treeOf(git, name)),
  );
  // git finds what both sides have in common by their parents: these three have the ones that the question needs.
  const write = (tree: string, ...parents: string[]) =>
    git.text(['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-m', 'side', tree], {
      env: nobody,
    });
  const root = await write(from ?? '');
  return mergeCommits(git, await write(ours ?? '', root), await write(theirs ?? '', root));
}

const nobody = {
  GIT_AUTHOR_NAME: 'Sylk',
  GIT_AUTHOR_EMAIL: 'sylk@localhost',
  GIT_COMMITTER_NAME: 'Sylk',
  GIT_COMMITTER_EMAIL: 'sylk@localhost',
  GIT_AUTHOR_DATE: '@0 +0000',
  GIT_COMMITTER_DATE: '@0 +0000',
};

export const treeOf = (git: Git, commit: string): Promise<string> =>
  git.text(['rev-parse', '--verify', `${commit}^{tree}`]);

/**
 * A commit with the author, the dates and the message of another one, so that doing it again gives the same commit.
 */
export async function commitLike(
  git: Git,
  like: string,
  { tree, parents, message }: { tree: string; parents: string[]; message?: (said: string) => string },
): Promise<string> {
  const format = ['%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%B'].join('%x00');
  const shown = await git.text(['show', '--no-patch', '--date=raw', `--format=${format}`, like]);
  const [name = '', email = '', date = '', byName = '', byEmail = '', byDate = '', ...said] =
    shown.split('\0');
  const text = said.join('').trim();
  return git.text(['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree], {
    input: `${message ? message(text) : text}\n`,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: byName,
      GIT_COMMITTER_EMAIL: byEmail,
      GIT_COMMITTER_DATE: byDate,
    },
  });
}
