import { z } from 'zod';

export type StagedKind = 'feature' | 'task';

/** Every state that a workflow may contain, in the only allowed order. */
export const catalog = {
  feature: ['NEW', 'ACTIVE', 'READY_TO_PROD', 'CLOSED'],
  task: ['NEW', 'ACTIVE', 'TO_BE_TESTED', 'READY_TO_PROD', 'CLOSED'],
} as const;

/** Always allowed, never part of a workflow. */
export const exitState = 'WILL_NOT_IMPLEMENT';

export type CatalogState = (typeof catalog)['task'][number] | typeof exitState;

const usual = ['NEW', 'ACTIVE', 'CLOSED'];

export interface Workflows {
  feature: string[];
  task: string[];
}

export const workflowProblem = (kind: StagedKind, states: string[]): string | undefined => {
  const known: readonly string[] = catalog[kind];
  const stranger = states.find((state) => !known.includes(state));
  if (stranger !== undefined)
    return stranger === exitState
      ? `${exitState} is the exit state and must not be listed`
      : `unknown state ${JSON.stringify(stranger)}; valid states are ${known.join(', ')}`;
  if (new Set(states).size !== states.length) return 'a state is listed twice';
  if (states.length < 3) return 'at least three states are needed';
  if (states[0] !== 'NEW') return 'must start with NEW';
  if (!states.includes('ACTIVE')) return 'must contain ACTIVE';
  if (states.at(-1) !== 'CLOSED') return 'must end with CLOSED';
  const places = states.map((state) => known.indexOf(state));
  const inOrder = places.every((place, at) => place > (places[at - 1] ?? -1));
  return inOrder ? undefined : `states must be in the order ${known.join(' → ')}`;
};

const workflowSchema = (kind: StagedKind) =>
  z
    .array(z.string())
    .default(usual)
    .superRefine((states, context) => {
      const problem = workflowProblem(kind, states);
      if (problem) context.addIssue({ code: 'custom', message: `${kind} workflow: ${problem}` });
    });

export const workflowsSchema = z
  .strictObject({ feature: workflowSchema('feature'), task: workflowSchema('task') })
  .default({ feature: usual, task: usual });

export const isTerminal = (workflow: string[], status: string | null): boolean =>
  status === exitState || status === workflow.at(-1);

export const nextState = (workflow: string[], status: string | null): string | null =>
  workflow[workflow.indexOf(status ?? '') + 1 || workflow.length] ?? null;

export const previousState = (workflow: string[], status: string | null): string | null =>
  workflow[workflow.indexOf(status ?? '') - 1] ?? null;

/** The state of a workflow that comes nearest to a state of the catalog without being later. */
export const nearestState = (kind: StagedKind, workflow: string[], wanted: CatalogState): string => {
  if (wanted === exitState) return exitState;
  const known: readonly string[] = catalog[kind];
  return workflow.findLast((state) => known.indexOf(state) <= known.indexOf(wanted)) ?? 'NEW';
};

/** `2/3`, or null outside of the workflow. */
export const workflowPosition = (workflow: string[], status: string): string | null =>
  workflow.includes(status) ? `${workflow.indexOf(status) + 1}/${workflow.length}` : null;
