import { refOf } from '../../base/ref.ts';
import { looking } from '../graph/shared.ts';
import type { OperationContext } from '../operation.ts';
import type { CardOutput } from '../recall/shared.ts';

/** What is linked to a topic, as somebody said or as imports show: surer than what only reads alike. */
export async function linkedHere(
  context: OperationContext,
  topic: string,
  side: 'code' | 'history',
): Promise<CardOutput[]> {
  const { viewer, knowledge } = await looking(context, {});
  const related = await knowledge.relatedOf(viewer, [refOf('topic', topic)], { side });
  return related.map(({ card, type, weight }) => ({
    ref: card.ref,
    domain: side === 'code' ? 'code' : card.kind === 'commit' ? 'commits' : 'chronicle',
    title: card.title,
    path: card.path || undefined,
    lines: card.line ? `${card.line}-${card.end_line ?? card.line}` : undefined,
    snippet: card.text || undefined,
    score: weight,
    relevance: weight,
    reason: `linked: ${type}`,
    trust: side === 'code' ? 100 : 60,
  }));
}

export const linkedFirst = (linked: CardOutput[], found: CardOutput[]): CardOutput[] => {
  const known = new Set(linked.map(({ ref }) => ref));
  return [...linked, ...found.filter(({ ref }) => !known.has(ref))];
};
