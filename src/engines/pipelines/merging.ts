import type { Command, Outcome } from '../../stores/runs/index.ts';
import type { Execution } from '../execution/index.ts';
import type { RunState } from '../orchestrator/index.ts';
import {
  commitLike,
  type HeldRefs,
  lostLines,
  mergeCommits,
  mergeInverse,
  type NodeTrees,
  type RunRefs,
  treeOf,
} from '../worktrees/index.ts';
import { type JudgeContext, judge, noteDown } from './judging.ts';
import {
  baseRef,
  candidateRef,
  commitOf,
  conflictRef,
  findCommit,
  holdRefs,
  nodeBaseRef,
  readTip,
  tipRef,
} from './run-refs.ts';

export interface MergeContext extends JudgeContext {
  trees: NodeTrees;
  refs: RunRefs;
}

type Run = Pick<Execution<RunState>, 'run' | 'signal' | 'epoch'>;
const mostOfDiff = 8000;

/**
 * Merges a judged commit with what other nodes have brought meanwhile. The merge is built and judged apart; what is merged of the
 * run moves only when it is green, and only from the commit that was judged.
 */
export async function mergeNode(
  context: MergeContext,
  command: Command,
  run: Run,
): Promise<Outcome<'merge'>> {
  const { git, trees } = context;
  const { commit = '', node = '' } = command;
  const refs = await holdRefs(context.refs, command, run);
  const tip = await readTip(git, run.run);
  const finish = async (merged: string): Promise<Outcome<'merge'>> => {
    await trees.remove({ run: run.run, node });
    return { result: 'merged', commit: merged };
  };
  const earlier = await findMerged(context, run.run, commit);
  if (earlier) return finish(earlier);
  const name = { run: run.run, node };
  let candidate = commit;
  if ((await commitOf(git, `${commit}^`)) !== tip) {
    const { tree, conflicts } = await mergeCommits(git, tip, commit);
    if (conflicts.length > 0) {
      await sendBack(context, refs, name, { tip, commit });
      return { result: 'conflict', text: await conflictText(context, { tip, commit, conflicts }) };
    }
    if (tree === (await treeOf(git, tip))) return finish(tip);
    candidate = await commitLike(git, commit, {
      tree,
      parents: [tip],
      message: (said) => `${said}\nSylk-Commit: ${commit}`,
    });
    await git.run(['update-ref', candidateRef(run.run, node), candidate]);
    const outcome = await judge(context, run, { gate: 'merge', node, commit: candidate, base: tip });
    if (outcome.result === 'findings') {
      await sendBack(context, refs, name, { tip, commit });
      return { result: 'red', text: redText(outcome.text) };
    }
    if (outcome.result !== 'passed') return outcome;
  }
  await nameLostLines(context, name, { commit, tip, candidate });
  if (!(await refs.move(tipRef(run.run), candidate, await findCommit(git, tipRef(run.run)))))
    return { result: 'broken', message: `${tipRef(run.run)} was moved by somebody else.` };
  return finish(candidate);
}

/** The commit by which this one came in: a process may have ended between the merge and its answer. */
async function findMerged({ git }: MergeContext, run: string, commit: string): Promise<string | undefined> {
  const tip = await readTip(git, run);
  const format = '%H %(trailers:key=Sylk-Commit,valueonly,separator=%x20)';
  const log = await git.text(['log', `--format=${format}`, `${baseRef(run)}..${tip}`]);
  const line = log.split('\n').find((each) => each.split(' ').includes(commit));
  return line?.split(' ')[0];
}

/** The next leg of the node works on top of what is merged, with its own work merged in as far as that goes. */
async function sendBack(
  context: MergeContext,
  refs: HeldRefs,
  name: { run: string; node: string },
  { tip, commit }: { tip: string; commit: string },
): Promise<void> {
  const { git } = context;
  const { run, node } = name;
  const before = await findCommit(git, conflictRef(run, node));
  // What an earlier conflict cost is named now: the next one is compared with this commit.
  if (before !== '' && before !== commit)
    await nameLostLines(context, name, { commit, tip: await commitOf(git, `${commit}^`), candidate: commit });
  await refs.write(conflictRef(run, node), commit);
  await refs.write(nodeBaseRef(run, node), tip);
}

