import { refOf } from '../../base/ref.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import { codeEdges } from '../../stores/graph/index.ts';
import { type Card, type Cards, entryCard } from './cards.ts';
import { type KnowledgeContext, searchCode } from './context.ts';
import type { RelatedOf } from './related.ts';

/** How many related items of each domain are listed per result. */
const beside = 5;

/** Searches code, memory and references at once, and adds to each result what the other two have about it. */
export function createEnrichedSearch(
  context: KnowledgeContext,
  { cards, relatedOf }: { cards: Cards; relatedOf: RelatedOf },
) {
  const hitsOf = async (
    viewer: Viewer,
    request: { query: string; limit: number; path?: string | undefined },
  ) => {
    const wide = request.limit * 3;
    const code = await searchCode(context, request.query, { limit: wide, path: request.path });
    const entries = await context.chronicle.find(viewer, { text: request.query, limit: wide });
    const topics = await (await context.references()).searchTopics(request.query, wide);
    const known = await cards.of(viewer, [
      ...code.map(({ ref }) => ref),
      ...topics.map(({ topic_id }) => refOf('topic', topic_id)),
    ]);
    return [
      code.flatMap(({ ref, score }) => hitOf(known.get(ref), score)),
      entries.map((entry) => ({ card: entryCard(entry), score: entry.score })),
      topics.flatMap(({ topic_id, score }) => hitOf(known.get(refOf('topic', topic_id)), score)),
    ];
  };

  const around = async (viewer: Viewer, { card, score }: { card: Card; score: number }) => {
    const asked = [card.was ?? card.ref];
    const related = await relatedOf(viewer, asked, { within: card.kind === 'file' });
    const side = (wanted: Card['side']) =>
      unique(
        related
          .filter((one) => one.card.side === wanted && one.type !== 'produced_by')
          .map((one) => one.card),
      );
    return {
      hit: card,
      score,
      code: card.side === 'code' ? [] : side('code'),
      history: card.side === 'history' ? [] : side('history'),
      references: card.side === 'knowledge' ? [] : side('knowledge'),
    };
  };

  /** Under a path: code in it, and items linked to that code. */
  const below = async (viewer: Viewer, card: Card, path: string): Promise<boolean> => {
    if (card.side === 'code') return (card.path ?? '').includes(path);
    const touched = await relatedOf(viewer, [card.ref], {
      side: 'code',
      types: card.side === 'history' ? codeEdges : undefined,
    });
    return touched.some((one) => (one.card.path ?? '').includes(path));
  };

  return async (viewer: Viewer, request: { query: string; limit: number; path?: string | undefined }) => {
    const kept: Array<{ card: Card; score: number }> = [];
    for (const hit of interleaved(await hitsOf(viewer, request))) {
      if (request.path && !(await below(viewer, hit.card, request.path))) continue;
      kept.push(hit);
      if (kept.length >= request.limit) break;
    }
    return Promise.all(kept.map((hit) => around(viewer, hit)));
  };
}

const hitOf = (card: Card | undefined, score: number) => (card ? [{ card, score }] : []);

/** Scores of different domains are not comparable; the best of each are interleaved. */
function interleaved<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => (list[at] ? [list[at]] : [])),
  ).flat();
}

const unique = (given: Card[]): Card[] =>
  [...new Map(given.map((card) => [card.ref, card])).values()].slice(0, beside);
