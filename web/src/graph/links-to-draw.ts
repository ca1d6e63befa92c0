import type { DrawnLink } from './shape.ts';

export interface Linked {
  nodes: Array<{ ref: string; depth: number }>;
  links: DrawnLink[];
}

/** Of the links between neighbours, how many of each are drawn. */
const linksOfNeighbour = 2;

/** What ties each thing to the centre or to what is nearer to it, and the strongest of the rest: all of them are a hairball. */
export function linksToDraw({ nodes, links }: Linked): DrawnLink[] {
  const depth = new Map(nodes.map((node) => [node.ref, node.depth]));
  const drawn = new Map<string, number>();
  return links
    .toSorted((left, right) => right.weight - left.weight)
    .filter(({ source, target }) => {
      if (depth.get(source) !== depth.get(target)) return true;
      const isWanted = [source, target].some((end) => (drawn.get(end) ?? 0) < linksOfNeighbour);
      if (isWanted) for (const end of [source, target]) drawn.set(end, (drawn.get(end) ?? 0) + 1);
      return isWanted;
    });
}
