import { join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { isLeftAside, state, tree } from '../../base/files/index.ts';
import { createGit, type Git, type Repository } from '../../base/git/index.ts';
import { bytesOf, requireFreeDisk, treeEnvironment } from './tree-limits.ts';

/** The files of one node of a run, apart from the person's own checkout. */
export interface NodeTree {
  directory: string;
  /** The commit that it was made from. */
  base: string;
  /** The pointer to the repository: whoever can write it decides what git does there. */
  pointer: string;
  /** Ports and a name that no other tree of this repository has. */
  environment: Record<string, string>;
  /** That it takes more of the disk than it may, in words. */
  findExcess(): Promise<string | undefined>;
  /** Files that differ from what was committed last, or from the base. Ignored files are left out. */
  changes(): Promise<string[]>;
  /** Commits those files, each by its path, on top of the base, and lets the ref name the commit. */
  commit(message: string, ref: string): Promise<{ commit: string; files: string[] }>;
}

export interface NodeTreeRequest {
  run: string;
  node: string;
  /** A tree that was made from another commit is made anew. */
  base: string;
  /** What a fresh tree is filled with, where the node has worked before: a commit or a tree. */
  content?: (() => Promise<string>) | undefined;
}

type NodeName = Pick<NodeTreeRequest, 'run' | 'node'>;

const [ready, slotFile, includedFile] = ['sylk-ready', 'sylk-slot', 'sylk-included'];
const mostIncludedBytes = 20_000_000;
const mega = 1024 * 1024;

/**
 * Trees of nodes in the state home. Each keeps an index of its own, which no program in the tree is told of, so that what is
 * committed does not depend on what such a program did to git's.
 */
export function createNodeTrees({
  repository,
  directory,
  mostMegabytes = 4000,
  included,
}: {
  repository: Repository;
  directory: string;
  /** What one tree may take on the disk, without installed packages. */
  mostMegabytes?: number | undefined;
  /** Ignored files of the person's checkout that come along in a new tree. They are never committed. */
  included?: (() => Promise<{ root: string; files: string[] }>) | undefined;
}) {
  const main = createGit(repository.mainRoot, { repository: { ...repository, root: repository.mainRoot } });
  const worktrees = join(repository.commonDirectory, 'worktrees');
  const pathOf = ({ run, node }: NodeName) => join(directory, run, node);

  const records = (): string[] => state.list(worktrees).map(({ name }) => join(worktrees, name));
  /** git's own record of a worktree, found from the side that programs in the tree can't write. */
  const recordOf = (path: string): string | undefined =>
    records().find((record) => state.readText(join(record, 'gitdir'))?.trim() === join(path, '.git'));

  // Two processes of git that make worktrees at once read each other's halves.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done;
  };

  const make = async (
    path: string,
    { base, content = async () => base }: NodeTreeRequest,
  ): Promise<string> => {
    state.remove(path);
    // git looks at every worktree for this.
    if (recordOf(path)) await main.run(['worktree', 'prune', '--expire=now']);
    state.makeDirectory(join(path, '..'));
    requireFreeDisk(directory);
    tree.makeDirectory(repository.commonDirectory, 'worktrees');
    await main.run(['worktree', 'add', '--detach', '--no-checkout', '--', path, base]);
    const record = recordOf(path);
    if (!record)
      throw new SylkError('UNAVAILABLE', `git made no worktree at ${path}.`, { hint: 'Try again.' });
    // git wrote down the directory that it was given for the repository; others find the repository itself.
    tree.write(path, '.git', `gitdir: ${record}\n`);
    const git = gitOf(path, record);
    await git.run(['read-tree', await content()]);
    await git.run(['checkout-index', '--all', '--force', '--quiet', '--index'], { timeoutMs: 600_000 });
    await createGit(path, { repository: placed(path, record) }).run(['read-tree', base]);
    state.write(join(record, includedFile), (await bringIncluded(path)).join('\0'));
    state.write(join(record, slotFile), String(freeSlot()));
    state.write(join(record, ready), base);
    return record;
  };

  const bringIncluded = async (path: string): Promise<string[]> => {
    const { root, files } = (await included?.()) ?? { root: '', files: [] };
    // What the commit has itself stays as it is there.
    const missing = files.filter((file) => tree.entry(path, file) === undefined);
    for (const file of missing) tree.write(path, file, tree.read(root, file, { limit: mostIncludedBytes }));
    return missing;
  };

  const freeSlot = (): number => {
    const taken = new Set(records().map((record) => Number(state.readText(join(record, slotFile)) || -1)));
    for (let slot = 0; ; slot += 1) if (!taken.has(slot)) return slot;
  };

  const findExcess = async (path: string): Promise<string | undefined> => {
    const bytes = await bytesOf(path);
    return bytes === undefined || bytes <= mostMegabytes * mega
      ? undefined
      : `The working copy takes ${Math.round(bytes / mega)} MB of the disk, more than the ${mostMegabytes} MB that it may (agents.tree_megabytes). Its files: ${path}`;
  };

  const placed = (path: string, record: string): Repository => ({
    ...repository,
    root: path,
    gitDirectory: record,
    linkedWorktree: true,
  });
  const gitOf = (path: string, record: string): Git =>
    createGit(path, {
      repository: placed(path, record),
      env: { GIT_INDEX_FILE: join(record, 'sylk-index') },
    });

  const open = async (request: NodeTreeRequest): Promise<NodeTree> => {
    if (repository.bare)
      throw new SylkError('INVALID_OPERATION', 'Agents need a working tree, and this repository is bare.', {
        hint: 'Run it in a clone.',
      });
    const path = pathOf(request);
    const found = recordOf(path);
    const { base } = request;
    const isReady = found && state.readText(join(found, ready)) === base && state.exists(path);
    const record = isReady ? found : await inTurn(() => make(path, request));
    // A process that was killed while it committed leaves its lock.
    state.remove(join(record, 'sylk-index.lock'));
    const git = gitOf(path, record);
    const brought = new Set((state.readText(join(record, includedFile)) ?? '').split('\0'));
    const changes = async () => (await listChanges(git)).filter((changed) => !brought.has(changed));
    if (isReady) for (const left of (await changes()).filter(isLeftAside)) tree.remove(path, left);
    return {
      directory: path,
      base,
      pointer: join(path, '.git'),
      environment: treeEnvironment(
        repository.commonDirectory,
        Number(state.readText(join(record, slotFile)) || 0),
      ),
      findExcess: () => findExcess(path),
      changes,
      commit: async (message, ref) => {
        const changed = await changes();
        if (changed.length > 0)
          await git.run(['update-index', '--add', '--remove', '-z', '--stdin'], {
            input: changed.map((path) => `${path}\0`).join(''),
          });
        const written = await git.text(['write-tree']);
        const files = await git.list(['diff-tree', '-r', '-z', '--name-only', base, written]);
        const commit = await git.text(['commit-tree', '-p', base, '-F', '-', written], {
          input: message,
          env: identity(main),
        });
        await git.run(['update-ref', ref, commit]);
        return { commit, files };
      },
    };
  };

  /** Once its commit has a name elsewhere: what is left in the tree goes, ignored files too. */
  const remove = (request: NodeName): Promise<void> =>
    inTurn(async () => {
      state.remove(pathOf(request));
      await main.run(['worktree', 'prune', '--expire=now']);
    });

  const has = (request: NodeName): boolean => state.exists(pathOf(request));

  /** Runs that have a tree. */
  const runs = (): string[] => state.list(directory).map(({ name }) => name);

  return { open, remove, has, runs };
}

export type NodeTrees = ReturnType<typeof createNodeTrees>;

async function listChanges(git: Git): Promise<string[]> {
  // A file that was only touched is compared by its content: no refresh of the index is needed for that.
  const paths = await git.list([
    ...['ls-files', '-z', '--modified', '--others', '--deleted', '--exclude-standard', '--deduplicate'],
  ]);
  // A repository inside the tree is listed as a directory: it is nobody's file here.
  return [...new Set(paths)].filter((path) => !path.endsWith('/'));
}

/** The person's own name, because the person answers for the commit; the message says who wrote it. */
function identity(git: Git): Record<string, string> {
  const name = git.setting('user.name') ?? 'Sylk';
  const email = git.setting('user.email') ?? 'sylk@localhost';
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
