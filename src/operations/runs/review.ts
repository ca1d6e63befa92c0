import { z } from 'zod';
import type { App } from '../../app.ts';
import type { NodeState } from '../../engines/orchestrator/index.ts';
import type { RecordedStep } from '../../stores/transcripts/index.ts';
import { operation } from '../operation.ts';
import { findRun } from './execute.ts';

const reviewed = z.object({
  number: z.number(),
  id: z.string(),
  stage: z.string(),
  commit: z.string(),
  risk: z.number().describe('the sum of the reasons; the highest is looked at first'),
  reasons: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), added: z.number(), deleted: z.number() })),
  evidence: z.array(z.string()).describe('what inspector and tester said of this commit'),
});
type Reviewed = z.output<typeof reviewed>;

export const reviewRun = operation({
  name: 'review_run',
  summary:
    'The changed nodes of a run in the order in which a person should look at them, riskiest first, each with its reasons, files and what the judges said.',
  effect: 'read',
  input: z.object({
    run: z.string().optional().describe('id of the run, or the end of it; default: the newest'),
  }),
  output: z.object({ run: z.string(), nodes: z.array(reviewed) }),
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run'] },
  render: ({ nodes }) => nodes.map(nodeText).join('\n\n') || 'No node has changed anything yet.',
  run: async ({ run: given }, { app }) => {
    const run = await findRun(app, given);
    const { nodes } = await (await app.runs()).state(run);
    const transcripts = await app.transcripts();
    const looked = await Promise.all(
      nodes.map(async (node, at) =>
        reviewOf(app, node, at + 1, await transcripts.steps({ run, node: node.id })),
      ),
    );
    return {
      run,
      nodes: looked.filter((one) => one !== undefined).sort((a, b) => b.risk - a.risk || a.number - b.number),
    };
  },
});

const nodeText = ({ number, id, reasons, files, evidence, commit }: Reviewed): string =>
  [
    `${number}. ${id} ${commit.slice(0, 10)}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`,
    ...files.map(({ path, added, deleted }) => `  ${path} +${added} -${deleted}`),
    ...evidence.map((line) => `  ${line}`),
  ].join('\n');

async function reviewOf(
  { git }: App,
  { id, stage, loops, merged, commit, spec }: NodeState,
  number: number,
  steps: RecordedStep[],
): Promise<Reviewed | undefined> {
  const own = merged ?? commit;
  if (own === undefined) return undefined;
  const files = await changedFiles(git, own);
  const notes = steps.flatMap((step) => (step.kind === 'note' ? [step] : []));
  // The commit that was judged is the one before the merge.
  const judged = notes.filter(
    ({ about }) => /^(?:inspector|tester) /.test(about) && isOneOf(about, [own, commit]),
  );
  const evidence = judged.flatMap(({ about, text }) =>
    text.split('\n').map((line) => `${about.split(' ', 1)[0]}: ${line}`),
  );
  const weighed = reasonsOf({ files, evidence, notes, loops, touches: namedBy(spec.touches) });
  return {
    number,
    id,
    stage,
    commit: own,
    risk: weighed.reduce((sum, [weight]) => sum + weight, 0),
    reasons: weighed.map(([, reason]) => reason),
    files,
    evidence: [...new Set(evidence)],
  };
}

/** What the memory only guesses does not count. */
const namedBy = (touches: NodeState['spec']['touches']): string[] =>
  touches.filter(({ probability }) => probability >= 0.5).map(({ path }) => path);

const isOneOf = (about: string, commits: Array<string | undefined>): boolean =>
  commits.some((commit) => commit !== undefined && about.endsWith(commit));
const isTest = (path: string): boolean => /(?:^|[/._-])(?:tests?|spec)(?:[/._-]|$)/i.test(path);

/** Why a person should look, with how much it weighs. */
function reasonsOf({
  files,
  evidence,
  notes,
  loops,
  touches,
}: {
  files: Reviewed['files'];
  evidence: string[];
  notes: Array<{ about: string; text: string }>;
  loops: NodeState['loops'];
  touches: string[];
}): Array<[weight: number, reason: string]> {
  const guards = evidence.filter((line) => line.includes('for you to look at: ')).length;
  const lost = notes.filter(({ about }) => about.startsWith('lost lines ')).length;
  const sentBack = loops.inspector + loops.tester + loops.merge;
  const lines = files.reduce((sum, { added, deleted }) => sum + added + deleted, 0);
  const isExpected = (path: string) =>
    touches.some((touch) => touch === path || (touch.endsWith('/') && path.startsWith(touch)));
  const others = touches.length === 0 ? [] : files.filter(({ path }) => !isExpected(path));
  const candidates: Array<[weight: number, reason: string]> = [
    [guards * 5, `changes what judges changes (${guards})`],
    [lost * 4, `a merge left lines out (${lost})`],
    [evidence.length === 0 ? 4 : 0, 'nothing judged it'],
    [sentBack * 2, `was sent back ${sentBack} ×`],
    [
      others.length,
      `files that the plan did not expect: ${others
        .map(({ path }) => path)
        .slice(0, 3)
        .join(', ')}`,
    ],
    [files.length > 0 && !files.some(({ path }) => isTest(path)) ? 1 : 0, 'no test changed with it'],
    [Math.floor(lines / 100), `${lines} lines`],
  ];
  return candidates.filter(([weight]) => weight > 0).sort(([a], [b]) => b - a);
}

async function changedFiles(git: App['git'], commit: string): Promise<Reviewed['files']> {
  const parts = await git.list([
    'diff-tree',
    '-r',
    '-z',
    '--root',
    '--no-renames',
    '--no-commit-id',
    '--numstat',
    '--diff-merges=first-parent',
    commit,
  ]);
  return parts.map((part) => {
    const [added = '', deleted = '', ...path] = part.split('\t');
    return { path: path.join('\t'), added: Number(added) || 0, deleted: Number(deleted) || 0 };
  });
}
