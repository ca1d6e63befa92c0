import type { Git } from '../../base/git/index.ts';
import type { Command, Outcome } from '../../stores/runs/index.ts';
import type { Execution } from '../execution/index.ts';
import type { RunState } from '../orchestrator/index.ts';
import { commitLike, type HeldRefs, mergeCommits, moveRef } from '../worktrees/index.ts';
import { type JudgeContext, judge, wholeRun } from './judging.ts';
import { branchOf } from './one-node.ts';
import { candidateRef, findCommit, isAncestor, readTip } from './run-refs.ts';
import type { CheckoutWatch } from './watched.ts';

/**
 * Makes the run one with a branch of the person, as that branch is now, and lets the project's tools judge both together. A branch
 * that is checked out somewhere is left to its owner, who gets the commit to move it to. The run's own branch never moves: the
 * commits of one branch must not come along to the next one.
 */
export async function landRun(
  context: JudgeContext,
  { message: target = '' }: Command,
  run: Pick<Execution<RunState>, 'run' | 'signal' | 'readState'>,
  checkout: Pick<CheckoutWatch, 'around'>,
): Promise<Outcome<'land'>> {
  const { git } = context;
  const state = await run.readState();
  const ref = `refs/heads/${target}`;
  const onto = await findCommit(git, ref);
  if (onto === '') return { result: 'broken', message: `There is no branch ${target}.` };
  const tip = await readTip(git, run.run);
  if (await isAncestor(git, tip, onto)) return { result: 'merged', commit: onto };
  const candidate = await joined(git, { tip, onto, branch: branchOf(state), target });
  if ('conflicts' in candidate)
    return {
      result: 'conflict',
      text: `${target} was changed meanwhile, in the same lines of ${candidate.conflicts.join(', ')}. Nothing was changed. Merge ${branchOf(state)} by hand, or tell the run to build on ${target}.`,
    };
  const { commit } = candidate;
  if (commit !== tip) {
    await git.run(['update-ref', candidateRef(run.run, 'land'), commit]);
    for (const gate of ['inspector', 'tester'] as const) {
      const outcome = await judge(context, run, { gate, node: wholeRun, commit, base: onto });
      if (outcome.result === 'findings') return { result: 'red', text: outcome.text };
      if (outcome.result !== 'passed') return outcome;
    }
  }
  if (await isCheckedOut(git, target)) return { result: 'merged', commit };
  return (await checkout.around(run.run, `${target} was moved`, () => moveRef(git, ref, commit, onto)))
    ? { result: 'merged', commit }
    : { result: 'broken', message: `${target} was moved meanwhile. Try again.` };
}

async function joined(
  git: Git,
  { tip, onto, branch, target }: { tip: string; onto: string; branch: string; target: string },
): Promise<{ commit: string } | { conflicts: string[] }> {
  if (await isAncestor(git, onto, tip)) return { commit: tip };
  const { tree, conflicts } = await mergeCommits(git, onto, tip);
  if (conflicts.length > 0) return { conflicts };
  const message = () => `Merge branch '${branch}' into ${target}`;
  return { commit: await commitLike(git, tip, { tree, parents: [onto, tip], message }) };
}

/** The branch of a run, for the person. It only ever moves forward, and never under somebody's files. */
export async function publishBranch(
  git: Git,
  refs: Pick<HeldRefs, 'move'>,
  branch: string,
  commit: string,
): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const now = await findCommit(git, ref);
  if (now === commit) return true;
  if (now !== '' && (!(await isAncestor(git, now, commit)) || (await isCheckedOut(git, branch))))
    return false;
  return refs.move(ref, commit, now);
}

export async function isCheckedOut(git: Git, branch: string): Promise<boolean> {
  const lines = await git.list(['worktree', 'list', '--porcelain', '-z']);
  return lines.includes(`branch refs/heads/${branch}`);
}
