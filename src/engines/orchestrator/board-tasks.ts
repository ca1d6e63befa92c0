import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parseUuid } from '../../base/ids.ts';
import type { Command, PlanNode } from '../../stores/runs/index.ts';
import type { CatalogState, HeldTask, Work } from '../../stores/work/index.ts';
import { type NodeState, nodeOf, type RunState, runHasEnded } from './decide/index.ts';

const prefix = 'run:';
export const holderOf = (run: string): string => `${prefix}${run}`;
export const runOfHolder = (holder: string | null | undefined): string | undefined =>
  holder?.startsWith(prefix) ? holder.slice(prefix.length) : undefined;

/** The same for the same words, so that writing a plan twice changes nothing. */
const derivedId = (words: string[]): string =>
  parseUuid(hash('sha256', words.join('\n'), 'hex').slice(0, 32));
const featureIdOf = (run: string): string => derivedId(['run', run]);
export const taskIdOf = (run: string, node: string): string => derivedId(['node', run, node]);

/** Writes what an event changed of the board: called in the transaction of the event. */
export async function writeBoard(
  work: Work,
  before: RunState | undefined,
  state: RunState,
  findProject: () => Promise<string | undefined>,
): Promise<void> {
  if (!state.plan) return;
  const old = new Map(before ? tasksOf(before).map((task) => [task.id, task]) : []);
  const isHeld = !runHasEnded(state);
  const wasHeld = before?.plan !== undefined && !runHasEnded(before);
  const tasks = tasksOf(state).filter(
    (task) => isHeld !== wasHeld || !isDeepStrictEqual(task, old.get(task.id)),
  );
  const status = featureStatus(state);
  if (tasks.length === 0 && before && featureStatus(before) === status) return;
  await work.holdWork({
    holder: holderOf(state.run),
    isHeld,
    feature: {
      id: featureIdOf(state.run),
      name: titleOf(state.plan.prompt),
      summary: cut(state.plan.prompt, 4000),
      status,
      projectId: before?.plan ? undefined : await findProject(),
    },
    tasks,
  });
}

function featureStatus({ status, nodes }: RunState): CatalogState {
  if (status === 'completed') return 'CLOSED';
  if (status === 'cancelled')
    return nodes.some(({ stage }) => stage === 'done') ? 'CLOSED' : 'WILL_NOT_IMPLEMENT';
  return nodes.some(({ stage }) => stage !== 'pending' && stage !== 'skipped') ? 'ACTIVE' : 'NEW';
}

function tasksOf(state: RunState): HeldTask[] {
  const open = new Map(state.open.map((command) => [command.id, command]));
  return state.nodes.map((node) => taskOf(state, node, open));
}

function taskOf(state: RunState, node: NodeState, open: Map<string, Command>): HeldTask {
  const { id, spec } = node;
  const status = statusOf(state, node);
  const isOver = status === 'CLOSED' || status === 'WILL_NOT_IMPLEMENT';
  const wakeAt = node.stage === 'claimed' ? open.get(node.command ?? '')?.at : undefined;
  return {
    id: taskIdOf(state.run, id),
    title: titleOf(`${id}: ${spec.prompt}`),
    summary: cut(spec.prompt, 4000),
    description: cut(spec.prompt, 32_000),
    priority: priorityNames[spec.metadata.priority],
    status,
    blockedBy: isOver ? [] : blockersOf(state, spec).map((each) => taskIdOf(state.run, each)),
    claim:
      isOver || runHasEnded(state) ? undefined : { by: node.claimedBy ?? holderOf(state.run), until: wakeAt },
    sections: sectionsOf(spec),
  };
}

const priorityNames = { low: 'LOW', normal: 'MEDIUM', high: 'HIGH', critical: 'HIGH' } as const;

/** Closed means merged: a node that is being taken out again is closed until it is out. */
const statusOfStep: Partial<Record<NodeState['stage'] | NonNullable<NodeState['next']>, CatalogState>> = {
  inspect: 'TO_BE_TESTED',
  inspecting: 'TO_BE_TESTED',
  test: 'TO_BE_TESTED',
  testing: 'TO_BE_TESTED',
  merge: 'READY_TO_PROD',
  merging: 'READY_TO_PROD',
};

function statusOf(state: RunState, { stage, next, merged }: NodeState): CatalogState {
  if (stage === 'done' || merged !== undefined) return 'CLOSED';
  if (stage === 'dropped' || stage === 'cancelled') return 'WILL_NOT_IMPLEMENT';
  if (stage === 'pending' || stage === 'skipped' || (stage === 'failed' && runHasEnded(state))) return 'NEW';
  return (stage === 'queued' ? next && statusOfStep[next] : statusOfStep[stage]) ?? 'ACTIVE';
}

/** Nodes that it waits for; in the place of one that was dropped, those that this one waited for. */
function blockersOf(state: RunState, { depends_on }: PlanNode): string[] {
  const blockers = depends_on.flatMap((id) => {
    const node = nodeOf(state, id);
    if (!node || node.stage === 'done') return [];
    return node.stage === 'dropped' ? blockersOf(state, node.spec) : [id];
  });
  return [...new Set(blockers)];
}

function sectionsOf({ context, touches, compliance_criteria }: PlanNode): HeldTask['sections'] {
  const files = [...new Set([...touches.map(({ path }) => path), ...context.relevant_files])];
  const section = (title: string, usageDescription: string, lines: string[]) =>
    lines.length === 0
      ? []
      : [{ title, usageDescription, content: cut(lines.map((line) => `- ${line}`).join('\n'), 64_000) }];
  return [
    ...section('Context files', 'Files that the task is about.', files),
    ...section('Constraints', 'What the work has to respect.', context.constraints),
    ...section('Verification', 'What the work is judged by.', compliance_criteria),
  ];
}

const titleOf = (text: string): string =>
  [...(text.trim().split('\n')[0] ?? '')].slice(0, 200).join('') || 'Plan';

/** At most so many bytes, as the board takes them. */
function cut(text: string, bytes: number): string {
  const clean = text.replaceAll('\0', ' ').trim() || '(nothing was said)';
  if (Buffer.byteLength(clean) <= bytes) return clean;
  return Buffer.from(clean)
    .subarray(0, bytes - 4)
    .toString()
    .replace(/\uFFFD+$/, '')
    .concat('…');
}
