// Owns: approval requests and answers (with their audit trail), what a person allowed always, and what a person trusted of which repository.
// Knows: base only.
// Must not know: what an approval is used for.
import { bindAll } from '../../base/bind.ts';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { Approval } from './approval.ts';
import type { ApprovalsContext } from './context.ts';
import { answer, request } from './ingest.ts';
import { permit } from './permit.ts';
import { type ApprovalPolicy, judge, type PolicyQuestion } from './policy.ts';
import { getApproval, hasApproval, listApprovals } from './query.ts';
import { endStanding, listStanding } from './standing.ts';
import { type ApprovalTables, migrations } from './tables.ts';
import { findDecision, trustContent, trustDecisions, trustedItem, untrustContent } from './trust.ts';

export {
  type Approval,
  type ApprovalReason,
  type ApprovalTarget,
  approvalEventSchema,
  approvalSchema,
  approvalStatuses,
  type Standing,
  type StandingOffer,
  standingSchema,
} from './approval.ts';
export type { PermitRequest } from './permit.ts';
export { approvalsSection } from './policy.ts';
export { approvalPrompt, formatApprovalReason, parseApprovalReason } from './reason-text.ts';
export { type TrustedContent, trustedContent } from './trust.ts';

export type Approvals = ReturnType<typeof openApprovals>;

export function openApprovals(options: {
  library: Library;
  clock: Clock;
  policy: ApprovalPolicy;
  expireHours: number;
  told?: (approval: Approval) => void;
}) {
  options.library.migrate(migrations);
  const context: ApprovalsContext = { ...options, tables: options.library.tables<ApprovalTables>() };
  return {
    ...bindAll(context, {
      permit,
      request,
      answer,
      has: hasApproval,
      get: getApproval,
      list: listApprovals,
      standing: listStanding,
      endStanding,
      trustContent,
      untrustContent,
      trustedItem,
      trustDecision: findDecision,
      trustDecisions,
    }),
    /** Whether one of the person's own rules approves by itself. */
    allows: (question: PolicyQuestion): boolean => judge(options.policy, question) === 'allow',
  };
}
