import { isAbsolute, relative } from 'node:path';
import { isWithin, resolveInside, tree } from '../../base/files/index.ts';
import { type Git, readObjects } from '../../base/git/index.ts';

/** The current files of a project: on disk (committed or not), or in a tree of a bare repository. */
export interface ProjectFiles {
  /** Paths relative to the root, with `/`, in code-point order, without files that git ignores. */
  list(): Promise<string[]>;
  /** Text of a file; undefined if missing, too large or not text. */
  read(path: string): Promise<string | undefined>;
  /** The same for many files; those without a text are missing. */
  readAll(paths: string[]): Promise<Map<string, string>>;
  /** Name of the branch, or the commit if HEAD is detached. */
  branch(): Promise<string>;
  /** Whether a path exists, ignored or not; for installed programs. */
  exists(path: string): boolean;
  /** Changes with the file; undefined if it does not exist. */
  stamp(path: string): Promise<FileStamp | undefined>;
  /** Whether git would list the file: tracked, or new and not ignored. */
  isListed(path: string): Promise<boolean>;
  /** Files that contain one of these texts literally. */
  holding(texts: string[]): Promise<string[]>;
}

export interface FileStamp {
  mark: string;
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

const maxBytes = 16_000_000;

export function worktreeFiles(git: Git, root: string): ProjectFiles {
  const read = (path: string) => {
    try {
      return asText(tree.read(root, path, { limit: maxBytes }));
    } catch {
      // Missing, too large or a link: callers skip it by contract.
      return undefined;
    }
  };
  return {
    list: () =>
      listFrom(git, ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']),
    read: async (path) => read(path),
    readAll: async (paths) => textsOf(paths, read),
    branch: () => branchOf(git),
    exists: (path) => tree.entry(root, path) !== undefined,
    stamp: async (path) => {
      const found = tree.entry(root, path);
      if (found?.kind !== 'file') return undefined;
      return { mark: found.mark, size: found.size, modifiedAt: found.modified };
    },
    isListed: async (path) => {
      const options = ['--literal-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
      return (await git.list([...options, '--', path])).includes(path);
    },
    holding: (texts) => holding(git, ['--untracked'], texts),
  };
}

/** For a bare repository: the files of HEAD. */
export function treeFiles(git: Git, revision = 'HEAD'): ProjectFiles {
  let listed: Map<string, string> | undefined;
  const list = async () => {
    const rows = await listFrom(git, ['ls-tree', '-r', '-z', '--full-tree', revision]);
    listed = new Map(
      rows.flatMap((row) => {
        const [, object = '', path = ''] = /^\d+ \w+ (\w+)\t(.*)$/s.exec(row) ?? [];
        return path === '' ? [] : [[path, object] as const];
      }),
    );
    return [...listed.keys()].sort();
  };
  const readAll = async (paths: string[]) => {
    if (!listed) await list();
    const objects = new Map(
      paths.flatMap((path) => {
        const object = listed?.get(path);
        return object ? [[path, object] as const] : [];
      }),
    );
    const contents = await readObjects(git, [...objects.values()]);
    return textsOf(paths, (path) => {
      const bytes = contents.get(objects.get(path) ?? '');
      return bytes && bytes.length <= maxBytes ? asText(bytes) : undefined;
    });
  };
  return {
    list,
    read: async (path) => (await readAll([path])).get(path),
    readAll,
    branch: () => branchOf(git),
    exists: () => false,
    stamp: async (path) => {
      const [line] = await git.list(['ls-tree', '-z', '-l', '--full-tree', revision, '--', path]);
      const found = /^\d+ blob (\w+)\s+(\d+)\t/.exec(line ?? '');
      return found?.[1] ? { mark: found[1], size: Number(found[2]), modifiedAt: 0 } : undefined;
    },
    isListed: async () => true,
    holding: async (texts) =>
      (await holding(git, [], texts, revision)).map((path) => path.slice(revision.length + 1)),
  };
}

function textsOf(paths: string[], read: (path: string) => string | undefined): Map<string, string> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = read(path);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

async function holding(git: Git, options: string[], texts: string[], revision?: string): Promise<string[]> {
  const patterns = texts.flatMap((text) => ['-e', text]);
  const args = ['grep', '-l', '-z', '-I', '-F', ...options, ...patterns, ...(revision ? [revision] : [])];
  const { stdout } = await git.run(args, { accept: [1], maxOutputBytes: 1 << 26 });
  return stdout.toString('utf8').split('\0').filter(Boolean);
}

async function listFrom(git: Git, args: string[]): Promise<string[]> {
  return (await git.list(args, { maxOutputBytes: 1 << 28 })).sort();
}

async function branchOf(git: Git): Promise<string> {
  const name = await git.run(['symbolic-ref', '--short', '-q', 'HEAD'], { accept: [1] });
  const branch = name.stdout.toString('utf8').trim();
  if (branch) return branch;
  const commit = await git.run(['rev-parse', '--verify', '-q', 'HEAD'], { accept: [1] });
  return commit.stdout.toString('utf8').trim();
}

function asText(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8000).includes(0)) return undefined;
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Turns a path as agents give it (absolute inside the root, `./x`, `x/`) into one relative to the root; '' is the root. */
export function belowRoot(root: string, given: string): string {
  const inner = isAbsolute(given) && isWithin(root, given) ? relative(root, given) : given;
  const clean = inner
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '');
  if (clean === '' || clean === '.') return '';
  resolveInside(root, clean);
  return clean;
}
