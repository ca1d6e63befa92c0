import { z } from 'zod';

/** The author. `unknown` for entries of older versions that stored none. */
export const authorSchema = z.object({ kind: z.enum(['person', 'agent', 'unknown']), name: z.string() });
export type Author = z.output<typeof authorSchema>;

/** Categories of entries. The first ten are written by hand; agents leave the others at checkpoints. */
export const categories = [
  'decision',
  'insight',
  'pattern',
  'failure',
  'task_state',
  'timeline',
  'user_voice',
  'hypothesis',
  'open_thread',
  'general',
  'librarian_checkpoint',
  'guide_checkpoint',
  'academic_research_paper',
  'architect_workflow',
  'inspector_findings',
  'tester_summary',
  'pipeline_handoff',
  'tool_discovery',
] as const;
export type Category = (typeof categories)[number];

export const summaryTypes = [
  'task_completion',
  'decision',
  'failure',
  'pattern',
  'refactoring',
  'bug_fix',
  'feature',
] as const;
export type SummaryType = (typeof summaryTypes)[number];

/** The type of a summary is a tag; its category follows from it. */
export const categoryOfSummary = (type: SummaryType): Category =>
  type === 'decision' || type === 'failure' || type === 'pattern' ? type : 'timeline';

/** Written in the main session, these are everybody's at once; other categories stay private until promoted. */
export const commonCategories: readonly Category[] = [
  'decision',
  'failure',
  'pattern',
  'insight',
  'open_thread',
];

export const promotionRules = ['main_session', 'session_completed', 'person', 'inspector', 'used'] as const;
export type PromotionRule = (typeof promotionRules)[number];

export const entrySchema = z.object({
  id: z.string(),
  session_id: z.string(),
  category: z.enum(categories),
  summary_type: z.enum(summaryTypes).nullable(),
  title: z.string(),
  content: z.string(),
  resolution: z.string(),
  source: z.string(),
  source_kind: z.enum(['person', 'agent', 'model', 'system']),
  tags: z.array(z.string()),
  refs: z.array(z.string()),
  derived_from: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  confidence: z.number(),
  promoted: z.boolean(),
  promoted_by: z.string(),
  superseded_by: z.string().nullable(),
  needs_review: z.boolean(),
  verification: z.enum(['none', 'against_code', 'against_history', 'by_user']),
  uses: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Entry = z.output<typeof entrySchema>;

/** The content of an entry. */
export const textOfEntry = ({ title, content, resolution }: Entry): string =>
  [content.startsWith(title) ? '' : `${title}.`, content, resolution].filter(Boolean).join('\n');

export interface NewEntry {
  session_id: string;
  category: Category;
  content: string;
  title?: string | undefined;
  summary_type?: SummaryType | undefined;
  resolution?: string | undefined;
  source: string;
  source_kind: Entry['source_kind'];
  tags?: string[] | undefined;
  refs?: string[] | undefined;
  /** Refs of the sources: forgetting one of them forgets this entry. */
  derived_from?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  confidence?: number | undefined;
  supersedes?: string | undefined;
  /** Visible to every session from the start. */
  shared?: boolean | undefined;
}

/** The result of a submission. */
export interface Submission {
  result: 'accepted' | 'merged' | 'conflicting';
  entry: Entry;
  /** Entries that contradict it on the same subject. */
  conflicts_with: string[];
  /** Evidence against it from a check. */
  warnings: string[];
}

/** What stands beside an entry wherever it is shown. A person's word stays; what speaks against it is said beside it. */
export function doubtAbout({
  needs_review,
  verification,
}: {
  needs_review?: boolean;
  verification?: string;
}): string {
  if (needs_review) return verification === 'by_user' ? '⚠️ disputed' : '⚠️ UNVERIFIED, disputed';
  return verification === 'none' ? 'unverified' : '';
}
