import { decide, type NodeState, type RunState, runHasEnded } from '../../engines/orchestrator/index.ts';
import { notUndone, wholeRun } from '../../engines/pipelines/index.ts';
import type { RunEvent } from '../../stores/runs/index.ts';
import type { RecordedStep } from '../../stores/transcripts/index.ts';
import type { CallEvent } from '../operation.ts';

type RunLine = Extract<CallEvent, { type: 'run' }>;

const firstLine = (text: string, most = 160): string => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > most ? `${line.slice(0, most)} …` : line;
};

/** Turns events of a run into lines, one after another, from its first event on. */
export function createTeller(run: string) {
  let state: RunState | undefined;
  return (event: RunEvent): RunLine[] => {
    const before = state;
    const { state: after } = decide(before, event);
    state = after;
    const at = new Date(event.at).toISOString();
    const changed = after.nodes.filter((node) => {
      const old = before?.nodes.find(({ id }) => id === node.id);
      return old?.stage !== node.stage && !(node.stage === 'queued' || (node.stage === 'pending' && !old));
    });
    const wide = Math.max(...after.nodes.map(({ id }) => id.length), 0);
    return [
      ...changed.map((node): RunLine => {
        const text = `${node.id.padEnd(wide)}  ${nodeSentence(node)}`;
        return { type: 'run', run, node: node.id, at, what: node.stage, text };
      }),
      ...runSentences(before, after).map(
        (text): RunLine => ({ type: 'run', run, at, what: after.status, text }),
      ),
    ];
  };
}

const sentences: Partial<Record<NodeState['stage'], (node: NodeState) => string>> = {
  working: ({ legs, feedback }) => {
    const last = feedback.at(-1);
    if (legs <= 1 || !last) return legs <= 1 ? 'starts' : 'goes on';
    return `goes on with what the ${last.from} said: ${firstLine(last.text)}`;
  },
  inspecting: ({ output = '' }) => `is done${output ? `: ${firstLine(output)}` : ''} · inspector`,
  testing: () => 'passed the inspector · tester',
  merging: () => 'passed the tester · merging',
  done: (node) => {
    const { merged, output = '' } = node;
    const problem = notUndone(node);
    if (problem !== undefined) return `was not taken out: ${firstLine(problem, 400)}`;
    return merged ? `merged as ${merged.slice(0, 10)}` : `answered: ${firstLine(output)}`;
  },
  asking: ({ question, asking }) =>
    `needs you (${asking?.replaceAll('_', ' ') ?? 'asks'})${question ? `: ${firstLine(question)}` : ''}`,
  parked: ({ error = '' }) => `waits: ${firstLine(error)}`,
  failed: ({ error = '' }) => `failed: ${firstLine(error)}`,
  claimed: ({ claimedBy = '' }) => `is done by ${claimedBy}`,
  reverting: () => 'is taken out again',
};

const nodeSentence = (node: NodeState): string => sentences[node.stage]?.(node) ?? node.stage;

const phases: Partial<Record<RunState['phase'], string>> = {
  inspect: 'Everything is merged: inspecting it as a whole',
  test: 'Testing it as a whole',
};

function runSentences(before: RunState | undefined, after: RunState): string[] {
  const lines: string[] = [];
  const { proposal } = after;
  if (proposal && proposal.revision !== before?.proposal?.revision)
    lines.push(`A plan of ${proposal.plan.nodes.length} nodes is proposed (revision ${proposal.revision})`);
  if (before && before.phase !== after.phase && phases[after.phase]) lines.push(phases[after.phase] ?? '');
  if (before && before.status !== after.status && !['halting', 'running'].includes(after.status))
    lines.push(
      `The run is ${after.status}${after.error && after.status !== 'completed' ? `: ${firstLine(after.error, 400)}` : ''}`,
    );
  for (const { kind, node, message = '', id } of after.open)
    if (kind === 'ask' && node === undefined && !before?.open.some((old) => old.id === id))
      lines.push(`Needs you: ${firstLine(message)}`);
  return runHasEnded(after) && before && runHasEnded(before) ? [] : lines;
}

/** What an agent does, in one line; '' for what says nothing to a person. */
export function stepLine(
  { run, node, wide }: { run: string; node: string; wide: number },
  step: RecordedStep,
): RunLine[] {
  const text = textOf(step);
  if (text === '') return [];
  const approval = step.kind === 'note' ? /^approval (\S+)$/.exec(step.about)?.[1] : undefined;
  return [
    {
      type: 'run',
      run,
      node,
      at: new Date(step.at).toISOString(),
      what: step.kind,
      text: node === wholeRun ? text : `${node.padEnd(wide)}  ${text}`,
      approval_id: approval,
    },
  ];
}

function textOf(step: RecordedStep): string {
  if (step.kind === 'said' && step.answers) return `answers the question: ${firstLine(step.text, 2000)}`;
  if (step.kind === 'said') return step.text.trim() === '' ? '' : `says: ${firstLine(step.text)}`;
  if (step.kind === 'calling') {
    const { path, command, query, question } = step.input;
    return `${step.name} ${firstLine(String(path ?? command ?? query ?? question ?? ''), 100)}`.trim();
  }
  if (step.kind === 'result') return step.isError ? `✗ ${firstLine(step.text)}` : '';
  if (step.kind === 'note' && step.about.startsWith('approval '))
    return `needs you: ${firstLine(step.text)} · sylk approve ${step.about.slice('approval '.length)}`;
  if (step.kind === 'note')
    return `${step.about.replace(/ [0-9a-f]{40,64}$/, '')}: ${step.text
      .split('\n')
      .map((line) => firstLine(line))
      .slice(0, 8)
      .join('; ')}`;
  return '';
}
