import type { Clock } from '../../base/clock.ts';
import type { Git } from '../../base/git/index.ts';
import type { Runs } from '../../stores/runs/index.ts';
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

/** Long enough for a process whose run has ended to remove the trees itself. */
const graceMilliseconds = 60_000;

/** Removes the trees of runs whose process was killed after they had ended: nobody goes on with those. */
export async function tidyEnded({
  runs,
  clock,
  ...parts
}: {
  git: Git;
  trees: NodeTrees;
  runs: Runs<RunState>;
  clock: Clock;
}): Promise<void> {
  const withTrees = new Set(parts.trees.runs());
  if (withTrees.size === 0) return;
  for (const { id, updated_at } of await runs.list({ limit: 1000 }))
    if (withTrees.has(id) && Number(updated_at) < clock.now() - graceMilliseconds)
      await tidyRun(parts, await runs.state(id));
}
