import { isRefOf } from '../../base/ref.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import type { EdgeType, Reached, TraverseRequest } from '../../stores/graph/index.ts';
import type { Card, Cards } from './cards.ts';
import { codeSteps, structuralTypes } from './code-steps.ts';
import { graphViewer, type KnowledgeContext, type Seeing } from './context.ts';
import { type Places, splitCodeRef } from './places.ts';

export interface Walked extends Omit<Reached, 'ref'> {
  card: Card;
}

type WalkRequest = Pick<TraverseRequest, 'types' | 'direction' | 'depth' | 'offset' | 'limit'>;
type Walk = { reached: Reached[]; total: number; truncated: boolean };

/** A walk over code consists of many small queries; it stops here and says so. */
const mostWithCode = 2000;

/** A walk over links as one viewer sees it: under current names, and never through hidden items. */
export function createWalk(
  { graph, code }: KnowledgeContext,
  { places, cards, seeing }: { places: Places; cards: Cards; seeing: Seeing },
) {
  const otherNames = async (refs: string[]): Promise<string[]> => {
    const ofCode = refs.filter((one) => /^(?:file|symbol):/.test(one));
    return ofCode.length === 0 ? [] : (await places.names(ofCode)).filter((one) => !refs.includes(one));
  };

  const overLinks = (viewer: Viewer, from: string[], request: WalkRequest): Promise<Walk> =>
    graph.traverse({
      ...request,
      from,
      viewer: graphViewer(viewer),
      alike: otherNames,
      hidden: (refs) => seeing.hidden(viewer, refs),
    });

  /** Level by level over links and, if requested, over links derived from the code. */
  const overCode = async (viewer: Viewer, from: string[], request: WalkRequest): Promise<Walk> => {
    const { direction = 'both', depth = 1, offset = 0, limit = 200 } = request;
    const types = new Set(request.types);
    const store = await code();
    const seen = new Set(from);
    const reached: Reached[] = [];
    let level = from;
    for (let at = 1; at <= depth && level.length > 0 && reached.length < mostWithCode; at++) {
      const near = await overLinks(viewer, level, {
        types: [...types],
        direction,
        depth: 1,
        limit: mostWithCode,
      });
      const found = [...near.reached, ...level.flatMap((ref) => codeSteps(store, ref, types, direction))];
      level = [];
      for (const step of found) {
        if (seen.has(step.ref)) continue;
        seen.add(step.ref);
        level.push(step.ref);
        reached.push({ ...step, depth: at });
      }
    }
    const total = Math.min(reached.length, mostWithCode);
    return {
      reached: reached.slice(0, total).slice(offset, offset + limit),
      total,
      truncated: reached.length >= mostWithCode,
    };
  };

  return async (
    viewer: Viewer,
    ref: string,
    request: WalkRequest,
  ): Promise<{ start: Card | undefined; reached: Walked[]; total: number; truncated: boolean }> => {
    const [start] = await seeing.visible(viewer, [ref]);
    if (!start) return { start: undefined, reached: [], total: 0, truncated: false };
    const named = await places.names([ref]);
    // Links of the symbols of a file are links of the file.
    const paths = named.filter((one) => isRefOf(one, 'file')).map((one) => splitCodeRef(one).path);
    const names = asksCode(request.types) ? named : [...named, ...(await graph.symbolRefs(paths))];
    const walk = asksCode(request.types) ? overCode : overLinks;
    const { reached, total, truncated } = await walk(viewer, names, request);
    const known = await cards.of(viewer, [ref, ...reached.flatMap(({ ref: one, from }) => [one, from])]);
    return {
      start: known.get(ref),
      reached: reached.flatMap(({ ref: one, from, ...step }) => {
        const card = known.get(one);
        return card ? [{ card, from: known.get(from)?.ref ?? from, ...step }] : [];
      }),
      total,
      truncated,
    };
  };
}

const asksCode = (types: readonly EdgeType[] | undefined): boolean =>
  types?.some((type) => structuralTypes.some((each) => each === type)) ?? false;
