import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { createGit, findRepository } from '../../base/git/index.ts';
import { openLibrary } from '../../base/library/index.ts';
import { openRuns, planSchema } from '../../stores/runs/index.ts';
import { decide, type RunState } from '../orchestrator/index.ts';
import { createNodeTrees, localRefs } from '../worktrees/index.ts';
import { proposeRun } from './index.ts';
import { nodeBaseRef } from './run-refs.ts';
import { tidyEnded } from './tidy.ts';

test('trees of a run whose process was killed after its end are removed by a later one, and what lay in them is kept', async () => {
  const repository = testRepository();
  const base = repository.commit('first', { 'a.txt': 'one\n' });
  const library = openLibrary({ url: join(temporaryDirectory('runs'), 'library.db') });
  onTestFinished(() => library.close());
  const clock = { now: () => 1_000_000 };
  const runs = openRuns<RunState>({ library, clock, decide });
  const git = createGit(repository.path);
  const trees = createNodeTrees({
    repository: findRepository(repository.path),
    directory: temporaryDirectory('trees'),
  });
  const plan = planSchema.parse({ prompt: 'x', nodes: [{ id: 'work', agent: 'engineer', prompt: 'x' }] });
  const begin = async () => {
    const { run } = await proposeRun(
      { runs, refs: localRefs(git) },
      { prompt: 'x', plan, session: 's', base, limits: {} },
    );
    await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, `start ${run}`);
    await git.run(['update-ref', nodeBaseRef(run, 'work'), base]);
    const tree = await trees.open({ run, node: 'work', base });
    writeFileSync(join(tree.directory, 'a.txt'), 'under way\n');
    return run;
  };
  const [goesOn, ended] = [await begin(), await begin()];
  await runs.move(ended, { type: 'cancelled' }, 'cancel');
  const [command] = (await runs.state(ended)).open;
  await runs.answer(command?.id ?? '', { result: 'stopped', cost: 0 });
  const left = () => [goesOn, ended].filter((run) => trees.has({ run, node: 'work' }));
  await tidyEnded({ git, trees, runs, clock });
  expect(left()).toEqual([goesOn, ended]);
  await tidyEnded({ git, trees, runs, clock: { now: () => 2_000_000 } });
  expect(left()).toEqual([goesOn]);
  expect(repository.git('show', `refs/sylk/${ended}/work/_left:a.txt`)).toBe('under way');
});
