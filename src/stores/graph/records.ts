import { z } from 'zod';
import { type EdgeType, edgeTypes, type NodeKind, nodeKinds } from './vocabulary.ts';

export const edgeSchema = z.object({
  source: z.string(),
  target: z.string(),
  type: z.enum(edgeTypes),
  /** 0–1: confidence or weight. */
  weight: z.number(),
  metadata: z.record(z.string(), z.unknown()),
  by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Edge = z.output<typeof edgeSchema>;

export interface NewEdge {
  source: string;
  target: string;
  type: EdgeType | (string & {});
  weight?: number | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** The author of the link. */
  by: string;
  /** Visible to this session only; shared when omitted. */
  session?: string | undefined;
}

/** The last known place; shown when the item is deleted. */
export const placeSchema = z.object({
  name: z.string().optional(),
  path: z.string().optional(),
  line: z.number().optional(),
  end_line: z.number().optional(),
  url: z.string().optional(),
});
export type Place = z.output<typeof placeSchema>;

export const nodeSchema = z.object({
  ref: z.string(),
  kind: z.enum(nodeKinds).nullable(),
  place: placeSchema,
  content_hash: z.string().nullable(),
  superseded_by: z.string().nullable(),
  expires_at: z.string().nullable(),
  archived_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type GraphNode = z.output<typeof nodeSchema>;

export interface NodeFacts {
  ref: string;
  kind?: NodeKind | undefined;
  place?: Place | undefined;
  content_hash?: string | undefined;
  /** Milliseconds; null: never. */
  expires_at?: number | null | undefined;
}

/** The viewer: their session's links and the shared ones; a person may see those of every session. */
export interface GraphViewer {
  session: string;
  sees_all: boolean;
}

export const sourceTypes = ['code', 'history', 'academic', 'llm_inference', 'user_provided'] as const;
export type SourceType = (typeof sourceTypes)[number];

/** A source of an entry or an answer. */
export interface Source {
  type: SourceType;
  ref?: string | undefined;
  path?: string | undefined;
  line?: number | undefined;
  end_line?: number | undefined;
  url?: string | undefined;
  /** 0–1. */
  confidence: number;
  /** Milliseconds. */
  verified_at?: number | null | undefined;
}

export const verificationKinds = ['none', 'against_code', 'against_history', 'by_user'] as const;

export const contradictionSchema = z.object({
  claim: z.string(),
  /** The evidence against it. */
  ref: z.string().optional(),
  detail: z.string(),
});
export type Contradiction = z.output<typeof contradictionSchema>;

export const verificationSchema = z.object({
  ref: z.string(),
  verification: z.enum(verificationKinds),
  confidence: z.number(),
  needs_review: z.boolean(),
  warnings: z.array(z.string()),
  contradictions: z.array(contradictionSchema),
  verdict: z.enum(['confirmed', 'rejected']).nullable(),
  reviewed_by: z.string(),
  recorded_at: z.string(),
  reviewed_at: z.string().nullable(),
});
export type Verification = z.output<typeof verificationSchema>;

export interface NewVerification {
  verification: Verification['verification'];
  confidence: number;
  needsReview: boolean;
  warnings: string[];
  contradictions: Contradiction[];
}

export const conflictKinds = ['temporal', 'source_mismatch', 'semantic'] as const;

export const conflictSchema = z.object({
  id: z.string(),
  kind: z.enum(conflictKinds),
  left: z.string(),
  right: z.string(),
  subject: z.string(),
  detail: z.string(),
  /** A proposed resolution and why; not a decision. */
  proposal: z.string(),
  detected_at: z.string(),
  resolved: z.boolean(),
  resolution: z.string(),
  resolved_by: z.string(),
  resolved_at: z.string().nullable(),
});
export type Conflict = z.output<typeof conflictSchema>;

export interface NewConflict {
  kind: Conflict['kind'];
  left: string;
  right: string;
  subject: string;
  detail: string;
  proposal?: string | undefined;
}
