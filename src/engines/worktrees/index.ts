// Owns: a branch and a working tree for each session that requests one, merging it back, removing it; a tree for each node of a run.
// Knows: git, sessions. Must not know: chronicle, other engines.
import { basename, join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { person, state, tree } from '../../base/files/index.ts';
import { createGit, type Git, type Repository } from '../../base/git/index.ts';
import type { Session, Sessions } from '../../stores/sessions/index.ts';
import { commitLike, mergeCommits } from './merge-commits.ts';
import { findWorktree, placeOfBranch, reasonsToKeep } from './reasons-to-keep.ts';

export { type CheckoutState, checkoutDifferences, readCheckout } from './checkout-state.ts';
export { lostLines } from './lost-lines.ts';
export { commitLike, mergeCommits, mergeInverse, treeOf } from './merge-commits.ts';
export { createNodeTrees, type NodeTree, type NodeTrees } from './node-trees.ts';
export { type HeldRefs, hubRefs, localRefs, moveRef, type RunRefs } from './run-refs.ts';

export interface Merged {
  merged: boolean;
  branch: string;
  into: string;
  commits: number;
  /** Files changed on both sides. */
  conflicts: string[];
  /** What is left to type where the base is checked out. */
  command?: string | undefined;
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

  /** The session, with the place that `git worktree move` gave its working tree. */
  const followMove = async (session: Session): Promise<Session> => {
    if (session.branch_name === '' || person.exists(session.worktree)) return session;
    const path = await placeOfBranch(main, session.branch_name);
    if (path === undefined || !person.exists(path)) return session;
    return sessions.change(session.id, () => ({ worktree: path }));
  };

  /** A repeated call for a session returns the same place. */
  const open = async (given: Session, base?: string): Promise<Session> => {
    const session = await followMove(given);
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
    // Its directory was deleted, and git goes on listing it.
    const gone = await placeOfBranch(main, branch);
    if (gone !== undefined && !person.exists(gone))
      await main.run(['worktree', 'remove', '--force', '--', gone]);
    state.makeDirectory(directory);
    tree.makeDirectory(repository.commonDirectory, 'worktrees');
    await main.run([
      ...['worktree', 'add', '--no-checkout'],
      ...(there.code === 0 ? ['--', path, branch] : ['--no-track', '-b', branch, '--', path, from]),
    ]);
    pointToRepository(path, repository);
    await createGit(path).run(['reset', '--hard', '--quiet']);
    return sessions.change(session.id, () => ({ branch_name: branch, base_branch: from, worktree: path }));
  };

  /**
   * Brings the session's branch into its base branch without a working tree. A base that is checked out is its owner's: it is not
   * moved, and the answer says what to type. Conflicts change nothing.
   */
  const merge = async (given: Session): Promise<Merged> => {
    const session = await followMove(given);
    const { branch_name: branch, base_branch: into, worktree } = required(session);
    const own = createGit(worktree);
    if (person.exists(worktree) && (await own.text(['status', '--porcelain', '--untracked-files=no'])) !== '')
      throw new SylkError('INVALID_OPERATION', "The session's working tree has uncommitted changes.", {
        hint: 'Commit or stash them first. Nothing was changed.',
      });
    const ref = `refs/heads/${into}`;
    const [onto = '', tip = ''] = await Promise.all(
      [ref, `refs/heads/${branch}`].map((name) => main.text(['rev-parse', '--verify', name])),
    );
    const commits = Number(await main.text(['rev-list', '--count', `${onto}..${tip}`]));
    const answer = { branch, into, commits, conflicts: [] };
    if (commits === 0) return { ...answer, merged: true };
    const { tree: joined, conflicts } = await mergeCommits(main, onto, tip);
    if (conflicts.length > 0) return { ...answer, merged: false, conflicts };
    const isAhead = (await main.run(['merge-base', '--is-ancestor', onto, tip], { accept: [1] })).code === 0;
    const lines = await main.list(['worktree', 'list', '--porcelain', '-z']);
    if (lines.includes(`branch ${ref}`))
      return { ...answer, merged: false, command: `git merge ${isAhead ? '--ff-only ' : ''}${branch}` };
    const message = () => `Merge branch '${branch}' into ${into}`;
    const commit = isAhead
      ? tip
      : await commitLike(main, tip, { tree: joined, parents: [onto, tip], message });
    await main.run(['update-ref', ref, commit, onto]);
    return { ...answer, merged: true };
  };

  /** Removed only if nothing is lost: everything in it is reachable from its base branch. */
  const remove = async (
    given: Session,
  ): Promise<{ session: Session; worktree: string; branch: string | undefined }> => {
    const session = await followMove(given);
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
    const { code } = await main.run(['branch', '-d', '--', branch], { accept: [1] });
    const left = await sessions.change(session.id, () => ({ worktree: '', branch_name: '' }));
    return { session: left, worktree, branch: code === 0 ? branch : undefined };
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
