import { z } from 'zod';
/** Why a person is asked. The product knows these two; any other part names its own in capitals. */
export type ApprovalReason =
  | { type: 'workspace_escape'; path: string }
  | { type: 'reference_topic_create'; title: string; summary: string }
  | { type: 'other'; kind: string; title: string; summary: string };

/** What would be reached or changed, exactly: shown to the person whole, and part of the digest. */
export interface ApprovalTarget {
  kind: string;
  /** An address, a path or a command, untruncated. */
  target: string;
  /** What it resolved to when it was asked, such as a commit. */
  resolved?: string;
  note?: string;
}

export const approvalStatuses = ['pending', 'approved', 'denied', 'used', 'expired'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** An approval as it is shown. */
export const approvalSchema = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(approvalStatuses),
  prompt: z.string().describe('the question as a person reads it'),
  targets: z.array(
    z.object({
      kind: z.string(),
      target: z.string(),
      resolved: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
  digest: z.string(),
  files: z.number().nullable(),
  bytes: z.number().nullable(),
  repository: z.string().describe('where it was asked from; empty if nowhere'),
  requested_by: z.string(),
  requested_at: z.string(),
  expires_at: z.string(),
  answered_at: z.string().nullable(),
  answered_by: z.string().nullable(),
  note: z.string().nullable(),
  used_at: z.string().nullable(),
});

export type Approval = z.output<typeof approvalSchema> & { reason: ApprovalReason };

export const approvalEventSchema = z.object({
  at: z.string(),
  event: z.enum(['requested', 'approved', 'denied', 'started', 'released', 'used', 'refused']),
  by: z.string(),
  note: z.string().nullable(),
});
export type ApprovalEvent = z.output<typeof approvalEventSchema>;

export interface ApprovalRequest {
  reason: ApprovalReason;
  targets: ApprovalTarget[];
  /** Over everything the answer is about: one changed byte makes it another request. */
  digest: string;
  files?: number;
  bytes?: number;
  repository: string;
  requestedBy: string;
}
