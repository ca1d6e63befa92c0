import { SylkError } from '../../../base/errors.ts';
import type { Git } from '../../../base/git/index.ts';

export interface TreeEntry {
  path: Buffer;
  gitlink: boolean;
}

export const howToMend =
  'Run `git fsck` to see what is damaged, if you trust the remote `git fetch --refetch` (in a partial clone with `--no-filter`) to get it from there, then `sylk index`.';

/** Every file of a commit's tree. */
export async function readTree(git: Git, commit: string, signal?: AbortSignal): Promise<TreeEntry[]> {
  const { code, stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit], {
    maxOutputBytes: 1 << 27,
    timeoutMs: 600_000,
    accept: [128],
    signal,
  });
  if (code !== 0)
    throw new SylkError('UNAVAILABLE', `The files of commit ${commit} are missing or damaged.`, {
      hint: howToMend,
    });
  const entries: TreeEntry[] = [];
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0, at);
    const tab = stdout.indexOf(9, at);
    entries.push({
      path: stdout.subarray(tab + 1, end),
      gitlink: stdout[at] === 0x31 && stdout[at + 1] === 0x36,
    });
    at = end + 1;
  }
  return entries;
}

/** Paths in the tree of `to` but not in that of `from`, and the reverse. Submodules are not files. */
export async function readTreeChanges(git: Git, from: string, to: string, signal?: AbortSignal) {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to], {
    maxOutputBytes: 1 << 27,
    timeoutMs: 600_000,
    signal,
  });
  const appeared: Buffer[] = [];
  const vanished: Buffer[] = [];
  const isFile = (mode: string) => mode !== '000000' && mode !== '160000';
  for (let at = 0; at < stdout.length; ) {
    const middle = stdout.indexOf(0, at);
    const end = stdout.indexOf(0, middle + 1);
    const before = isFile(stdout.toString('latin1', at + 1, at + 7));
    const after = isFile(stdout.toString('latin1', at + 8, at + 14));
    if (after && !before) appeared.push(stdout.subarray(middle + 1, end));
    if (before && !after) vanished.push(stdout.subarray(middle + 1, end));
    at = end + 1;
  }
  return { appeared, vanished };
}
