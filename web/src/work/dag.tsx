import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowState,
  useStore,
} from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { Link } from 'wouter';
import '@xyflow/react/dist/base.css';
import { Loading, Pill } from '../components/states.tsx';
import { links } from '../links.ts';
import { boxHeight, boxWidth } from './box.ts';
import type { WorkGraph } from './dag-layout.ts';
import { statusTone, statusWords } from './status.ts';
import { type PlacedWork, usePlaced } from './use-placed.ts';

type Item = WorkGraph['nodes'][number];
type Box = Node<{ item: Item; feature: string | undefined; to: string }>;

const nodeTypes = { item: ItemBox };
const fitting = { maxZoom: 1, padding: 0.12 };
/** Where it does not fit: what can be started, on the left, large enough to read. */
const start = { x: 24, y: 24, zoom: 0.8 };

/** Whether all of it fits into the view and can still be read. */
function readable(view: HTMLElement | null, nodes: Box[]): boolean {
  const most = (side: (node: Box) => number) => nodes.reduce((far, node) => Math.max(far, side(node)), 1);
  const across = (view?.clientWidth ?? 0) / most(({ position }) => position.x + boxWidth);
  const high = (view?.clientHeight ?? 0) / most(({ position }) => position.y + boxHeight);
  return Math.min(across, high) > 0.6;
}

interface DagParts {
  graph: WorkGraph;
  /** Where a box leads. */
  link?: (id: string) => string;
}

/** Tasks and features in the order in which they can be done. The list beside it shows the same. */
export default function Dag({ graph, link = links.work }: DagParts) {
  const placed = usePlaced(graph);
  return placed ? <Boxes placed={placed} link={link} /> : <Loading what="the drawing" />;
}

function Boxes({ placed, link }: { placed: PlacedWork } & Required<Pick<DagParts, 'link'>>) {
  const { nodes, edges } = useMemo(() => shape(placed, link), [placed, link]);
  const holder = useRef<HTMLElement>(null);
  return (
    <section ref={holder} className={nodes.length > 8 ? 'dag' : 'dag few'} aria-label="Order of work">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements
        minZoom={0.05}
        onInit={(flow) =>
          void (readable(holder.current, nodes) ? flow.fitView(fitting) : flow.setViewport(start))
        }
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={22} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

/** From so far away no word can be read: a box stands for the task, and five hundred stay light. */
const isFar = ({ transform }: ReactFlowState): boolean => transform[2] < 0.4;

function ItemBox({ data: { item, feature, to } }: NodeProps<Box>) {
  if (useStore(isFar))
    return (
      <div className={`dag-item far ${item.kind} ${statusTone(item.status)}`} title={item.name}>
        <Handle type="target" position={Position.Left} isConnectable={false} />
        <Handle type="source" position={Position.Right} isConnectable={false} />
      </div>
    );
  return (
    <div className={`dag-item ${item.kind}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Link href={to} className="two-lines" title={item.name}>
        {item.name}
      </Link>
      {feature ? <span className="dag-feature clip">{feature}</span> : null}
      <p className="meta">
        <Pill tone={statusTone(item.status)}>{statusWords(item.status)}</Pill>
        {item.blocked ? <Pill tone="bad">waits</Pill> : null}
        {item.kind === 'feature' ? <Pill>feature</Pill> : null}
        {item.claimedBy ? <Pill tone="good">{item.claimedBy}</Pill> : null}
      </p>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

function shape({ graph, places }: PlacedWork, link: (id: string) => string): { nodes: Box[]; edges: Edge[] } {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]));
  return {
    nodes: graph.nodes.map((item) => ({
      id: item.id,
      type: 'item',
      position: places.get(item.id) ?? { x: 0, y: 0 },
      width: boxWidth,
      height: boxHeight,
      data: { item, feature: item.featureId ? names.get(item.featureId) : undefined, to: link(item.id) },
    })),
    edges: graph.edges.map(({ from, to, type }) => ({
      id: `${type} ${from} ${to}`,
      source: from,
      target: to,
      className: type === 'BLOCKS' ? 'blocks' : 'relates',
      ...(type === 'BLOCKS' ? { markerEnd: { type: MarkerType.ArrowClosed } } : {}),
    })),
  };
}
