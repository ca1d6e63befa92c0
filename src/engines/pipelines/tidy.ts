import type { Git } from '../../base/git/index.ts';
import { type RunState, runHasEnded } from '../orchestrator/index.ts';
import type { NodeTrees } from '../worktrees/index.ts';
import { findCommit, leftRef, nodeBaseRef } from './run-refs.ts';

/** Removes the trees of a run that has ended. What lies in one is committed first, so that a node can be tried again from there. */
export async function tidyRun(
  { git, trees }: { git: Git; trees: NodeTrees },
  state: RunState,
): Promise<void> {
  if (!runHasEnded(state)) return;
  const { run } = state;
  for (const { id: node } of state.nodes) {
    if (!trees.has({ run, node })) continue;
    const base = await findCommit(git, nodeBaseRef(run, node));
    if (base !== '') {
      const tree = await trees.open({ run, node, base });
      await tree.commit(`Left by ${node} in ${run}\n`, leftRef(run, node));
    }
    await trees.remove({ run, node });
  }
}
