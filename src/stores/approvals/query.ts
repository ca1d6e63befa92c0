import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { Approval, ApprovalEvent, ApprovalStatus } from './approval.ts';
import type { ApprovalsContext } from './context.ts';
import type { ApprovalRow } from './tables.ts';

export function approvalOf(row: ApprovalRow, now: string): Approval {
  const { claimed_pid: _pid, claimed_at: _at, reason, targets, status, always, ...rest } = row;
  const open = status === 'pending' || status === 'approved';
  return {
    ...rest,
    reason: JSON.parse(reason),
    targets: JSON.parse(targets),
    always: JSON.parse(always ?? '[]'),
    status: open && row.expires_at <= now ? 'expired' : status,
  };
}

export const hasApproval = async ({ tables }: ApprovalsContext, id: string): Promise<boolean> =>
  (await tables.selectFrom('approvals').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

export async function getRow({ tables }: ApprovalsContext, id: string): Promise<ApprovalRow> {
  const row = await tables.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) return row;
  throw new SylkError('NOT_FOUND', `Unknown approval ${JSON.stringify(id.slice(0, 80))}.`, {
    hint: 'Run `sylk approvals` to list the waiting requests.',
  });
}

export async function getApproval(
  context: ApprovalsContext,
  id: string,
): Promise<Approval & { events: ApprovalEvent[] }> {
  const row = await getRow(context, id);
  const events = await context.tables
    .selectFrom('approval_events')
    .select(['at', 'event', 'by', 'note'])
    .where('approval_id', '=', id)
    .orderBy('seq')
    .execute();
  return { ...approvalOf(row, isoTime(context.clock.now())), events: events as ApprovalEvent[] };
}

/** Newest first. `pending` excludes expired requests. */
export async function listApprovals(
  context: ApprovalsContext,
  filter: { status?: ApprovalStatus | undefined; repository?: string | undefined } = {},
): Promise<Approval[]> {
  let query = context.tables
    .selectFrom('approvals')
    .selectAll()
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc');
  if (filter.repository !== undefined) query = query.where('repository', '=', filter.repository);
  const now = isoTime(context.clock.now());
  const approvals = (await query.execute()).map((row) => approvalOf(row, now));
  return filter.status ? approvals.filter((approval) => approval.status === filter.status) : approvals;
}
