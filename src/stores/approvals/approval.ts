import { z } from 'zod';
/** Why a person is asked. The product defines these two; other parts add their own in capitals. */
export type ApprovalReason =
  | { type: 'workspace_escape'; path: string }
  | { type: 'reference_topic_create'; title: string; summary: string }
  | { type: 'other'; kind: string; title: string; summary: string };

/** The exact targets: shown to the person in full, and part of the digest. */
export interface ApprovalTarget {
  kind: string;
  /** A URL, a path or a command, untruncated. */
  target: string;
  /** What it resolved to at request time, such as a commit. */
  resolved?: string;
  note?: string;
}

/** What a person who says "always" would allow or refuse: one tool with one command, or with one path. */
export interface StandingOffer {
  tool: string;
  command?: string | undefined;
  path?: string | undefined;
}

/** What a person allowed or refused always, in one repository. */
export const standingSchema = z.object({
  id: z.string(),
  repository: z.string(),
  tool: z.string(),
  command: z.string().nullable(),
  path: z.string().nullable(),
  exact: z.boolean().describe('false: every command that begins with these words'),
  decision: z.enum(['approved', 'denied']),
  given_at: z.string(),
  given_by: z.string(),
  approval_id: z.string().describe('the request that it answered first'),
});
export type Standing = z.output<typeof standingSchema>;

export const approvalStatuses = ['pending', 'approved', 'denied', 'used', 'expired'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** An approval for display. */
export const approvalSchema = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(approvalStatuses),
  prompt: z.string().describe('the question for the person'),
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
  repository: z.string().describe('the repository of the request; empty if none'),
  requested_by: z.string(),
  requested_at: z.string(),
  expires_at: z.string(),
  answered_at: z.string().nullable(),
  answered_by: z.string().nullable(),
  note: z.string().nullable(),
  used_at: z.string().nullable(),
  always: z
    .array(z.object({ tool: z.string(), command: z.string().optional(), path: z.string().optional() }))
    .describe('what it would allow to answer "always"; empty where that can\'t be said'),
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
  /** Digest of everything the answer covers: one changed byte makes it a different request. */
  digest: string;
  files?: number;
  bytes?: number;
  /** What "always" would allow; without it a person can only answer for this once. */
  always?: StandingOffer[] | undefined;
  repository: string;
  requestedBy: string;
}
