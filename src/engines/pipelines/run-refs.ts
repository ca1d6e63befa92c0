import type { Git } from '../../base/git/index.ts';
import type { Command } from '../../stores/runs/index.ts';
import type { HeldRefs, RunRefs } from '../worktrees/index.ts';

type Holder = { run: string; epoch: number };

// No node is called like these: ids begin with a letter or a digit.

/** The commit that a run starts from. */
export const baseRef = (run: string): string => `refs/sylk/${run}/_base`;
/** What is merged of a run so far. It moves only from one judged commit to the next. */
export const tipRef = (run: string): string => `refs/sylk/${run}/_tip`;
/** The commit that the tree of a node is made from. */
export const nodeBaseRef = (run: string, node: string): string => `refs/sylk/${run}/${node}/_base`;
/** What lay in the tree of a node when its run ended, where that was not merged. */
export const leftRef = (run: string, node: string): string => `refs/sylk/${run}/${node}/_left`;
/** The work of a node that could not be merged as it was. */
export const conflictRef = (run: string, node: string): string => `refs/sylk/${run}/${node}/_conflict`;
/** A merge that is being judged. */
export const candidateRef = (run: string, name: string): string => `refs/sylk/${run}/_candidate-${name}`;

export const commitOf = (git: Git, name: string): Promise<string> =>
  git.text(['rev-parse', '--verify', `${name}^{commit}`]);

/** '' where nothing has that name. */
export const findCommit = (git: Git, name: string): Promise<string> =>
  git.text(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { accept: [1] });

export const readTip = async (git: Git, run: string): Promise<string> =>
  (await findCommit(git, tipRef(run))) || commitOf(git, baseRef(run));

/** What a command may write, by whoever carries it out: refs of its node, or of the branch of the run. */
export const holdRefs = (
  refs: RunRefs,
  { id, node, kind }: Command,
  { run, epoch }: Holder,
): Promise<HeldRefs> =>
  refs.hold({
    run,
    key: (kind === 'work' && node) || '_branch',
    number: Number(id.split(':')[1]),
    epoch,
  });

export const isAncestor = async (git: Git, older: string, newer: string): Promise<boolean> =>
  (await git.run(['merge-base', '--is-ancestor', older, newer], { accept: [1] })).code === 0;

/** What the node had done when its leg was last saved, by any holder of it; '' where it was not. */
export async function lastCheckpoint(
  git: Git,
  { run, node, leg }: { run: string; node: string; leg: number },
): Promise<string> {
  const format = '--format=%(objectname)';
  const names = `refs/sylk/${run}/${node}/${leg}-*`;
  const found = await git.text(['for-each-ref', format, '--sort=-version:refname', '--count=1', names]);
  return found;
}
