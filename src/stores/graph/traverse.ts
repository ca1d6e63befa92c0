import { sql } from 'kysely';
import { numbers } from '../../base/library/index.ts';
import { type GraphContext, idsOf, refsOf } from './context.ts';
import { seenBy } from './edges.ts';
import type { GraphViewer } from './records.ts';
import { codesOf, type EdgeType, typeOfCode } from './vocabulary.ts';

export interface TraverseRequest {
  /** The start; several names of one thing count as one node. */
  from: string[];
  types?: readonly EdgeType[] | undefined;
  direction?: 'out' | 'in' | 'both' | undefined;
  /** 1–10 links away. */
  depth?: number | undefined;
  /** How many reached nodes are returned in full. */
  offset?: number | undefined;
  limit?: number | undefined;
  /** The walk stops at this many nodes; more than anyone looks through. */
  most?: number | undefined;
  viewer?: GraphViewer | undefined;
  /** Which of these refs the viewer must not see: they are neither returned nor followed. */
  hidden?: ((refs: string[]) => Promise<ReadonlySet<string>>) | undefined;
  /** Other names of these refs, such as earlier file names: they count as the same node. */
  alike?: ((refs: string[]) => Promise<string[]>) | undefined;
}

export interface Reached {
  ref: string;
  depth: number;
  /** The link by which it was reached first. */
  from: string;
  type: EdgeType;
  direction: 'out' | 'in';
  weight: number;
}

export interface Traversal {
  reached: Reached[];
  total: number;
  /** True when the walk stopped at its limit. */
  truncated: boolean;
}

interface Step {
  origin: number;
  node: number;
  type: number;
  edge: number;
  session: string;
  out: number;
}

/** Each costs about four microseconds, so a walk takes milliseconds however many links there are. */
const maxReached = 2000;
/** Nodes per statement: a walk that stops early has not queried many more. */
const atOnce = 256;
export const maxDepth = 10;

/**
 * Breadth first, some nodes at a time: every link is read once, nothing is visited twice, and hidden refs end the
 * walk there. Both indexes of links answer it without reading a row.
 */
export async function traverse(context: GraphContext, request: TraverseRequest): Promise<Traversal> {
  const { most = maxReached } = request;
  const depth = Math.min(Math.max(1, request.depth ?? 1), maxDepth);
  const seen = new Set((await idsOf(context, request.from)).values());
  const reached: Array<Step & { depth: number }> = [];
  let frontier = [...seen];
  let truncated = false;
  for (let level = 1; level <= depth && frontier.length > 0 && !truncated; level++) {
    const next: number[] = [];
    for (let at = 0; at < frontier.length && !truncated; at += atOnce) {
      const found: Step[] = [];
      for (const step of await steps(context, frontier.slice(at, at + atOnce), request)) {
        if (seen.has(step.node)) continue;
        seen.add(step.node);
        found.push(step);
      }
      for (const step of await withoutHidden(context, found, request)) {
        reached.push({ ...step, depth: level });
        next.push(step.node);
      }
      truncated = reached.length > most;
    }
    if (truncated) reached.length = most;
    else frontier = await withOtherNames(context, next, seen, request);
  }
  const { offset = 0, limit = 200 } = request;
  return {
    reached: await inFull(context, reached.slice(offset, offset + limit)),
    total: reached.length,
    truncated,
  };
}

async function steps({ db }: GraphContext, frontier: number[], request: TraverseRequest): Promise<Step[]> {
  const { direction = 'both', types, viewer } = request;
  const fits = types ? sql`AND e.type IN ${numbers(codesOf(types))}` : sql``;
  const living = sql`NOT IN (SELECT id FROM ref_nodes WHERE archived_at IS NOT NULL)`;
  const out = sql<Step>`SELECT e.source AS origin, e.target AS node, e.type, e.id AS edge, e.session, 1 AS out
    FROM ${numbers(frontier)} AS f JOIN ref_edges e ON e.source = f.value
    WHERE ${seenBy(viewer)} ${fits} AND e.target ${living}`;
  const into = sql<Step>`SELECT e.target AS origin, e.source AS node, e.type, e.id AS edge, e.session, 0 AS out
    FROM ${numbers(frontier)} AS f JOIN ref_edges e ON e.target = f.value
    WHERE ${seenBy(viewer)} ${fits} AND e.source ${living}`;
  const asked = { out, in: into, both: sql<Step>`${out} UNION ALL ${into}` }[direction];
  const place = new Map(frontier.map((id, at) => [id, at]));
  const placeOf = ({ origin }: Step) => place.get(origin) ?? 0;
  return (await asked.execute(db())).rows.sort(
    (a, b) =>
      b.out - a.out ||
      placeOf(a) - placeOf(b) ||
      a.type - b.type ||
      a.node - b.node ||
      (a.session < b.session ? -1 : 1),
  );
}

async function withoutHidden(
  context: GraphContext,
  found: Step[],
  { hidden }: TraverseRequest,
): Promise<Step[]> {
  if (!hidden || found.length === 0) return found;
  const refs = await refsOf(
    context,
    found.map(({ node }) => node),
  );
  const secret = await hidden([...refs.values()]);
  return secret.size === 0 ? found : found.filter(({ node }) => !secret.has(refs.get(node) ?? ''));
}

async function withOtherNames(
  context: GraphContext,
  nodes: number[],
  seen: Set<number>,
  { alike }: TraverseRequest,
): Promise<number[]> {
  if (!alike || nodes.length === 0) return nodes;
  const others = await alike([...(await refsOf(context, nodes)).values()]);
  const ids = [...(await idsOf(context, others)).values()].filter((id) => !seen.has(id));
  for (const id of ids) seen.add(id);
  return [...nodes, ...ids];
}

async function inFull(context: GraphContext, page: Array<Step & { depth: number }>): Promise<Reached[]> {
  if (page.length === 0) return [];
  const refs = await refsOf(context, new Set(page.flatMap(({ node, origin }) => [node, origin])));
  const { rows } = await sql<{ id: number; weight: number }>`
    SELECT id, weight FROM ref_edges WHERE id IN ${numbers(page.map(({ edge }) => edge))}`.execute(
    context.db(),
  );
  const weights = new Map(rows.map(({ id, weight }) => [id, weight]));
  return page.map(({ node, origin, type, edge, out, depth }) => ({
    ref: refs.get(node) ?? '',
    depth,
    from: refs.get(origin) ?? '',
    type: typeOfCode(type),
    direction: out ? 'out' : 'in',
    weight: weights.get(edge) ?? 1,
  }));
}