const redText = (findings: string): string =>
  `Your work and what others have merged meanwhile fit together as text, but not as a program. Their changes are in your files now. What the project's tools say of both together:\n${findings}`;

async function conflictText(
  { git }: MergeContext,
  { tip, commit, conflicts }: { tip: string; commit: string; conflicts: string[] },
): Promise<string> {
  const base = await git.text(['merge-base', tip, commit]);
  const difference = async (to: string) =>
    (await git.text(['diff', '--no-color', base, to, '--', ...conflicts.slice(0, 50)])).slice(0, mostOfDiff);
  return [
    `Others have changed the same lines meanwhile. Their changes are in your files now; in ${conflicts.join(', ')} both sides stand between <<<<<<< and >>>>>>>.`,
    'Keep what both sides wanted, and remove the marks. Lines of others that you leave out are shown to the person.',
    `What the others changed:\n${await difference(tip)}`,
    `What you changed:\n${await difference(commit)}`,
  ].join('\n\n');
}

/** Every line that either side of a merge added is in it, or is named for the person. */
async function nameLostLines(
  context: MergeContext,
  name: { run: string; node: string },
  { commit, tip, candidate }: { commit: string; tip: string; candidate: string },
): Promise<void> {
  const { git } = context;
  const before = await findCommit(git, conflictRef(name.run, name.node));
  const own = before || commit;
  const base = await git.text(['merge-base', tip, own]);
  const sides = [
    { who: 'others', side: tip },
    { who: name.node, side: own },
  ];
  const lines: string[] = [];
  for (const { who, side } of sides) {
    const { lost, notCompared } = await lostLines(git, { base, side, result: candidate });
    lines.push(
      ...lost.map(({ file, text }) => `${file}: a line of ${who} is not in the merge: ${text.slice(0, 200)}`),
    );
    if (notCompared > 0) lines.push(`${notCompared} files of ${who} were not compared.`);
  }
  if (lines.length > 0) await noteDown(context, name, `lost lines ${candidate}`, lines.join('\n'));
}

/** Takes a merged node out again: built and judged apart, as a merge is. */
export async function revertNode(
  context: MergeContext,
  command: Command,
  run: Run,
): Promise<Outcome<'revert'>> {
  const { git } = context;
  const { commit = '', node = '' } = command;
  const refs = await holdRefs(context.refs, command, run);
  const tip = await readTip(git, run.run);
  const format = '%H %(trailers:key=Sylk-Reverts,valueonly,separator=%x20)';
  const log = await git.text(['log', `--format=${format}`, `${baseRef(run.run)}..${tip}`]);
  const earlier = log.split('\n').find((line) => line.split(' ').slice(1).includes(commit));
  if (earlier) return { result: 'merged', commit: earlier.slice(0, earlier.indexOf(' ')) };
  const { tree, conflicts } = await mergeInverse(git, tip, commit);
  if (conflicts.length > 0)
    return { result: 'conflict', text: `Later work builds on it in ${conflicts.join(', ')}.` };
  const candidate = await commitLike(git, commit, {
    tree,
    parents: [tip],
    message: (said) =>
      `Revert "${said.split('\n', 1)[0]}"\n\nSylk-Run: ${run.run}\nSylk-Node: ${node}\nSylk-Reverts: ${commit}`,
  });
  await git.run(['update-ref', candidateRef(run.run, node), candidate]);
  const outcome = await judge(context, run, { gate: 'merge', node, commit: candidate, base: tip });
  if (outcome.result === 'findings') return { result: 'red', text: outcome.text };
  if (outcome.result !== 'passed') return outcome;
  if (!(await refs.move(tipRef(run.run), candidate, tip)))
    return { result: 'broken', message: `${tipRef(run.run)} was moved by somebody else.` };
  return { result: 'merged', commit: candidate };
}
