import { join } from 'node:path';
import { SylkError } from '../../../base/errors.ts';
import { state } from '../../../base/files/index.ts';
import { type Git, requireRevision } from '../../../base/git/index.ts';
import type { GitRemote } from './git-remote.ts';

export interface TreeEntry {
  mode: string;
  object: string;
  path: string;
}

/** The commit of a branch, a tag or HEAD, and the default branch. Nothing is downloaded. */
export async function resolveRef(
  remote: GitRemote,
  directory: string,
  ref: string | undefined,
): Promise<{ commit: string; branch: string }> {
  const wanted = ref === undefined ? 'HEAD' : requireRevision(ref);
  const git = remote.git(directory);
  const told = await git.text(
    [...remote.settings, 'ls-remote', '--symref', '--', remote.url, 'HEAD', wanted, `${wanted}^{}`],
    {
      timeoutMs: 60_000,
    },
  );
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(told)?.[1] ?? '';
  const lines = told
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([object]) => /^[0-9a-f]{40,64}$/.test(object ?? ''));
  const named = (name: string) => lines.find(([, refName]) => refName === name)?.[0];
  const commit =
    wanted === 'HEAD'
      ? named('HEAD')
      : (named(`refs/tags/${wanted}^{}`) ??
        named(`refs/heads/${wanted}`) ??
        named(`refs/tags/${wanted}`) ??
        named(wanted));
  if (commit) return { commit, branch: ref ?? branch };
  if (ref && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(ref)) return { commit: ref, branch };
  throw new SylkError('NOT_FOUND', `${remote.name} has no branch or tag ${JSON.stringify(wanted)}.`, {
    hint: branch ? `Its default branch is ${branch}.` : 'Omit ref to use the default branch.',
    data: { reason: 'unknown_ref' },
  });
}

export interface BareCopy {
  git: Git;
  directory: string;
  commit: string;
  entries(): Promise<TreeEntry[]>;
  remove(): void;
}

export interface CopyLimits {
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** One commit without its contents, in our own bare repository: nothing is checked out, no filter or hook runs. */
export async function copyTree(
  remote: GitRemote,
  commit: string,
  parent: string,
  limits: CopyLimits,
): Promise<BareCopy> {
  const directory = state.temporaryDirectory('git-', parent);
  const copy = bareCopy(remote, directory, commit);
  try {
    const hash = commit.length === 64 ? 'sha256' : 'sha1';
    const init = ['init', '-q', '--bare', `--object-format=${hash}`, '--template=', '.'];
    await remote.git(directory).run(init);
    await download(
      copy.git,
      directory,
      [
        ...remote.settings,
        ...origin(remote.url),
        'fetch',
        ...quiet,
        '--depth=1',
        '--filter=blob:none',
        'origin',
        commit,
      ],
      '',
      limits,
    );
    return copy;
  } catch (error) {
    copy.remove();
    throw error;
  }
}

/** The remote, passed with each command instead of being configured. */
const origin = (url: string): string[] =>
  [`url=${url}`, 'promisor=true', 'partialclonefilter=blob:none'].flatMap((set) => [
    '-c',
    `remote.origin.${set}`,
  ]);

export function bareCopy(remote: GitRemote, directory: string, commit: string): BareCopy {
  const git = bindDirectory(remote.git(directory), directory);
  return {
    git,
    directory,
    commit,
    entries: () => listTree(git, commit),
    remove: () => state.remove(directory),
  };
}

const quiet = [
  '-q',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--recurse-submodules=no',
];

/** Fetches all missing contents in one request; one by one would take forever. */
export async function fetchContents(
  copy: BareCopy,
  remote: GitRemote,
  objects: string[],
  limits: CopyLimits,
): Promise<void> {
  // Missing contents are listed without being fetched; a server that cannot filter sent them all.
  const listed = await copy.git.run(['rev-list', '--objects', '--missing=print', copy.commit], {
    maxOutputBytes: 512 * 1024 * 1024,
    timeoutMs: limits.timeoutMs,
  });
  const absent = new Set(
    [...listed.stdout.toString('latin1').matchAll(/^\?([0-9a-f]+)$/gm)].map(([, object]) => object),
  );
  const missing = objects.filter((object) => absent.has(object));
  if (missing.length === 0) return;
  const args = [
    ...remote.settings,
    ...origin(remote.url),
    '-c',
    'fetch.negotiationAlgorithm=noop',
    'fetch',
    ...quiet,
    '--filter=blob:none',
    '--stdin',
    'origin',
  ];
  await download(copy.git, copy.directory, args, `${missing.join('\n')}\n`, limits);
}

/** git has no download limit; the pack on disk is watched and the process ended when it grows too large. */
async function download(
  git: Git,
  directory: string,
  args: string[],
  input: string,
  limits: CopyLimits,
): Promise<void> {
  const stop = new AbortController();
  let tooLarge = false;
  const watch = setInterval(() => {
    if (packBytes(directory) <= limits.maxBytes) return;
    tooLarge = true;
    stop.abort();
  }, 250);
  const signal = limits.signal ? AbortSignal.any([limits.signal, stop.signal]) : stop.signal;
  const refuse = () => {
    throw new SylkError(
      'BUDGET_EXCEEDED',
      `The repository is larger than ${Math.round(limits.maxBytes / 1e6)} MB.`,
      {
        hint: 'Request less with `paths`, or raise references.max_megabytes in your own config file.',
        data: { reason: 'too_large' },
      },
    );
  };
  try {
    await git.run(args, { input, timeoutMs: limits.timeoutMs, signal });
  } catch (error) {
    if (tooLarge) refuse();
    throw error;
  } finally {
    clearInterval(watch);
  }
  if (packBytes(directory) > limits.maxBytes) refuse();
}

function packBytes(directory: string): number {
  const folder = join(directory, 'objects', 'pack');
  return state.list(folder).reduce((sum, { name }) => sum + (state.entry(join(folder, name))?.size ?? 0), 0);
}

async function listTree(git: Git, commit: string): Promise<TreeEntry[]> {
  const listed = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit], {
    maxOutputBytes: 512 * 1024 * 1024,
  });
  const entries: TreeEntry[] = [];
  for (const line of listed.stdout.toString('utf8').split('\0')) {
    const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? [];
    if (mode && object && path) entries.push({ mode, object, path });
  }
  return entries;
}

function bindDirectory(git: Git, directory: string): Git {
  const lead = [`--git-dir=${directory}`];
  return {
    ...git,
    run: (args, options) => git.run([...lead, ...args], options),
    text: (args, options) => git.text([...lead, ...args], options),
    list: (args, options) => git.list([...lead, ...args], options),
    glance: (args, input) => git.glance([...lead, ...args], input),
    stream: (args, options) => git.stream([...lead, ...args], options),
  };
}
