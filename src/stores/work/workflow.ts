import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { refuseForeignClaim } from './claims.ts';
import { noOperation, type StagedRecord } from './container.ts';
import {
  type Author,
  all,
  note,
  refuseHeld,
  requireContainer,
  requireVersion,
  type StoredContainer,
  touch,
  type WorkContext,
} from './context.ts';
import { reasonText } from './fields.ts';
import {
  asDependent,
  blockersOf,
  type Dependent,
  dependentsOf,
  releaseDependents,
  stagedRecord,
} from './links.ts';
import {
  exitState,
  isTerminal,
  nextState,
  previousState,
  type StagedKind,
  type Workflows,
  workflowPosition,
} from './workflow-states.ts';
import { activeWorkflows } from './workflows.ts';

export interface MoveRequest {
  kind: StagedKind;
  id: string;
  version: number;
  claimToken?: string | undefined;
}

export interface MoveReply {
  record: StagedRecord;
  transition: { from: string; to: string };
  terminal: boolean;
  pipelinePosition: string | null;
  unblockedEntities: Dependent[];
  affectedDependents: Dependent[];
  featureTransition?: string;
  featureUnblockedEntities: Dependent[];
  featureAffectedDependents: Dependent[];
}

const noClaim = { claimed_by: null, claim_token: null, claim_expires_at: null };

/** One step forward. Refused when final or blocked. */
export const advance = (context: WorkContext, by: Author, request: MoveRequest): Promise<MoveReply> =>
  move(context, by, request, 'advance', async (row, workflow) => {
    refuseFinal(row, workflow, 'advance');
    const blockers = await blockersOf(context, row.id);
    if (blockers.length > 0) throw blocked(row, blockers);
    return nextState(workflow, row.status) ?? refuseStep(row, 'there is no next state');
  });

/** One step back. Never from a final state. */
export const revert = (context: WorkContext, by: Author, request: MoveRequest): Promise<MoveReply> =>
  move(context, by, request, 'revert', async (row, workflow) => {
    refuseFinal(row, workflow, 'revert');
    return previousState(workflow, row.status) ?? refuseStep(row, 'it is the first state');
  });

/** To the exit state. Ignores blockers and does not unblock what waits for it: that needs a decision. */
export const terminate = (
  context: WorkContext,
  by: Author,
  request: MoveRequest & { reason?: string | undefined },
): Promise<MoveReply> => {
  const reason = request.reason?.trim() ? reasonText(request.reason, 'reason') : undefined;
  return move(
    context,
    by,
    request,
    'terminate',
    async (row, workflow) => {
      refuseFinal(row, workflow, 'terminate');
      return exitState;
    },
    { reason },
  );
};

async function move(
  context: WorkContext,
  by: Author,
  request: MoveRequest,
  action: string,
  target: (row: StoredContainer, workflow: string[]) => Promise<string>,
  detail: Record<string, unknown> = {},
): Promise<MoveReply> {
  return context.library.write(async () => {
    const row = await requireContainer(context, request.id, request.kind);
    requireVersion(row, request.version);
    refuseHeld(by, row);
    refuseForeignClaim(context, by, row, request.claimToken);
    const workflows = await activeWorkflows(context);
    const workflow = workflows[request.kind];
    const from = row.status ?? '';
    const to = await target(row, workflow);
    const terminal = isTerminal(workflow, to);
    await touch(context, by, row.id, { status: to, ...(terminal ? noClaim : undefined) });
    await note(context, by, action, row, { from, to, ...detail });
    const unblocked = terminal && to !== exitState ? await releaseDependents(context, by, row.id) : [];
    const affected = to === exitState ? await dependentsOf(context, row.id) : [];
    const feature =
      row.kind === 'task' && row.feature_id !== null && action !== 'revert'
        ? await moveFeature(context, by, row.feature_id, to, workflows)
        : {};
    return {
      record: await stagedRecord(context, row.id),
      transition: { from, to },
      terminal,
      pipelinePosition: workflowPosition(workflow, to),
      unblockedEntities: unblocked,
      affectedDependents: affected.map((dependent) => asDependent(dependent, true)),
      featureUnblockedEntities: [],
      featureAffectedDependents: [],
      ...feature,
    };
  });
}

