import { z } from 'zod';
import { isRefOf } from '../../base/ref.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import { type Edge, type EdgeType, edgeTypes, parseRef, type Side } from '../../stores/graph/index.ts';
import { type Cards, cardSchema } from './cards.ts';
import { graphViewer, type KnowledgeContext } from './context.ts';
import { type Places, splitCodeRef } from './places.ts';

export const relatedSchema = z.object({
  type: z.enum(edgeTypes),
  direction: z.enum(['out', 'in']),
  weight: z.number(),
  /** The requested ref that it belongs to. */
  about: z.string(),
  card: cardSchema,
});
export type Related = z.output<typeof relatedSchema>;

export interface RelatedRequest {
  types?: readonly EdgeType[] | undefined;
  direction?: 'out' | 'in' | 'both' | undefined;
  side?: Side | undefined;
  /** Links of the symbols of a file count as links of the file. */
  within?: boolean | undefined;
  /** An item linked to several of the refs is returned for each of them. */
  each?: boolean | undefined;
}

/** Items linked to any of the refs: found under every earlier name, returned under the current one. */
export function createRelated(
  context: KnowledgeContext,
  { places, cards }: { places: Places; cards: Cards },
) {
  const { graph } = context;

  const spread = async (refs: string[], within: boolean): Promise<string[]> => {
    const named = await places.names(refs);
    if (!within) return named;
    const paths = named.filter((ref) => isRefOf(ref, 'file')).map((ref) => splitCodeRef(ref).path);
    return [...new Set([...named, ...(await graph.symbolRefs(paths))])];
  };

  return async (viewer: Viewer, refs: string[], request: RelatedRequest = {}): Promise<Related[]> => {
    const asked = await spread(refs, request.within ?? false);
    const own = new Set(asked);
    const { types, direction = 'both' } = request;
    const edges = await graph.edgesOf(asked, { types, direction, viewer: graphViewer(viewer) });
    const ends = edges.map((edge) => endOf(edge, own, direction)).filter(({ ref }) => !own.has(ref));
    const fitting = ends.filter(({ ref }) => !request.side || parseRef(ref).side === request.side);
    const known = await cards.of(
      viewer,
      fitting.flatMap(({ ref, about }) => [ref, ...(/^(?:file|symbol):/.test(about) ? [about] : [])]),
    );
    const related = new Map<string, Related>();
    for (const { ref, edge, direction: way, about } of fitting) {
      const card = known.get(ref);
      if (!card) continue;
      const key = `${card.ref} ${edge.type} ${way}${request.each ? ` ${about}` : ''}`;
      const before = related.get(key);
      if (before && before.weight >= edge.weight) continue;
      related.set(key, {
        card,
        type: edge.type,
        direction: way,
        weight: edge.weight,
        about: known.get(about)?.ref ?? about,
      });
    }
    return [...related.values()].sort(
      (a, b) => b.weight - a.weight || (a.card.at ?? '').localeCompare(b.card.at ?? '') * -1,
    );
  };
}

export type RelatedOf = ReturnType<typeof createRelated>;

function endOf(edge: Edge, own: Set<string>, direction: 'out' | 'in' | 'both') {
  const out = direction === 'out' || (direction === 'both' && own.has(edge.source));
  return {
    edge,
    ref: out ? edge.target : edge.source,
    about: out ? edge.source : edge.target,
    direction: out ? ('out' as const) : ('in' as const),
  };
}
