import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import { type Linked, linksToDraw } from './links-to-draw.ts';
import type { Drawn, DrawnNode } from './shape.ts';

interface Around extends Linked {
  nodes: Array<{ ref: string; kind: string; title: string; state: string; depth: number }>;
}

const marks: Record<string, string> = {
  stale: '⚠ ',
  disputed: '⚠ ',
  superseded: '↷ ',
  gone: '✕ ',
  done: '✓ ',
};

/** The name of a file, with its folder where the name alone says nothing. */
const nameOf = (path: string, common: ReadonlySet<string>): string => {
  const segments = path.split('/');
  const name = segments.at(-1)!;
  return common.has(name) && segments.length > 1 ? `${segments.at(-2)}/${name}` : name;
};

const clip = (text: string): string => (text.length > 34 ? `${text.slice(0, 33)}…` : text);

/** File names that more than one of them has. */
function sharedNames(nodes: Around['nodes']): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { kind, title } of nodes) {
    if (kind !== 'file') continue;
    const name = title.slice(title.lastIndexOf('/') + 1);
    if (seen.has(name)) shared.add(name);
    seen.add(name);
  }
  return shared;
}

/** The centre in the middle, what is one step away on a ring around it, and so on; then the links pull. */
export function placeAround(around: Around): Drawn {
  const { nodes } = around;
  const links = linksToDraw(around);
  const graph = new Graph({ multi: true });
  const degree = new Map<string, number>();
  for (const { source, target } of links)
    for (const end of [source, target]) degree.set(end, (degree.get(end) ?? 0) + 1);
  const rings = new Map<number, number>();
  for (const node of nodes) rings.set(node.depth, (rings.get(node.depth) ?? 0) + 1);
  const placed = new Map<number, number>();
  for (const node of nodes) {
    const at = placed.get(node.depth) ?? 0;
    placed.set(node.depth, at + 1);
    const turn = (at / rings.get(node.depth)!) * 2 * Math.PI + node.depth;
    graph.addNode(node.ref, {
      x: Math.cos(turn) * node.depth * 10,
      y: Math.sin(turn) * node.depth * 10,
      fixed: node.depth === 0,
    });
  }
  for (const link of links) graph.addEdge(link.source, link.target, { weight: 0.2 + link.weight });
  if (nodes.length > 2 && nodes.length <= 600)
    forceAtlas2.assign(graph, {
      iterations: nodes.length < 150 ? 200 : 60,
      settings: {
        // What has many links is drawn to the middle less than by default, so that it does not become one clump.
        outboundAttractionDistribution: true,
        gravity: 0.8,
        scalingRatio: 60,
        adjustSizes: false,
        edgeWeightInfluence: 0.6,
        barnesHutOptimize: nodes.length > 200,
      },
    });
  const common = sharedNames(nodes);
  return {
    scaled: false,
    links,
    nodes: nodes.map((node): DrawnNode => {
      const { x, y } = graph.getNodeAttributes(node.ref) as { x: number; y: number };
      return {
        id: node.ref,
        label:
          (marks[node.state] ?? '') + clip(node.kind === 'file' ? nameOf(node.title, common) : node.title),
        kind: node.kind,
        // The stage is wider than high.
        x: x * 1.35,
        y,
        size: node.depth === 0 ? 15 : Math.min(12, 5 + Math.sqrt(degree.get(node.ref) ?? 1) * 1.6),
      };
    }),
  };
}
