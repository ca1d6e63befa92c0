import type { Git } from '../../base/git/index.ts';
import { newId } from '../../base/ids.ts';
import { type Limits, type Plan, planSchema, type Runs } from '../../stores/runs/index.ts';
import { type Spending, spendingOf, type Transcripts } from '../../stores/transcripts/index.ts';
import type { RunState } from '../orchestrator/index.ts';
import type { RunRefs } from '../worktrees/index.ts';
import { baseRef } from './run-refs.ts';

/** `sylk/rename-the-flag-1a2b3c`: words of the task, and the end of the run's id. */
export function branchOf({ run, prompt }: Pick<RunState, 'run' | 'prompt'>): string {
  const words = prompt
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 6);
  return `sylk/${[...words, run.slice(-6)].join('-').slice(0, 60)}`;
}

/** A run that waits for the approval of its plan; without a plan, for somebody who writes one. */
export async function proposeRun(
  { runs, refs }: { runs: Runs<RunState>; refs: RunRefs },
  request: {
    prompt: string;
    plan?: Plan | undefined;
    session: string;
    base: string;
    limits: Partial<Limits>;
  },
): Promise<RunState> {
  const run = newId('run');
  const { session, prompt, plan, limits } = request;
  await refs.begin(baseRef(run), request.base);
  return runs.create({ session, prompt, plan, limits }, run);
}

/** A run of one node, which starts at once: the person who asks for it has approved it. */
export async function startRun(
  { runs, refs }: { runs: Runs<RunState>; refs: RunRefs },
  request: {
    task: string;
    role: string;
    session: string;
    base: string;
    budget?: number | undefined;
    loops?: number | undefined;
  },
): Promise<RunState> {
  const { task, role, session, budget, loops = 3 } = request;
  const run = newId('run');
  await refs.begin(baseRef(run), request.base);
  const plan = planSchema.parse({ prompt: task, nodes: [{ id: 'work', agent: role, prompt: task }] });
  const limits = { concurrency: 1, loops, handovers: 5, fix_rounds: 0, plan_attempts: 1, budget };
  const created = await runs.create({ session, prompt: task, plan, limits }, run);
  const move = { type: 'plan_approved', revision: created.revision, start: true } as const;
  return runs.move(run, move, newId('move'));
}

export interface RunResult extends Spending {
  run: string;
  status: string;
  branch: string | undefined;
  commit: string | undefined;
  files: string[];
  /** What the judges said, one line each. */
  gates: string[];
  output: string;
  questions: Array<{ command: string; question: string; options: string[] }>;
  error: string | undefined;
}

/** What became of a run of one node, from its state and its transcript. */
export async function readResult(
  { git, transcripts }: { git: Git; transcripts: Transcripts },
  state: RunState,
): Promise<RunResult> {
  const [node] = state.nodes;
  const steps = node ? await transcripts.steps({ run: state.run, node: node.id }) : [];
  const judged = steps.flatMap((step) =>
    step.kind === 'note' && step.about.endsWith(` ${node?.commit}`) ? [step.text] : [],
  );
  const files = node?.commit
    ? await git.list(['diff-tree', '-r', '-z', '--name-only', baseRef(state.run), node.commit])
    : [];
  return {
    run: state.run,
    status: state.status,
    branch: node?.merged === undefined ? undefined : branchOf(state),
    commit: node?.merged ?? node?.commit,
    files,
    ...spendingOf(steps),
    gates: judged.flatMap((text) => text.split('\n')),
    output: node?.output ?? '',
    questions: state.open
      .filter(({ kind }) => kind === 'ask')
      .map(({ id, message = '', options = [] }) => ({ command: id, question: message, options })),
    error: state.error ?? node?.error,
  };
}

/** Money and tokens in one line; "at least" where a part is unknown, and no price where nobody named one. */
export function costText({ cost, unpriced, unmeasured, tokens }: Spending): string {
  const least = (isPart: boolean) => (isPart ? 'at least ' : '');
  const isUnknown = cost === 0 && unpriced > 0;
  const price = isUnknown ? 'not reported' : `${least(unpriced + unmeasured > 0)}$${cost.toFixed(4)}`;
  const unknown = unpriced > 0 && !isUnknown ? ` (${unpriced} answers without a price)` : '';
  const counted = `${tokens.input} tokens in (${tokens.cached} cached), ${tokens.output} out`;
  return `${price}${unknown}, ${least(unmeasured > 0)}${counted}`;
}
