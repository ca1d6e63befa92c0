import type { AnsweredConflict, Citation } from './answer.ts';
import type { Scored } from './mitigations/quality.ts';
import { placeOf, stateOfWeighed, type Weighed, warningsOf } from './sources.ts';

export function citationOf(
  { item, quality }: Pick<Scored<Weighed>, 'item' | 'quality'>,
  at: number,
): Citation {
  const { card, trust, freshness, facts } = item;
  const warnings = warningsOf(item);
  return {
    n: at + 1,
    ref: card.ref,
    domain: card.domain,
    place: placeOf(card),
    reason: [headingOf(item), card.reason].filter(Boolean).join(' — '),
    matched: card.matched || undefined,
    trust: trust.shown,
    trust_name: trust.name,
    freshness: Math.round(freshness.score * 100) / 100,
    state: stateOfWeighed(item),
    quality: Math.round(quality * 100) / 100,
    updated: card.updated || undefined,
    snippet: card.snippet || undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
    superseded_by: facts.supersededBy || undefined,
    current: facts.currentTitle || undefined,
  };
}

/** A heading of prose is what somebody wrote; the names of code stand for themselves. */
const headingOf = ({ card: { heading = '' }, facts }: Weighed): string =>
  heading && facts.kind === 'repository_text' ? `“${heading}”` : heading;

/** A conflict is shown if one of its sides is cited. */
export const concerns = (conflict: AnsweredConflict, citations: Citation[]): boolean =>
  citations.some(({ ref }) => ref === conflict.left || ref === conflict.right);

export function plainAnswer(citations: Citation[], conflicts: AnsweredConflict[], hint?: string): string {
  if (citations.length === 0) return hint ?? 'No results.';
  return [
    ...(hint ? [hint] : []),
    ...conflicts.filter(({ resolved }) => !resolved).map(conflictLine),
    ...citations.map(citationLine),
  ].join('\n');
}

/** `[1] src/a.ts:3-9 — login`, with a label where it warns. */
export const citationLine = ({ n, place, reason, state }: Citation): string =>
  `[${n}] ${[place, reason].filter(Boolean).join(' — ')}${warningLabel(state)}`;

/** Current code and recent records need no label. */
export const warningLabel = (state: string): string => (/⚠️|not verified/.test(state) ? ` (${state})` : '');

export const conflictLine = ({
  kind,
  description,
  reason,
}: Pick<AnsweredConflict, 'kind' | 'description' | 'reason'>): string =>
  `⚠️ Conflict (${kind.replace('_', ' ')}): ${description} ${reason}.`;
