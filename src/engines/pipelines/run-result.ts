import type { Git } from '../../base/git/index.ts';
import {
  type RecordedStep,
  type Spending,
  spendingOf,
  type Transcripts,
} from '../../stores/transcripts/index.ts';
import { type NodeState, type RunState, runHasEnded } from '../orchestrator/index.ts';
import { wholeRun } from './judging.ts';
import { branchOf, costText } from './one-node.ts';
import { baseRef, findCommit, tipRef } from './run-refs.ts';

export interface NodeResult {
  number: number;
  id: string;
  agent: string;
  prompt: string;
  depends_on: string[];
  stage: string;
  legs: number;
  /** How often each judge sent it back. */
  loops: { inspector: number; tester: number; merge: number };
  /** The merged commit, or the last one of the node. */
  commit: string | undefined;
  files: string[];
  output: string;
  error: string | undefined;
  cost: number;
  tokens: { input: number; cached: number; output: number };
}

export interface NeedsYou {
  /** What to answer: a question of the run, or the revision of a plan. */
  id: string;
  node: string | undefined;
  question: string;
  options: string[];
}

export interface TeamResult extends Spending {
  run: string;
  prompt: string;
  session: string;
  status: string;
  phase: string;
  number: number;
  base: string;
  branch: string | undefined;
  commit: string | undefined;
  nodes: NodeResult[];
  files: string[];
  /** What the project's tools said of everything together. */
  gates: string[];
  /** Changes to what judges changes, for the person. */
  review: string[];
  /** Lines that a merge left out. */
  lost_lines: string[];
  /** Files that changed though no node was expected to touch them, and the other way round. */
  touches: { expected: number; met: number; unexpected: string[] };
  deferred: string[];
  overrides: string[];
  needs_you: NeedsYou[];
  budget: number | undefined;
  landed: string | undefined;
  error: string | undefined;
}

interface Sources {
  git: Git;
  transcripts: Transcripts;
}

/** What became of a run, from its state, its commits and its transcripts. */
export async function readRun({ git, transcripts }: Sources, state: RunState): Promise<TeamResult> {
  const { run } = state;
  const steps = new Map<string, RecordedStep[]>();
  for (const { node } of await transcripts.nodes(run))
    steps.set(node, await transcripts.steps({ run, node }));
  // What is known is told, also where somebody has removed the refs of the run.
  const base = await findCommit(git, baseRef(run));
  const tip = (await findCommit(git, tipRef(run))) || base;
  const filesOf = await filesOfCommits(
    git,
    state.nodes.flatMap((node) => commitOf(node) ?? []),
  );
  const nodes = state.nodes.map((node, at) =>
    readNode(node, { number: at + 1, steps: steps.get(node.id) ?? [], filesOf }),
  );
  const files = base === '' ? [] : await git.list(['diff-tree', '-r', '-z', '--name-only', base, tip]);
  const notes = [...steps.values()].flat().flatMap((step) => (step.kind === 'note' ? [step] : []));
  const kept = new Set([tip, ...state.nodes.flatMap(({ commit, merged }) => [commit, merged])]);
  const of = (...words: string[]) =>
    notes.filter(({ about }) => {
      const [word = '', commit] = about.split(/ (?=[0-9a-f]{40,64}$)/);
      return words.includes(word) && kept.has(commit);
    });
  const branch = branchOf(state);
  const spending = spendingOf([...steps.values()].flat());
  return {
    run,
    prompt: state.prompt,
    session: state.session,
    status: state.status,
    phase: state.phase,
    number: state.number,
    base,
    branch: (await findCommit(git, `refs/heads/${branch}`)) === '' ? undefined : branch,
    commit: tip === base ? undefined : tip,
    nodes,
    files,
    gates: judgedLines(steps.get(wholeRun) ?? [], tip),
    review: [...new Set(of('inspector', 'tester').flatMap(({ text }) => reviewLines(text)))],
    lost_lines: notes
      .filter(({ about }) => about.startsWith('lost lines '))
      .flatMap(({ text }) => text.split('\n')),
    touches: readTouches(state, files),
    deferred: state.deferred,
    overrides: state.nodes.flatMap(({ id, overrides }) => overrides.map((gate) => `${id}/${gate}`)),
    needs_you: needsYou(state),
    ...spending,
    // What planning cost is in the state alone, what a leg has cost that goes on is in its transcript alone.
    cost: Math.max(spending.cost, state.spent),
    budget: state.limits.budget,
    landed: state.landed,
    error: state.status === 'completed' ? undefined : state.error,
  };
}

/** What the judges of the whole said of a commit, each line once. */
const judgedLines = (steps: RecordedStep[], tip: string): string[] => [
  ...new Set(
    steps.flatMap((step) =>
      step.kind === 'note' && step.about.endsWith(` ${tip}`) ? plainLines(step.text) : [],
    ),
  ),
];

