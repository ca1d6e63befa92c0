import { person } from '../../base/files/index.ts';
import { createGit, type Git } from '../../base/git/index.ts';

interface Worktree {
  branch: string | undefined;
  locked: boolean;
}

/** What git knows of a working tree; nothing where it knows none at that place. */
export async function findWorktree(main: Git, path: string): Promise<Worktree | undefined> {
  const fields = (await main.run(['worktree', 'list', '--porcelain', '-z'])).stdout.toString('utf8');
  const block = fields.split('\0\0').find((each) => each.split('\0').includes(`worktree ${path}`));
  if (!block) return undefined;
  const lines = block.split('\0');
  return {
    branch: lines.find((line) => line.startsWith('branch refs/heads/'))?.slice('branch refs/heads/'.length),
    locked: lines.some((line) => line === 'locked' || line.startsWith('locked ')),
  };
}

/** Why a working tree must not go; none means that nothing on disk or in git is lost by it. */
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
  if (!found) return ['git does not know it'];
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
  if (kinds.delete('??')) reasons.push('it has files that git does not track');
  if (kinds.delete('!!')) reasons.push('it has ignored files');
  if (kinds.size > 0) reasons.push('it has changes that are not committed');
  const stashes = await main.text(['stash', 'list', '--format=%gs']);
  if (stashes.split('\n').some((line) => line.includes(` ${branch}:`))) reasons.push('work of it is stashed');
  const { code, stdout } = await main.run(['rev-list', '--count', `${base}..${branch}`], { accept: [128] });
  if (code !== 0) reasons.push(`${base} or ${branch} is gone`);
  else if (stdout.toString('utf8').trim() !== '0') reasons.push(`it has commits that are not in ${base}`);
  return reasons;
}
