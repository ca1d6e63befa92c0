import { join } from 'node:path';
import { structuredPatch } from 'diff';
import { SylkError } from '../../base/errors.ts';
import { state, tree } from '../../base/files/index.ts';
import { createGit, type Git, type Repository, readObjects, requireRevision } from '../../base/git/index.ts';

export interface ChangedFile {
  path: string;
  /** Where it was before, if it moved. */
  from?: string;
  status: 'added' | 'modified' | 'deleted';
  /** As git writes them: 100644, 100755, 120000 for a link, 160000 for a submodule. */
  modes?: [before: string, after: string];
  /** Object after the change. */
  id?: string;
  /** Text before and after; undefined where there was none, or none that can be read as text. */
  before?: string;
  after?: string;
  /** Numbers of the lines after the change that it added or rewrote. */
  lines: Set<number>;
}

export interface Change {
  base: { commit: string; tree: string; label: string };
  /** Everything in the working tree that git does not ignore, as a tree. */
  tree: string;
  files: ChangedFile[];
  /** git with an object store of its own: nothing is written into the repository. */
  git: Git;
}

/** Several checks of one process each have an index of their own. */
let opened = 0;

const mostFiles = 500;
const mostBytes = 1_000_000;
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What the working tree, or a commit, holds that its base does not. */
export async function readChange(
  { git: plain, repository, scratch }: { git: Git; repository: Repository; scratch: string },
  {
    base: wanted,
    commit,
    files,
  }: { base?: string | undefined; commit?: string | undefined; files?: string[] | undefined },
): Promise<Change> {
  state.makeDirectory(join(scratch, 'objects'));
  const git = createGit(repository.root, {
    repository,
    env: {
      GIT_INDEX_FILE: join(scratch, `index-${process.pid}-${++opened % 100}`),
      GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository.commonDirectory, 'objects'),
    },
  });
  const head = await commitOf(plain, commit === undefined ? 'HEAD' : requireRevision(commit));
  if (commit !== undefined && head === '') throw unknownCommit(commit, '--commit');
  const tree =
    commit === undefined
      ? await writeTree(plain, git, head)
      : await plain.text(['rev-parse', `${head}^{tree}`]);
  const base = await chooseBase(plain, { head, tree, wanted });
  const changed = await compareTrees(git, base.tree, tree);
  const wantedFiles = files && new Set(files);
  return { base, tree, files: changed.filter(({ path }) => wantedFiles?.has(path) ?? true), git };
}

const commitOf = async (git: Git, name: string): Promise<string> =>
  (await git.text(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { accept: [1, 128] })).trim();

const unknownCommit = (name: string, option: '--base' | '--commit') =>
  new SylkError('NOT_FOUND', `There is no commit ${JSON.stringify(name)}.`, {
    hint: `Give a branch, a tag or a commit: sylk check ${option} main.`,
  });

async function writeTree(plain: Git, git: Git, head: string): Promise<string> {
  const [changed, staged, flagged] = await Promise.all([
    plain.list(['ls-files', '-z', '--modified', '--others', '--exclude-standard', '--deduplicate']),
    plain.list(['diff', '--cached', '--name-only', '-z', '--no-renames'], { accept: [128] }),
    plain.list(['ls-files', '-z', '-v', '--cached']),
    git.run(['read-tree', head === '' ? '--empty' : head]),
  ]);
  // git was told to take these for unchanged. They are judged as they are; what a sparse checkout leaves out is not gone.
  const hidden = flagged.flatMap((line) => {
    const [letter = '', path] = [line[0], line.slice(2)];
    const isThere = /[a-z]/.test(letter) || (letter === 'S' && tree.entry(git.directory, path) !== undefined);
    return isThere ? [path] : [];
  });
  const paths = [...new Set([...changed, ...staged, ...hidden])].filter((path) => !path.endsWith('/'));
  const special = paths.find((path) => tree.entry(git.directory, path)?.kind === 'special');
  if (special !== undefined)
    throw new SylkError('DENIED', `${special} is a pipe or a device in place of a file.`, {
      hint: 'Nothing was checked. Remove it, or put the file back with `git restore`.',
    });
  await git.run(['update-index', '--add', '--remove', '-z', '--stdin'], {
    input: paths.map((path) => `${path}\0`).join(''),
  });
  return git.text(['write-tree']);
}

