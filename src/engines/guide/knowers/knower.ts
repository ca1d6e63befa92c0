import type { TimeScope } from '../../../base/text/index.ts';

/** A question as routing hands it on. */
export interface KnowerQuestion {
  query: string;
  intent: string;
  verb: string;
  subject: string;
  confidence: number;
  time_scope?: Pick<TimeScope, 'name' | 'phrase' | 'from' | 'to'> | undefined;
  /** Whose entries may be seen. */
  session: string;
  path?: string | undefined;
  token_budget?: number | undefined;
  thoroughness?: 'quick' | 'moderate' | 'thorough' | undefined;
  signal?: AbortSignal | undefined;
}

export interface Found {
  ref: string;
  domain: string;
  place: string;
  reason: string;
  trust: number;
  snippet?: string;
  /** 0–1, how well it fits the question. */
  relevance?: number;
  /** What the resolver says besides: its label, how fresh and how good it is. */
  trust_name?: string;
  freshness?: number;
  state?: string;
  quality?: number;
  /** ISO date. */
  updated?: string;
  warnings?: string[];
}

/** Level 1 is found again, level 2 is made from what is stored; no model is asked. */
export interface KnowerAnswer {
  status: 'ok' | 'no_matches';
  level: 1 | 2;
  answer: string;
  citations: Array<Found & { n: number }>;
  notes: string[];
  /** Sources that contradict each other, as the resolver tells them. */
  conflicts?: unknown[];
  /** Only this code holds something about it: whoever knows it can say more than the one who was asked. */
  only_here?: boolean;
}

export type Knower = (question: KnowerQuestion) => Promise<KnowerAnswer>;

/** Numbers what was found, under the heading of the part that found it. */
export function compose(
  parts: Array<{ heading?: string; found: Found[]; none?: string }>,
  extra: { notes?: string[]; level?: 1 | 2; conflicts?: unknown[] } = {},
): KnowerAnswer {
  const citations: KnowerAnswer['citations'] = [];
  const lines: string[] = [];
  for (const { heading, found, none } of parts) {
    if (heading && (found.length > 0 || none)) lines.push(`── ${heading}`);
    for (const each of found) {
      citations.push({ n: citations.length + 1, ...each });
      lines.push(`[${citations.length}] ${each.place} — ${each.reason}`);
    }
    if (found.length === 0 && none) lines.push(none);
  }
  return {
    status: citations.length > 0 ? 'ok' : 'no_matches',
    level: extra.level ?? 2,
    answer: lines.join('\n'),
    citations,
    notes: extra.notes ?? [],
    conflicts: extra.conflicts,
  };
}
