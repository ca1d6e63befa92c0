import { sql } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { leaseNow } from '../../base/durable/index.ts';
import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import type { TaskRecord } from './container.ts';
import {
  type Author,
  note,
  nowOf,
  requireContainer,
  type StoredContainer,
  tablesOf,
  touch,
  type WorkContext,
} from './context.ts';
import { type NextFilter, selectReady } from './next.ts';
import { oneRecord } from './rows.ts';
import { isTerminal } from './workflow-states.ts';
import { activeWorkflows } from './workflows.ts';

export interface Claimed {
  task: TaskRecord;
  /** Proves the claim in renew, release, advance, revert and terminate. */
  claimToken: string;
  leaseSeconds: number;
}

export const leaseLimits = { least: 1, most: 24 * 3600, usual: 30 * 60 };

/**
 * Finds the next task and claims it in one transaction, or claims the named one. An expired lease returns its
 * task, even if work on it had started.
 */
export async function claimTask(
  context: WorkContext,
  by: Author,
  request: NextFilter & { id?: string | undefined; claimant: string; leaseSeconds: number },
): Promise<Claimed | undefined> {
  checkLease(request.leaseSeconds);
  return context.library.write(async () => {
    const row = request.id
      ? await requireFree(context, request.id)
      : await selectReady(context, request, { lapsed: true });
    if (!row) return undefined;
    const claimToken = newUuid();
    const { rows } = await sql<StoredContainer>`UPDATE work_containers SET claimed_by = ${request.claimant},
        claim_token = ${claimToken}, claim_expires_at = ${leaseNow(context.clock)} + ${milliseconds(request.leaseSeconds)},
        version = version + 1, modified_at = ${nowOf(context)}, modified_by = ${by.actor}
      WHERE id = ${row.id} RETURNING *`.execute(tablesOf(context));
    await note(context, by, 'claim', row, {
      by: request.claimant,
      lapsed: row.claimed_by ?? undefined,
    });
    return {
      task: await oneRecord<TaskRecord>(context, rows[0] ?? row),
      claimToken,
      leaseSeconds: request.leaseSeconds,
    };
  });
}

/** Renews a claim. Versions stay unchanged, so that what the claimant read stays valid. */
export async function renewClaim(
  context: WorkContext,
  request: { id: string; claimToken: string; leaseSeconds: number },
): Promise<Claimed> {
  checkLease(request.leaseSeconds);
  return context.library.write(async () => {
    const row = await requireHeld(context, request);
    await setExpiry(context, row.id, request.leaseSeconds);
    return {
      task: await taskOf(context, row.id),
      claimToken: request.claimToken,
      leaseSeconds: request.leaseSeconds,
    };
  });
}

export async function releaseClaim(
  context: WorkContext,
  by: Author,
  request: { id: string; claimToken: string },
): Promise<TaskRecord> {
  return context.library.write(async () => {
    const row = await requireHeld(context, request);
    await touch(context, by, row.id, { claimed_by: null, claim_token: null, claim_expires_at: null });
    await note(context, by, 'release', row, { by: row.claimed_by });
    return taskOf(context, row.id);
  });
}

/** The claimant moves the task; others wait, unless they are a person. */
export function refuseForeignClaim(
  context: WorkContext,
  by: Author,
  row: StoredContainer,
  claimToken: string | undefined,
): void {
  const live = row.claim_expires_at !== null && row.claim_expires_at > context.clock.now();
  if (claimToken !== undefined && claimToken !== row.claim_token) throw lost(row);
  if (!live || by.person || claimToken !== undefined || row.claimed_by === by.actor) return;
  throw new SylkError(
    'CONFLICT',
    `The task is claimed by ${row.claimed_by} until ${isoTime(row.claim_expires_at ?? 0)}.`,
    {
      hint: 'Pass the claimToken of the claim, or take another task.',
      data: { id: row.id, claimedBy: row.claimed_by, currentVersion: row.version },
    },
  );
}

function checkLease(seconds: number): void {
  if (seconds >= leaseLimits.least && seconds <= leaseLimits.most) return;
  throw new SylkError('VALIDATION_ERROR', `Invalid leaseSeconds: ${seconds}.`, {
    hint: `Give ${leaseLimits.least} to ${leaseLimits.most} seconds.`,
  });
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000);

async function setExpiry(context: WorkContext, id: string, seconds: number): Promise<void> {
  await sql`UPDATE work_containers SET claim_expires_at = ${leaseNow(context.clock)} + ${milliseconds(seconds)}
    WHERE id = ${id}`.execute(tablesOf(context));
}

async function isLive(context: WorkContext, id: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM work_containers
    WHERE id = ${id} AND claim_expires_at > ${leaseNow(context.clock)}`.execute(tablesOf(context));
  return rows.length > 0;
}

async function requireFree(context: WorkContext, id: string): Promise<StoredContainer> {
  const row = await requireContainer(context, id, 'task');
  const workflows = await activeWorkflows(context);
  if (isTerminal(workflows.task, row.status))
    throw new SylkError('INVALID_OPERATION', `The task is ${row.status}, which is final.`, {
      hint: 'Claim another one.',
    });
  if (row.blockers > 0)
    throw new SylkError('BLOCKED', `The task ${JSON.stringify(row.name)} is blocked.`, {
      hint: 'Run `sylk work show ID --dependencies` to see by what.',
    });
  if (await isLive(context, id))
    throw new SylkError('CONFLICT', `The task is claimed by ${row.claimed_by}.`, {
      hint: 'Take another task, or wait until the lease ends.',
      data: { id, claimedBy: row.claimed_by, expiresAt: isoTime(row.claim_expires_at ?? 0) },
    });
  return row;
}

async function requireHeld(
  context: WorkContext,
  request: { id: string; claimToken: string },
): Promise<StoredContainer> {
  const row = await requireContainer(context, request.id, 'task');
  if (row.claim_token !== request.claimToken || !(await isLive(context, request.id))) throw lost(row);
  return row;
}

const lost = (row: StoredContainer) =>
  new SylkError('CONFLICT', 'This claim has ended: its lease expired, or someone else holds the task now.', {
    hint: 'Stop the work, read the task again, and claim it again if it is free.',
    data: { id: row.id, claimedBy: row.claimed_by, currentVersion: row.version },
  });

const taskOf = async (context: WorkContext, id: string): Promise<TaskRecord> =>
  oneRecord<TaskRecord>(context, await requireContainer(context, id, 'task'));