const mainLines = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/** A branch is compared with where it left the main line; the main line with its last commit, or the one before it. */
async function chooseBase(
  git: Git,
  { head, tree, wanted }: { head: string; tree: string; wanted: string | undefined },
): Promise<Change['base']> {
  const baseOf = async (commit: string, label: string) => ({
    commit,
    tree: await git.text(['rev-parse', `${commit}^{tree}`]),
    label,
  });
  const fork = async (name: string) =>
    head === '' ? '' : (await git.text(['merge-base', name, head], { accept: [1, 128] })).trim();
  if (wanted !== undefined) {
    const commit = await commitOf(git, requireRevision(wanted));
    if (commit === '') throw unknownCommit(wanted, '--base');
    const shared = (await fork(commit)) || commit;
    return baseOf(shared, shared === commit ? wanted : `where this branch left ${wanted}`);
  }
  const refs = await git.text(['for-each-ref', '--format=%(refname) %(objectname)', ...mainLines]);
  const commits = new Map([...refs.matchAll(/^(\S+) (\S+)$/gm)].map(([, name, commit]) => [name, commit]));
  const forks = await Promise.all(
    mainLines.map(async (name) => {
      const commit = commits.get(name);
      return { name, shared: commit && commit !== head ? await fork(commit) : '' };
    }),
  );
  const left = forks.find(({ shared }) => shared !== '' && shared !== head);
  if (left)
    return baseOf(left.shared, `where this branch left ${left.name.replace(/^refs\/(heads|remotes)\//, '')}`);
  if (head === '') return { commit: '', tree: emptyTree, label: 'an empty repository' };
  const last = await baseOf(head, 'the last commit');
  if (last.tree !== tree) return last;
  const parent = await commitOf(git, `${head}^`);
  return parent
    ? baseOf(parent, 'the commit before the last')
    : { commit: '', tree: emptyTree, label: 'nothing' };
}

async function compareTrees(git: Git, before: string, after: string): Promise<ChangedFile[]> {
  const raw = await git.list(['diff-tree', '-r', '-z', '-M', '--raw', before, after]);
  const rows: Array<{
    path: string;
    from?: string;
    status: ChangedFile['status'];
    modes: [string, string];
    old: string;
    now: string;
  }> = [];
  for (let at = 0; at < raw.length; ) {
    const [oldMode = '', mode = '', old = '', now = '', letter = ''] = (raw[at++] ?? '').slice(1).split(' ');
    const path = raw[at++] ?? '';
    const moved = /^[RC]/.test(letter) ? raw[at++] : undefined;
    const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
    rows.push({
      path: moved ?? path,
      from: moved === undefined ? undefined : path,
      status,
      modes: [oldMode, mode],
      old,
      now,
    });
  }
  const texts = await readTexts(
    git,
    rows.slice(0, mostFiles).flatMap(({ old, now }) => [old, now]),
  );
  return rows.map(({ old, now, ...row }) => {
    const [textBefore, textAfter] = [texts.get(old), texts.get(now)];
    return {
      ...row,
      id: now,
      before: textBefore,
      after: textAfter,
      lines: changedLines(textBefore, textAfter),
    };
  });
}

async function readTexts(git: Git, ids: string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => !/^0+$/.test(id));
  const texts = new Map<string, string>();
  if (wanted.length === 0) return texts;
  const sizes = (
    await git.text(['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], {
      input: `${wanted.join('\n')}\n`,
    })
  ).split('\n');
  const small = sizes.flatMap((line) => {
    const [id = '', type, size] = line.split(' ');
    return type === 'blob' && Number(size) <= mostBytes ? [id] : [];
  });
  for (const [id, bytes] of await readObjects(git, small))
    if (!bytes.includes(0)) texts.set(id, bytes.toString('utf8'));
  return texts;
}

function changedLines(before: string | undefined, after: string | undefined): Set<number> {
  const lines = new Set<number>();
  if (after === undefined) return lines;
  const { hunks } = structuredPatch('', '', before ?? '', after, '', '', { context: 0 });
  for (const { newStart, newLines } of hunks) for (let at = 0; at < newLines; at++) lines.add(newStart + at);
  return lines;
}

/** Changed files that are now exactly what they were before the base: the change takes back the last commit there. */
export async function revertedFiles({ git, base, files }: Change): Promise<string[]> {
  if (base.commit === '') return [];
  const rows = await git.list(['ls-tree', '-r', '-z', '--full-tree', `${base.commit}^`], { accept: [128] });
  const earlier = new Set(rows.map((row) => row.replace(/^\d+ \w+ (\w+)\t/, '$1 ')));
  return files.flatMap(({ path, id, status }) =>
    status === 'modified' && earlier.has(`${id} ${path}`) ? [path] : [],
  );
}

/** The base with some files as they are now: a tree. */
export const baseWith = ({ git, base, tree }: Change, paths: string[]): Promise<string> =>
  mixTrees(git, base.tree, tree, paths);

/** A tree in which some files have other texts. */
export async function withTexts(
  git: Git,
  tree: string,
  files: Array<{ path: string; text: string }>,
): Promise<string> {
  await git.run(['read-tree', tree]);
  for (const { path, text } of files) {
    const id = await git.text(['hash-object', '-w', '--stdin'], { input: text });
    await git.run(['update-index', '-z', '--index-info'], { input: `100644 ${id.trim()}\t${path}\0` });
  }
  return git.text(['write-tree']);
}

/** A tree with some files taken from another one, or gone where that has none. */
export async function mixTrees(git: Git, into: string, from: string, paths: string[]): Promise<string> {
  await git.run(['read-tree', into]);
  await git.run(['update-index', '--force-remove', '-z', '--stdin'], {
    input: paths.map((path) => `${path}\0`).join(''),
  });
  const rows = await git.list([
    '--literal-pathspecs',
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    from,
    '--',
    ...paths,
  ]);
  await git.run(['update-index', '-z', '--index-info'], { input: rows.map((row) => `${row}\0`).join('') });
  return git.text(['write-tree']);
}