/** A first active task activates its feature; when all tasks are final, the feature closes, or exits if all exited. */
async function moveFeature(
  context: WorkContext,
  by: Author,
  featureId: string,
  taskStatus: string,
  workflows: Workflows,
): Promise<Partial<MoveReply>> {
  const feature = await requireContainer(context, featureId, 'feature');
  if (isTerminal(workflows.feature, feature.status)) return {};
  const to = await featureTarget(context, feature, taskStatus, workflows);
  if (to === undefined) return {};
  await touch(context, by, featureId, { status: to });
  await note(context, by, 'advance', feature, { from: feature.status, to, because: 'tasks' });
  const closed = to === workflows.feature.at(-1);
  return {
    featureTransition: `${feature.status} → ${to}`,
    featureUnblockedEntities: closed ? await releaseDependents(context, by, featureId) : [],
    featureAffectedDependents:
      to === exitState ? (await dependentsOf(context, featureId)).map((row) => asDependent(row, true)) : [],
  };
}

async function featureTarget(
  context: WorkContext,
  feature: StoredContainer,
  taskStatus: string,
  workflows: Workflows,
): Promise<string | undefined> {
  if (!isTerminal(workflows.task, taskStatus))
    return taskStatus === 'ACTIVE' && feature.status === 'NEW' ? 'ACTIVE' : undefined;
  const states = await all(
    context,
    sql<{ status: string }>`SELECT DISTINCT status FROM work_containers WHERE feature_id = ${feature.id}`,
  );
  if (!states.every(({ status }) => isTerminal(workflows.task, status))) return undefined;
  return states.every(({ status }) => status === exitState) ? exitState : workflows.feature.at(-1);
}

function refuseFinal(row: StoredContainer, workflow: string[], action: string): void {
  if (!isTerminal(workflow, row.status)) return;
  throw new SylkError(
    'INVALID_OPERATION',
    `Cannot ${action}: the ${row.kind} is ${row.status}, which is final.`,
    {
      hint: 'Create a new one for later work.',
      data: { id: row.id, status: row.status, currentVersion: row.version },
    },
  );
}

function refuseStep(row: StoredContainer, why: string): never {
  throw new SylkError('INVALID_OPERATION', `The ${row.kind} is ${row.status}: ${why}.`, {
    hint: 'Run `sylk work show ID --state` to see the states around it, or `sylk work sync` to see whether the workflow changed.',
  });
}

function blocked(row: StoredContainer, blockers: string[]): SylkError {
  const waits = blockers.filter((id) => id !== noOperation);
  const reason = row.blocked_reason ? ` Reason: ${row.blocked_reason}` : '';
  return new SylkError(
    'BLOCKED',
    `The ${row.kind} ${JSON.stringify(row.name)} is blocked by ${blockers.join(', ')}.${reason}`,
    {
      hint:
        waits.length > 0
          ? 'Finish what it waits for, or unblock it with `sylk work wait ID VERSION BLOCKER --remove`.'
          : 'Unblock it with NO_OP once the reason is resolved: `sylk work wait ID VERSION NO_OP --remove`.',
      data: { blockedBy: blockers, blockedReason: row.blocked_reason },
    },
  );
}

export async function workflowState(context: WorkContext, kind: StagedKind, id: string) {
  await requireContainer(context, id, kind);
  const record = await stagedRecord(context, id);
  const workflow = (await activeWorkflows(context))[kind];
  const final = isTerminal(workflow, record.status);
  return {
    containerType: kind,
    id,
    currentStatus: record.status,
    nextStatus: final ? null : nextState(workflow, record.status),
    previousStatus: final ? null : previousState(workflow, record.status),
    isTerminal: final,
    isBlocked: record.blockedBy.length > 0,
    blockedBy: record.blockedBy,
    blockedReason: record.blockedReason,
    pipelinePosition: workflowPosition(workflow, record.status),
    relatedEntities: record.relatedTo,
    version: record.version,
  };
}
