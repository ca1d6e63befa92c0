import { basename, dirname, isAbsolute, join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { state, system, tree as treeFiles } from '../../base/files/index.ts';
import { createGit, type Git, type Repository } from '../../base/git/index.ts';
import { ignoreRules } from '../../base/glob/index.ts';
import type { Checks } from '../../stores/checks/index.ts';

/** A copy of a tree of files that tools may work in. */
export interface WorkingCopy {
  digest: string;
  directory: string;
  /** Writes the files of the tree, and takes back what tools did to them. */
  restore(): Promise<void>;
}

/** Folders that package managers fill. They are read where they are: a copy would take minutes. */
const packageFolders = new Set(
  '.bundle .pnp.cjs .pnp.loader.mjs .venv .yarn Pods bower_components deps elm-stuff env node_modules vendor venv'.split(
    ' ',
  ),
);
const keptCopies = 6;
const mostIncluded = 200;
const mostIncludedBytes = 20_000_000;

/** What lies beside the files of git and is needed to run them: installed packages, and what `.worktreeinclude` names. */
export async function findEnvironment(git: Git, { root, bare }: Repository) {
  if (bare) return { root, bring: [], include: [] };
  const ignored = await git.list([
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
  ]);
  const names = ignored.map((path) => path.replace(/\/$/, ''));
  const bring = names.filter((path) => packageFolders.has(basename(path)));
  const patterns = treeFiles.readText(root, '.worktreeinclude', { limit: 65_536 });
  const include = patterns === undefined ? [] : names.filter(ignoreRules(patterns.split('\n')));
  return { root, bring, include: include.filter((path) => !bring.includes(path)).slice(0, mostIncluded) };
}

export type Environment = Awaited<ReturnType<typeof findEnvironment>>;

export async function copyTree(
  place: { repository: Repository; scratch: string; movesPlaces: boolean; checks: Checks },
  digest: string,
  environment: Environment,
): Promise<WorkingCopy> {
  const { repository, scratch, movesPlaces, checks } = place;
  const trees = join(scratch, 'trees');
  const directory = join(trees, digest);
  const index = join(trees, `${digest}.index`);
  // The root decides what git writes: it is the copy's own, never the person's.
  const git = createGit(directory, {
    repository: { ...repository, root: directory },
    env: {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository.commonDirectory, 'objects'),
    },
  });
  if (!state.exists(index) || !state.exists(directory)) {
    state.makeDirectory(trees);
    const [last, ...others] = oldCopies(trees, checks).map((name) => join(trees, name));
    for (const old of others) removeCopy(old);
    requireRoom(trees);
    state.makeDirectory(directory);
    await git.run(['read-tree', digest]);
    bringAlong(directory, environment, { movesPlaces, last });
    if (last) removeCopy(last);
  }
  return {
    digest,
    directory,
    // Files that are as the index says are left alone.
    restore: async () => {
      await git.run(['checkout-index', '--all', '--force', '--quiet', '--index'], { timeoutMs: 600_000 });
    },
  };
}

const leastFreeBytes = 1_000_000_000;

function requireRoom(trees: string): void {
  if (system.freeBytes(trees) >= leastFreeBytes) return;
  throw new SylkError('UNAVAILABLE', 'Less than 1 GB is free on this disk: no copy of the files is made.', {
    hint: 'Free some room, then run `sylk check` again.',
  });
}

function bringAlong(
  directory: string,
  { root, bring, include }: Environment,
  { movesPlaces, last }: { movesPlaces: boolean; last: string | undefined },
): void {
  let bytes = 0;
  for (const path of include) {
    const entry = treeFiles.entry(root, path);
    if (entry?.kind !== 'file') continue;
    bytes += entry.size;
    if (bytes > mostIncludedBytes) break;
    treeFiles.write(directory, path, treeFiles.read(root, path, { limit: mostIncludedBytes }));
  }
  for (const path of bring) {
    const [from, to] = [join(root, path), join(directory, path)];
    if (isNodeModules(path)) {
      const stamp = packageStamp(root, path, movesPlaces);
      if (last && takeLinks(join(last, path), to, stamp)) continue;
      linkPackages({ root, from: path, to, target: movesPlaces ? '.sylk/node_modules' : from });
      state.write(join(to, stampFile), stamp);
    } else if (!movesPlaces && !state.exists(to)) state.addLink(to, from);
  }
}

const isNodeModules = (path: string) => basename(path) === 'node_modules';

/** Says which packages the links of a copy lead to. */
const stampFile = '.sylk/links';
const packageStamp = (root: string, path: string, movesPlaces: boolean): string =>
  [path, join(path, '.package-lock.json')]
    .map((name) => treeFiles.entry(root, name)?.mark ?? '')
    .concat(String(movesPlaces))
    .join(' ');

/** Hundreds of links are moved from a copy that goes, where they lead to the same packages; caches of tools are not. */
function takeLinks(from: string, to: string, stamp: string): boolean {
  if (state.readText(join(from, stampFile)) !== stamp) return false;
  state.makeDirectory(dirname(to));
  try {
    state.move(from, to);
  } catch {
    // Another check was faster.
    return false;
  }
  for (const name of caches) state.remove(join(to, name));
  return true;
}

/** Where installed packages are seen in a copy. Tools write caches among the packages of Node: there each package is a link. */
export const placesOf = ({ root, bring }: Environment) =>
  bring.map((path) => ({
    from: join(root, path),
    at: join(root, isNodeModules(path) ? join(path, '.sylk', 'node_modules') : path),
  }));

/** `target` is where the packages really are, as seen from `to`. */
function linkPackages({
  root,
  from,
  to,
  target,
}: {
  root: string;
  from: string;
  to: string;
  target: string;
}): void {
  state.makeDirectory(to);
  if (isNodeModules(from)) state.makeDirectory(join(to, '.sylk', 'node_modules'));
  for (const { name } of treeFiles.list(root, from)) {
    if (state.exists(join(to, name)) || caches.has(name)) continue;
    // A link to a package of the same repository leads to that package in the copy.
    const own = treeFiles.linkText(root, join(from, name));
    if (own !== undefined || !name.startsWith('@')) state.addLink(join(to, name), own ?? join(target, name));
    else {
      const below = isAbsolute(target) ? join(target, name) : join('..', target, name);
      linkPackages({ root, from: join(from, name), to: join(to, name), target: below });
    }
  }
}

const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest']);

/** The copies used last stay: a base is compared with again and again. */
const oldCopies = (trees: string, checks: Checks): string[] =>
  state
    .list(trees)
    .filter((entry) => entry.isDirectory() && !checks.isHeld(entry.name))
    .map(({ name }) => ({ name, used: state.entry(join(trees, name))?.modified ?? 0 }))
    .sort((a, b) => b.used - a.used)
    .slice(keptCopies - 1)
    .map(({ name }) => name);

function removeCopy(directory: string): void {
  state.remove(directory);
  state.remove(`${directory}.index`);
}
