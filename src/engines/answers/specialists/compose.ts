import { showName } from '../../../base/terminal-text.ts';
import type { Citation } from '../answer.ts';

/** A place, a commit, an entry or a passage that a specialist cites. */
export type Cited = Pick<Citation, 'ref' | 'domain' | 'place' | 'reason'> & {
  snippet?: string;
  /** 0–1: how well it fits the question. */
  relevance?: number;
  /** Milliseconds since the epoch. */
  at?: number;
  /** ISO date. */
  updated?: string;
};

/** An answer in parts: numbered lines under headings, and what each number stands for. */
export interface ComposedAnswer {
  status: 'ok' | 'no_matches';
  level: 1 | 2;
  answer: string;
  citations: Array<Cited & { n: number }>;
  notes: string[];
}

export interface Part {
  heading?: string;
  cited: Cited[];
  /** Said where there is nothing to cite. */
  none?: string;
}

export function compose(parts: Part[], notes: string[] = []): ComposedAnswer {
  const citations: ComposedAnswer['citations'] = [];
  const lines: string[] = [];
  for (const { heading, cited, none } of parts) {
    if (heading && (cited.length > 0 || none)) lines.push(`── ${heading}`);
    for (const each of cited) {
      citations.push({ ...each, n: citations.length + 1 });
      // Names of files and words of entries stay in their line, whatever they contain.
      lines.push(`[${citations.length}] ${showName([each.place, each.reason].filter(Boolean).join(' — '))}`);
    }
    if (cited.length === 0 && none) lines.push(none);
  }
  return {
    status: citations.length > 0 ? 'ok' : 'no_matches',
    level: 2,
    answer: lines.join('\n'),
    citations,
    notes,
  };
}
