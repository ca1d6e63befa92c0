import { Graph, layout } from '@dagrejs/dagre';
import type { Output } from '../api/client.ts';
import { boxHeight, boxWidth } from './box.ts';

export type WorkGraph = NonNullable<Output<'get_work_graph'>['data']>;

export type Places = Map<string, { x: number; y: number }>;

/** What has to be done first stands on the left; what nothing waits for and waits for nothing stands below. */
export function placeWork({ nodes, edges }: WorkGraph): Places {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 22, ranksep: 70 });
  graph.setDefaultEdgeLabel(() => ({}));
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  for (const { id } of nodes) if (linked.has(id)) graph.setNode(id, { width: boxWidth, height: boxHeight });
  for (const { from, to, type } of edges) if (type === 'BLOCKS') graph.setEdge(from, to);
  layout(graph);
  const places: Places = new Map();
  let lowest = 0;
  for (const id of graph.nodes()) {
    const { x, y } = graph.node(id) as { x: number; y: number };
    places.set(id, { x: x - boxWidth / 2, y: y - boxHeight / 2 });
    lowest = Math.max(lowest, y + boxHeight);
  }
  const alone = nodes.filter(({ id }) => !linked.has(id));
  alone.forEach(({ id }, at) => {
    places.set(id, { x: (at % 4) * (boxWidth + 30), y: lowest + 40 + Math.floor(at / 4) * (boxHeight + 20) });
  });
  return places;
}
