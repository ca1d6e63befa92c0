import { SylkError } from '../../base/errors.ts';
import { createGit, findRepository, type Git, type Repository } from '../../base/git/index.ts';
import type { CheckRequest } from './report.ts';
import { type Environment, findEnvironment } from './trees.ts';

export interface Subject {
  git: Git;
  repository: Repository;
  /** Undefined: the working tree as it is. */
  commit?: string | undefined;
  environment: Environment;
}

/** What is judged, and where its packages are: in a linked working tree of its own, or in the one that was opened. */
export async function openSubject(
  { git, repository }: { git: Git; repository: Repository },
  { subject }: CheckRequest,
): Promise<Subject> {
  if (subject && 'commit' in subject)
    return { git, repository, commit: subject.commit, environment: await findEnvironment(git, repository) };
  const own = await findEnvironment(git, repository);
  if (!subject) {
    requireWorkTree(repository);
    return { git, repository, environment: own };
  }
  const worktree = findRepository(subject.worktree);
  if (worktree.commonDirectory !== repository.commonDirectory)
    throw new SylkError('NOT_FOUND', `${subject.worktree} is not a working tree of this repository.`, {
      hint: '`git worktree list` shows those that are.',
    });
  const linked = { ...worktree, state: repository.state };
  const linkedGit = createGit(worktree.root, { repository: linked });
  const environment = await findEnvironment(linkedGit, linked);
  return {
    git: linkedGit,
    repository: linked,
    environment: environment.bring.length > 0 ? environment : own,
  };
}

function requireWorkTree({ bare }: Repository): void {
  if (!bare) return;
  throw new SylkError('INVALID_OPERATION', 'A bare repository has no working tree to check.', {
    hint: 'Run `sylk check` in a clone, or name a commit: sylk check --commit main.',
  });
}
