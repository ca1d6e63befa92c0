import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { Approval, ApprovalRequest } from './approval.ts';
import { claim, type Permit } from './claim.ts';
import type { ApprovalsContext } from './context.ts';
import { answer, request } from './ingest.ts';
import { judge } from './policy.ts';
import { formatApprovalReason, kindOf } from './reason-text.ts';

export interface PermitRequest extends ApprovalRequest {
  approvalId?: string | undefined;
}

/**
 * The only gate. Returns a permit, or throws APPROVAL_REQUIRED with `approval_id`, or DENIED. The person's
 * rules come first, then an earlier answer.
 */
export async function permit(context: ApprovalsContext, asked: PermitRequest): Promise<Permit> {
  const verdict = judge(context.policy, { kind: kindOf(asked.reason), ...asked });
  if (verdict === 'deny') {
    const denied = await request(context, asked);
    await answer(context, denied.id, { decision: 'denied', by: 'policy', note: 'a rule denies it' });
    return claim(context, denied.id, asked.digest, asked.requestedBy);
  }
  if (asked.approvalId) return claim(context, asked.approvalId, asked.digest, asked.requestedBy);
  const given = await answeredBefore(context, asked);
  if (given) return claim(context, given, asked.digest, asked.requestedBy);
  const approval = await request(context, asked);
  if (verdict !== 'allow') throw approvalRequired(approval);
  await answer(context, approval.id, { decision: 'approved', by: 'policy' });
  return claim(context, approval.id, asked.digest, asked.requestedBy);
}

/** An approval for exactly this request counts even if the caller omits its id. */
async function answeredBefore(
  { tables, clock }: ApprovalsContext,
  asked: ApprovalRequest,
): Promise<string | undefined> {
  const row = await tables
    .selectFrom('approvals')
    .select('id')
    .where('digest', '=', asked.digest)
    .where('repository', '=', asked.repository)
    .where('status', '=', 'approved')
    .where('expires_at', '>', isoTime(clock.now()))
    .executeTakeFirst();
  return row?.id;
}

function approvalRequired(approval: Approval): SylkError {
  return new SylkError('APPROVAL_REQUIRED', formatApprovalReason(approval.reason), {
    hint: `Ask the person to run \`sylk approve ${approval.id}\` in a terminal, then call again with the same input and approval_id.`,
    data: {
      approval_id: approval.id,
      prompt: approval.prompt,
      targets: approval.targets,
      expires_at: approval.expires_at,
    },
  });
}
