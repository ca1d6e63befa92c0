import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SylkError } from '../errors.ts';

/** Where a repository and Sylk's own directory for it are. Found by reading files: no process is started. */
export interface Repository {
  /** The working tree that was asked about, or the git directory of a bare repository. */
  root: string;
  gitDirectory: string;
  /** Shared by all linked worktrees. */
  commonDirectory: string;
  /** The main working tree; equals `root` except in a linked worktree. */
  mainRoot: string;
  bare: boolean;
  linkedWorktree: boolean;
  /** `.sylk` beside the main working tree, `<gitdir>/sylk` when bare, or SYLK_DIR. */
  sylkDirectory: string;
  /** Path of the directory that was asked about, below the root; '' at the root. */
  prefix: string;
}

export function findRepository(start: string, env: NodeJS.ProcessEnv = process.env): Repository {
  if (!existsSync(start)) {
    throw new SylkError('NOT_FOUND', `There is no directory ${start}.`, {
      hint: 'Check the path given to --repo.',
    });
  }
  const from = realpathSync(statSync(start).isDirectory() ? start : dirname(start));
  for (let directory = from; ; directory = dirname(directory)) {
    const found = inspect(directory, directory === from);
    if (found) {
      const sylkDirectory = env.SYLK_DIR
        ? resolve(env.SYLK_DIR)
        : found.bare
          ? join(found.gitDirectory, 'sylk')
          : join(found.mainRoot, '.sylk');
      return { ...found, sylkDirectory, prefix: from.slice(found.root.length + 1) };
    }
    if (dirname(directory) === directory) break;
  }
  throw new SylkError('NOT_FOUND', `${from} is not in a git repository.`, {
    hint: 'Run inside a repository, or give --repo PATH; `git init` makes one.',
  });
}

type Found = Omit<Repository, 'sylkDirectory' | 'prefix'>;

function inspect(directory: string, named: boolean): Found | undefined {
  const dotGit = join(directory, '.git');
  const kind = statSync(dotGit, { throwIfNoEntry: false });
  if (kind?.isDirectory() && isGitDirectory(dotGit)) return worktree(directory, dotGit);
  if (kind?.isFile()) {
    const pointer = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1]?.trim();
    const target = pointer && resolve(directory, pointer);
    if (target && isGitDirectory(target)) return worktree(directory, target);
  }
  // A bare repository is only taken when it was named itself, never met on the way up: it may be a trap in a tree.
  const bare = named && isGitDirectory(directory) && existsSync(join(directory, 'objects'));
  if (bare && basename(directory) !== '.git') {
    return {
      root: directory,
      gitDirectory: directory,
      commonDirectory: directory,
      mainRoot: directory,
      bare: true,
      linkedWorktree: false,
    };
  }
  if (basename(directory) === '.git' && isGitDirectory(directory))
    return worktree(dirname(directory), directory);
  return undefined;
}

function worktree(root: string, gitDirectory: string): Found {
  const pointer = join(gitDirectory, 'commondir');
  const common = existsSync(pointer)
    ? resolve(gitDirectory, readFileSync(pointer, 'utf8').trim())
    : gitDirectory;
  const linked = common !== gitDirectory;
  const mainRoot = linked && basename(common) === '.git' ? dirname(common) : linked ? common : root;
  return { root, gitDirectory, commonDirectory: common, mainRoot, bare: false, linkedWorktree: linked };
}

function isGitDirectory(path: string): boolean {
  return (
    existsSync(join(path, 'HEAD')) && (existsSync(join(path, 'refs')) || existsSync(join(path, 'commondir')))
  );
}