const reviewMark = 'for you to look at: ';
const reviewLines = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(reviewMark) ? [line.slice(reviewMark.length)] : []));
const plainLines = (text: string): string[] =>
  text.split('\n').filter((line) => !line.startsWith(reviewMark));

/** Why a merged node that was dropped is still there. Another error of a node that is done is behind it. */
export const notUndone = ({ error }: Pick<NodeState, 'error'>): string | undefined =>
  error?.startsWith('It could not be undone: ') ? error : undefined;

const commitOf = ({ merged, commit }: NodeState): string | undefined => merged ?? commit;

/** The files that each commit changed, compared with its first parent, by one process. A commit that is gone has none. */
async function filesOfCommits(git: Git, commits: string[]): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  if (commits.length === 0) return files;
  const compare = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--diff-merges=first-parent'];
  const parts = (await git.text(compare, { input: `${commits.join('\n')}\n` })).split('\0');
  let own: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    // A change is its modes and ids, then its path; everything else is the id of a commit.
    if (part.startsWith(':')) own.push(parts[++at] ?? '');
    else if (part !== '') {
      own = [];
      files.set(part.trim(), own);
    }
  }
  return files;
}

function readNode(
  node: NodeState,
  { number, steps, filesOf }: { number: number; steps: RecordedStep[]; filesOf: Map<string, string[]> },
): NodeResult {
  const { id, spec, stage, legs, loops, output = '', error } = node;
  const own = commitOf(node);
  const { cost, tokens } = spendingOf(steps);
  return {
    number,
    id,
    agent: spec.agent,
    prompt: spec.prompt,
    depends_on: spec.depends_on,
    stage,
    legs,
    loops,
    commit: own,
    files: (own && filesOf.get(own)) || [],
    output,
    error: stage === 'done' ? notUndone(node) : notUndone(node) ? undefined : error,
    cost,
    tokens,
  };
}

function readTouches({ nodes }: RunState, files: string[]): TeamResult['touches'] {
  const expected = [...new Set(nodes.flatMap(({ spec }) => spec.touches.map(({ path }) => path)))];
  const isMet = (path: string) =>
    files.some((file) => file === path || (path.endsWith('/') && file.startsWith(path)));
  return {
    expected: expected.length,
    met: expected.filter(isMet).length,
    unexpected:
      expected.length === 0
        ? []
        : files.filter(
            (file) =>
              !expected.some((path) => path === file || (path.endsWith('/') && file.startsWith(path))),
          ),
  };
}

/** What a run waits for a person to say, oldest first. */
export function needsYou(state: RunState): NeedsYou[] {
  const asks = state.open
    .filter(({ kind }) => kind === 'ask')
    .map(({ id, node, message = '', options = [] }) => ({ id, node, question: message, options }));
  const { proposal } = state;
  if (!proposal || runHasEnded(state)) return asks;
  const what = {
    first: 'The plan',
    change: 'A changed plan',
    fix: 'A plan of fixes',
    tests: 'A plan of tests',
  };
  const question = `${what[proposal.purpose]} waits for you: ${proposal.plan.nodes.map(({ id }) => id).join(', ')}`;
  return [
    ...asks,
    { id: `revision ${proposal.revision}`, node: undefined, question, options: ['approve', 'reject'] },
  ];
}

/** The summary of a run, for persons. */
export function runText(result: TeamResult): string {
  const { nodes, files, branch, base, gates, review, lost_lines, deferred, touches } = result;
  const list = (title: string, lines: string[]) =>
    lines.length === 0 ? [] : [title, ...lines.slice(0, 40).map((line) => `  ${line}`)];
  return [
    ...nodes.map(
      ({ number, id, stage, files: own, output, error }) =>
        `${number}. ${id}: ${stage}${error ? `: ${error.split('\n', 1)[0]}` : ''}${own.length > 0 ? `, ${own.join(', ')}` : ''}${output ? `\n   ${output.split('\n', 1)[0]?.slice(0, 200)}` : ''}`,
    ),
    `Files: ${files.join(', ') || 'none'}`,
    ...(branch ? [`Branch: ${branch}, from ${base.slice(0, 12)}`] : []),
    ...list('Judged by:', gates),
    ...list('For you to look at:', review),
    ...list('Lines that a merge left out:', lost_lines),
    ...list('Left for later:', deferred),
    ...(touches.expected > 0
      ? [
          `Expected to change ${touches.expected} files, ${touches.met} of them did; ${touches.unexpected.length} others changed.`,
        ]
      : []),
    `Cost: ${costText(result)}`,
  ].join('\n');
}
