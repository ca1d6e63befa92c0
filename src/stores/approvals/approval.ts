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

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'used' | 'expired';

export interface Approval {
  id: string;
  kind: string;
  /** The repository it was asked from; '' if none. */
  repository: string;
  requested_by: string;
  reason: ApprovalReason;
  /** The question as a person reads it. */
  prompt: string;
  targets: ApprovalTarget[];
  digest: string;
  files: number | null;
  bytes: number | null;
  status: ApprovalStatus;
  requested_at: string;
  expires_at: string;
  answered_at: string | null;
  answered_by: string | null;
  note: string | null;
  used_at: string | null;
}

export interface ApprovalEvent {
  at: string;
  event: 'requested' | 'approved' | 'denied' | 'started' | 'released' | 'used' | 'refused';
  by: string;
  note: string | null;
}

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
