// Owns: a branch and a working tree for each session that requests one, merging it back, removing it; a tree for each node of a run.
// Knows: git, sessions. Must not know: chronicle, other engines.
import { basename, join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { person, state, tree } from '../../base/files/index.ts';
import { createGit, type Git, type Repository } from '../../base/git/index.ts';
import type { Session, Sessions } from '../../stores/sessions/index.ts';
import { findWorktree, reasonsToKeep } from './reasons-to-keep.ts';

export { createNodeTrees, type NodeTree, type NodeTrees } from './node-trees.ts';

export interface Merged {
  merged: boolean;
  branch: string;
  into: string;
  commits: number;
  /** Files changed on both sides; the merge was aborted. */
  conflicts: string[];
}

export function createSessionWorktrees({
  git,
  repository,
  sessions,
  directory,
}: {
  git: Git;
  repository: Repository;
  sessions: Sessions;
  /** Directory of the sessions' working trees. */
  directory: string;
}) {
  const main = createGit(repository.mainRoot);

  /** A repeated call for a session returns the same place. */
  const open = async (session: Session, base?: string): Promise<Session> => {
    if (session.worktree !== '' && person.exists(session.worktree)) return session;
    if (repository.bare)
      throw new SylkError('INVALID_OPERATION', 'Sessions of a bare repository cannot have working trees.', {
        hint: 'Run it in a clone.',
      });
    const from = base || session.base_branch || (await currentBranch(git));
    const branch = `sylk/${session.id}`;
    const path = join(directory, session.id);
    const there = await main.run(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], {
      accept: [1],
    });
    state.makeDirectory(directory);
    tree.makeDirectory(repository.commonDirectory, 'worktrees');
    await main.run([
      ...['worktree', 'add', '--no-checkout', '--no-track'],
      ...(there.code === 0 ? ['--', path, branch] : ['-b', branch, '--', path, from]),
    ]);
    pointToRepository(path, repository);
    await createGit(path).run(['reset', '--hard', '--quiet']);
    return sessions.change(session.id, () => ({ branch_name: branch, base_branch: from, worktree: path }));
  };

  /** Merges into its base branch, if that is checked out in the main working tree. Conflicts change nothing. */
  const merge = async (session: Session): Promise<Merged> => {
    const { branch_name: branch, base_branch: into } = required(session);
    if ((await currentBranch(main)) !== into)
      throw new SylkError('INVALID_OPERATION', `${into} is not checked out in ${repository.mainRoot}.`, {
        hint: `Run \`git switch ${into}\` there first.`,
      });
    for (const [where, at] of [
      ['The main working tree', main],
      ["The session's working tree", createGit(session.worktree)],
    ] as const)
      if (
        person.exists(at.directory) &&
        (await at.text(['status', '--porcelain', '--untracked-files=no'])) !== ''
      )
        throw new SylkError('INVALID_OPERATION', `${where} has uncommitted changes.`, {
          hint: 'Commit or stash them first. Nothing was changed.',
        });
    const commits = Number(await main.text(['rev-list', '--count', `${into}..${branch}`]));
    const answer = { branch, into, commits };
    if (commits === 0) return { ...answer, merged: true, conflicts: [] };
    const tried = await main.run(['merge', '--no-edit', branch], { accept: [1, 2, 128] });
    if (tried.code === 0) return { ...answer, merged: true, conflicts: [] };
    const conflicts = await main.list(['diff', '--name-only', '--diff-filter=U', '-z']);
    await main.run(['merge', '--abort'], { accept: [128] });
    if (conflicts.length > 0) return { ...answer, merged: false, conflicts };
    throw new SylkError(
      'UNAVAILABLE',
      `git could not merge ${branch}: ${tried.stderr.trim().slice(0, 300)}`,
      {
        hint: 'Nothing was changed.',
      },
    );
  };

  /** Removed only if nothing is lost: everything in it is reachable from its base branch. */
  const remove = async (session: Session): Promise<Session> => {
    const { branch_name: branch, base_branch: base, worktree } = required(session);
    const found = await findWorktree(main, worktree);
    const reasons = await reasonsToKeep({ main, found, worktree, branch, base });
    if (reasons.length > 0)
      throw new SylkError(
        'INVALID_OPERATION',
        `The working tree of ${session.id} was not removed: ${reasons.join('; ')}.`,
        {
          hint: `Commit your changes and run \`sylk session merge ${session.id}\`, or remove it by hand with \`git worktree\`.`,
          data: { reasons, worktree },
        },
      );
    await main.run(['worktree', 'remove', '--', worktree]);
    await main.run(['branch', '-d', '--', branch], { accept: [1] });
    return sessions.change(session.id, () => ({ worktree: '', branch_name: '' }));
  };

  return { open, merge, remove };
}

/** git stores the given directory of the repository; others find the repository itself. */
function pointToRepository(worktree: string, { commonDirectory }: Repository): void {
  const name = basename(tree.read(worktree, '.git', { limit: 16_384 }).toString('utf8').trim());
  tree.write(worktree, '.git', `gitdir: ${join(commonDirectory, 'worktrees', name)}\n`);
}

export type SessionWorktrees = ReturnType<typeof createSessionWorktrees>;

function required(session: Session): Session {
  if (session.worktree !== '' && session.branch_name !== '') return session;
  throw new SylkError('INVALID_OPERATION', `Session ${session.id} has no working tree.`, {
    hint: `Nothing was changed. Run \`sylk session worktree ${session.id}\` to create one.`,
  });
}

async function currentBranch(git: Git): Promise<string> {
  const { code, stdout } = await git.run(['symbolic-ref', '--short', '--quiet', 'HEAD'], { accept: [1] });
  if (code === 0) return stdout.toString('utf8').trim();
  throw new SylkError('INVALID_OPERATION', 'No branch is checked out here.', {
    hint: 'Run `git switch BRANCH` first, or name a base branch.',
  });
}
