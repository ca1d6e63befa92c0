import type { Clock } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { idOf } from '../../base/ref.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { References } from '../../stores/references/index.ts';
import type { Work } from '../../stores/work/index.ts';
import type { Knowledge } from '../knowledge/index.ts';
import type { Memory } from '../memory/index.ts';
import type { WorkAreas } from '../work-areas/index.ts';
import { kindOf, type LinkRecord, type NodeKind, type NodeRecord } from './node.ts';

/** One store as a source of the map. Queries come in whole levels, so that a store is queried once for many refs. */
export interface NeighbourSource {
  /** What it describes. */
  kinds: readonly NodeKind[];
  links(refs: readonly string[], request: LinkRequest): Promise<LinkRecord[]>;
  /** Unknown refs are omitted. */
  describe(refs: readonly string[], viewer: Viewer): Promise<NodeRecord[]>;
}

export interface LinkRequest {
  viewer: Viewer;
  /** The kinds of things to show: others need not be looked up. */
  wanted: ReadonlySet<NodeKind>;
  /** Maximum number of links of one type for one ref. */
  most: number;
}

export interface AroundRequest {
  ref: string;
  depth: number;
  kinds?: readonly NodeKind[] | undefined;
  types?: readonly string[] | undefined;
  minTrust?: number | undefined;
  /** Maximum number of items, including the requested one. */
  limit: number;
  viewer: Viewer;
}

export interface Neighbourhood {
  nodes: Array<NodeRecord & { depth: number }>;
  links: LinkRecord[];
  /** Neighbors that did not fit. */
  left_out: number;
}

/** There are many symbols and commits: they are shown on request, or when one of them is the center. */
const quietKinds: ReadonlySet<NodeKind> = new Set(['symbol', 'commit']);
const fanOut = 24;

const kinds = (ref: string): NodeKind[] => [kindOf(ref) ?? []].flat();

/** Walks outwards level by level, strongest links first; finally adds the links among the results. */
export async function around(
  sources: ReadonlyArray<NeighbourSource>,
  request: AroundRequest,
): Promise<Neighbourhood> {
  const centre = kindOf(request.ref);
  if (!centre)
    throw new SylkError('VALIDATION_ERROR', `Invalid ref: ${JSON.stringify(request.ref.slice(0, 200))}.`, {
      hint: 'Give a path, or a ref such as file:src/a.ts, symbol:src/a.ts#login, entry:…, task:….',
    });
  const allKinds = new Set(sources.flatMap(({ kinds }) => kinds));
  const shown = new Set(
    request.kinds ?? [...allKinds].filter((kind) => !quietKinds.has(kind) || kind === centre),
  );
  const wanted = new Set([...shown, centre]);
  const isShown = (ref: string) => ref === request.ref || kinds(ref).some((kind) => shown.has(kind));
  const found = new Map<string, NodeRecord & { depth: number }>();
  const refused = new Set<string>();
  const leftOut = new Set<string>();
  const links = new Map<string, LinkRecord>();
  const describe = async (refs: string[], depth: number) => {
    const described = new Map<string, NodeRecord>();
    for (const source of sources) {
      const own = refs.filter((ref) => kinds(ref).some((kind) => source.kinds.includes(kind)));
      if (own.length > 0)
        for (const node of await source.describe(own, request.viewer)) described.set(node.ref, node);
    }
    for (const ref of refs) {
      const node = described.get(ref) ?? gone(ref);
      if (depth > 0 && node.trust < (request.minTrust ?? 0)) refused.add(ref);
      else found.set(ref, { ...node, depth });
    }
  };
  const linksOf = async (refs: string[]) =>
    (
      await Promise.all(
        sources.map((source) => source.links(refs, { viewer: request.viewer, wanted, most: fanOut })),
      )
    )
      .flat()
      .filter(({ type }) => !request.types || request.types.includes(type))
      .filter((link) => isShown(link.source) && isShown(link.target))
      .sort((a, b) => b.weight - a.weight || (keyOf(a) < keyOf(b) ? -1 : 1));

  await describe([request.ref], 0);
  let level = [request.ref];
  for (let depth = 1; level.length > 0; depth++) {
    const seen = await linksOf(level);
    const next: string[] = [];
    if (depth <= request.depth) {
      for (const link of seen)
        for (const ref of [link.source, link.target]) {
          if (found.has(ref) || refused.has(ref) || next.includes(ref)) continue;
          if (found.size + next.length >= request.limit) leftOut.add(ref);
          else next.push(ref);
        }
      await describe(next, depth);
    }
    for (const link of seen)
      if (found.has(link.source) && found.has(link.target)) links.set(keyOf(link), link);
    level = next.filter((ref) => found.has(ref));
  }
  return { nodes: [...found.values()], links: [...links.values()], left_out: leftOut.size };
}

const keyOf = (link: LinkRecord): string => `${link.source}\n${link.type}\n${link.target}`;

const gone = (ref: string): NodeRecord => ({
  ref,
  kind: kindOf(ref)!,
  title: idOf(ref),
  detail: '',
  trust: 0,
  trust_name: 'Missing',
  state: 'gone',
  state_reason: 'nothing has this name any more',
  provenance: '',
  updated: null,
});

export interface NeighbourhoodContext {
  clock: Clock;
  code: () => Promise<CodeStore>;
  history: () => Promise<History>;
  memory: () => Promise<Memory>;
  references: () => Promise<References>;
  work: () => Promise<Work>;
  areas: () => Promise<Areas>;
  workAreas: () => Promise<WorkAreas>;
  knowledge: () => Promise<Knowledge>;
}
