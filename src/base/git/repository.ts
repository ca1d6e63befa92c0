import { basename, dirname, join, relative, resolve } from 'node:path';
import { SylkError } from '../errors.ts';
import { person, readSmallFile, tree } from '../files/index.ts';
import { locateState, type State } from '../state/index.ts';
import { userDirectories } from '../user-directory.ts';

/** Where a repository, its shared text and its state are. Found by reading files: no process is started. */
export interface Repository {
  /** The working tree that was asked about, or the git directory of a bare repository. */
  root: string;
  gitDirectory: string;
  /** Shared by all linked worktrees. */
  commonDirectory: string;
  /** The main working tree; equals `root` except in a linked worktree. */
  mainRoot: string;
  /** Where a path of this repository was before the repository was moved, latest first. */
  formerPathsOf(path: string): string[];
  bare: boolean;
  linkedWorktree: boolean;
  /** `.sylk` in the main working tree: text that people share through git. Repository content, so untrusted. */
  sharedDirectory: string;
  /** Databases, caches, logs: never content of the repository. */
  state: State;
  /** Path of the directory that was asked about, below the root; '' at the root. */
  prefix: string;
}

export function findRepository(start: string, env: NodeJS.ProcessEnv = process.env): Repository {
  if (!person.exists(start)) {
    throw new SylkError('NOT_FOUND', `Directory not found: ${start}`, {
      hint: 'Check the path given to --repo.',
    });
  }
  const from = person.realPath(person.entry(start)?.kind === 'directory' ? start : dirname(start));
  for (let directory = from; ; directory = dirname(directory)) {
    const found = inspect(directory, directory === from);
    if (found) {
      const { owner, belongs, mayHoldState, ...places } = found;
      const user = userDirectories(env);
      const state = locateState({
        owner,
        inside: belongs ? join(owner, 'sylk') : undefined,
        mayHoldState,
        home: user.state,
        cache: user.cache,
        override: env.SYLK_DIR ? resolve(env.SYLK_DIR) : undefined,
      });
      const sharedDirectory = join(places.mainRoot, '.sylk');
      return {
        ...places,
        sharedDirectory,
        state,
        formerPathsOf: (path) => state.movedFrom.map((before) => join(before, relative(owner, path))),
        prefix: from.slice(places.root.length + 1),
      };
    }
    if (dirname(directory) === directory) break;
  }
  throw new SylkError('NOT_FOUND', `${from} is not in a git repository.`, {
    hint: 'Run inside a repository, or use --repo PATH. `git init` creates one.',
  });
}

interface Found extends Omit<Repository, 'sharedDirectory' | 'state' | 'formerPathsOf' | 'prefix'> {
  /**
   * The path that state belongs to: the common directory, or the `.git` entry of a working tree that only claims to
   * belong to a git directory elsewhere. A pointer in an archive must not reach the memory of another repository.
   */
  owner: string;
  /** The git directory names this working tree, too. */
  belongs: boolean;
  mayHoldState: boolean;
}

function inspect(directory: string, named: boolean): Found | undefined {
  const dotGit = join(directory, '.git');
  const kind = tree.entry(directory, '.git')?.kind;
  if (kind === 'directory' && isGitDirectory(dotGit)) return worktree(directory, dotGit);
  if (kind === 'link' && isGitDirectory(dotGit)) return worktree(directory, person.realPath(dotGit));
  if (kind === 'file') {
    const pointer = /^gitdir: (.+)$/m.exec(readSmallFile(dotGit) ?? '')?.[1]?.trim();
    const target = pointer && resolve(directory, pointer);
    if (target && isGitDirectory(target)) return worktree(directory, target);
  }
  // A bare repository is only taken when it was named itself, never met on the way up: it may be a trap in a tree.
  if (!isGitDirectory(directory)) return undefined;
  if (basename(directory) === '.git') return worktree(dirname(directory), directory);
  return named && person.exists(join(directory, 'objects')) ? bareRepository(directory) : undefined;
}

const bareRepository = (directory: string): Found => ({
  root: directory,
  gitDirectory: directory,
  commonDirectory: directory,
  mainRoot: directory,
  bare: true,
  linkedWorktree: false,
  owner: directory,
  belongs: true,
  mayHoldState: !isInWorkingTree(directory),
});

function worktree(root: string, gitDirectory: string): Found {
  const pointer = readSmallFile(join(gitDirectory, 'commondir'))?.trim();
  const common = pointer === undefined ? gitDirectory : resolve(gitDirectory, pointer);
  const linked = common !== gitDirectory;
  const belongs = gitDirectory === join(root, '.git') ? !linked : pointsBack(root, gitDirectory, common);
  const main = linked && belongs ? (basename(common) === '.git' ? dirname(common) : common) : root;
  return {
    root,
    gitDirectory,
    commonDirectory: common,
    mainRoot: main,
    bare: false,
    linkedWorktree: linked,
    owner: belongs ? realPath(common) : join(root, '.git'),
    belongs,
    mayHoldState: belongs && mayHoldState(common, main),
  };
}

/** Whether the git directory names this working tree too: as a linked worktree of its own, or as a submodule. */
function pointsBack(root: string, gitDirectory: string, common: string): boolean {
  const dotGit = join(root, '.git');
  if (gitDirectory !== common) {
    const named = readSmallFile(join(gitDirectory, 'gitdir'))?.trim();
    const inside = dirname(realPath(gitDirectory)) === join(realPath(common), 'worktrees');
    return inside && named !== undefined && realPath(resolve(gitDirectory, named)) === realPath(dotGit);
  }
  const config = readSmallFile(join(gitDirectory, 'config'), 100_000) ?? '';
  const named = /^\s*worktree\s*=\s*"?([^"\r\n]+?)"?\s*$/im.exec(config)?.[1];
  return named !== undefined && realPath(resolve(gitDirectory, named)) === realPath(root);
}

/** A `.git` of its own, or a bare repository with linked worktrees; not a submodule, which lies in another repository. */
function mayHoldState(common: string, main: string): boolean {
  if (common === join(main, '.git')) return tree.isDirectory(main, common);
  return common === main && !isInWorkingTree(common);
}

function isInWorkingTree(directory: string): boolean {
  for (let above = dirname(directory); ; above = dirname(above)) {
    if (basename(above) === '.git' || tree.entry(above, '.git')) return true;
    if (dirname(above) === above) return false;
  }
}

function isGitDirectory(path: string): boolean {
  return (
    person.exists(join(path, 'HEAD')) &&
    (person.exists(join(path, 'refs')) || person.exists(join(path, 'commondir')))
  );
}

function realPath(path: string): string {
  try {
    return person.realPath(path);
  } catch {
    // A path that does not exist yet has no other name.
    return path;
  }
}
