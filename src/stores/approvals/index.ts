// Owns: what a person was asked and answered (approvals with their audit trail), and what of which repository a person trusted.
// Knows: base only.
// Must not know: what is done with an approval.
import type { Clock } from '../../base/clock.ts';
import type { ContentItem } from '../../base/content-item.ts';
import type { Library } from '../../base/library/index.ts';
import type { Approval, ApprovalEvent, ApprovalRequest, ApprovalStatus } from './approval.ts';
import type { Permit } from './claim.ts';
import { type Answer, answer, request } from './ingest.ts';
import { type PermitRequest, permit } from './permit.ts';
import { type ApprovalPolicy, judge, type PolicyQuestion } from './policy.ts';
import { getApproval, listApprovals } from './query.ts';
import { type ApprovalTables, migrations } from './tables.ts';
import {
  findDecision,
  type TrustDecision,
  trustContent,
  trustDecisions,
  trustedItem,
  untrustContent,
} from './trust.ts';

export {
  type Approval,
  type ApprovalReason,
  approvalEventSchema,
  approvalSchema,
  approvalStatuses,
} from './approval.ts';
export type { Permit } from './claim.ts';
export type { PermitRequest } from './permit.ts';
export { approvalsSection } from './policy.ts';
export { approvalPrompt, formatApprovalReason, parseApprovalReason } from './reason-text.ts';
export { type TrustedContent, trustedContent } from './trust.ts';

export interface Approvals {
  permit(asked: PermitRequest): Promise<Permit>;
  request(asked: ApprovalRequest): Promise<Approval>;
  answer(id: string, given: Answer): Promise<Approval>;
  get(id: string): Promise<Approval & { events: ApprovalEvent[] }>;
  list(filter?: {
    status?: ApprovalStatus | undefined;
    repository?: string | undefined;
  }): Promise<Approval[]>;
  /** Whether a rule of the person's own answers yes by itself. */
  allows(question: PolicyQuestion): boolean;
  trustContent(decision: { path: string; items: ContentItem[]; by: string }): Promise<TrustDecision>;
  untrustContent(decision: { path: string; items?: string[]; by: string }): Promise<number>;
  /** One item as it was trusted. */
  trustedItem(asked: { path: string; item: string }): Promise<{ digest: string; text: string } | undefined>;
  trustDecision(path: string): Promise<TrustDecision>;
  trustDecisions(): Promise<TrustDecision[]>;
}

export function openApprovals(options: {
  library: Library;
  clock: Clock;
  policy: ApprovalPolicy;
  expireHours: number;
  told?: (approval: Approval) => void;
}): Approvals {
  options.library.migrate(migrations);
  const stand = { ...options, tables: options.library.tables<ApprovalTables>() };
  return {
    permit: (asked) => permit(stand, asked),
    request: (asked) => request(stand, asked),
    answer: (id, given) => answer(stand, id, given),
    get: (id) => getApproval(stand, id),
    list: (filter) => listApprovals(stand, filter),
    allows: (question) => judge(stand.policy, question) === 'allow',
    trustContent: (decision) => trustContent(stand, decision),
    untrustContent: (decision) => untrustContent(stand, decision),
    trustedItem: (asked) => trustedItem(stand, asked),
    trustDecision: (path) => findDecision(stand, path),
    trustDecisions: () => trustDecisions(stand),
  };
}
