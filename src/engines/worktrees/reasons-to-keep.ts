import { person } from '../../base/files/index.ts';
import { createGit, type Git } from '../../base/git/index.ts';

interface Worktree {
  branch: string | undefined;
  locked: boolean;
}

const blocksOf = async (main: Git): Promise<string[][]> =>
  (await main.run(['worktree', 'list', '--porcelain', '-z'])).stdout
    .toString('utf8')
    .split('\0\0')
    .map((block) => block.split('\0'));

/** Where git says that a branch is checked out. */
export async function placeOfBranch(main: Git, branch: string): Promise<string | undefined> {
  const block = (await blocksOf(main)).find((lines) => lines.includes(`branch refs/heads/${branch}`));
  return block?.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
}

/** git's record of a working tree; undefined if there is none at that place. */
export async function findWorktree(main: Git, path: string): Promise<Worktree | undefined> {
  const lines = (await blocksOf(main)).find((block) => block.includes(`worktree ${path}`));
  if (!lines) return undefined;
  return {
    branch: lines.find((line) => line.startsWith('branch refs/heads/'))?.slice('branch refs/heads/'.length),
    locked: lines.some((line) => line === 'locked' || line.startsWith('locked ')),
  };
}

/** Why a working tree must not be removed; empty if nothing on disk or in git would be lost. */
export async function reasonsToKeep({
  main,
  found,
  worktree,
  branch,
  base,
}: {
  main: Git;
  found: Worktree | undefined;
  worktree: string;
  branch: string;
  base: string;
}): Promise<string[]> {
  if (!found) return ['git does not list it'];
  if (!person.exists(worktree)) return ['its directory is missing'];
  const reasons: string[] = [];
  if (found.locked) reasons.push('it is locked');
  if (found.branch === undefined) reasons.push('its HEAD is detached');
  else if (found.branch !== branch) reasons.push(`another branch is checked out in it (${found.branch})`);
  const git = createGit(worktree);
  const staged = await git.list(['ls-files', '-z', '--stage']);
  if (staged.some((line) => line.startsWith('160000 '))) reasons.push('it has submodules');
  const status = await git.list(['status', '--porcelain', '--ignored', '-z']);
  const kinds = new Set(status.map((line) => line.slice(0, 2)));
  if (kinds.delete('??')) reasons.push('it has untracked files');
  if (kinds.delete('!!')) reasons.push('it has ignored files');
  if (kinds.size > 0) reasons.push('it has uncommitted changes');
  const stashes = await main.text(['stash', 'list', '--format=%gs']);
  if (stashes.split('\n').some((line) => line.includes(` ${branch}:`))) reasons.push('it has stashed work');
  const { code, stdout } = await main.run(['rev-list', '--count', `${base}..${branch}`], { accept: [128] });
  if (code !== 0) reasons.push(`${base} or ${branch} does not exist`);
  else if (stdout.toString('utf8').trim() !== '0') reasons.push(`it has commits that are not in ${base}`);
  return reasons;
}
