import { closest } from '../../base/closest.ts';
import { consultedAgents, nodeAgents, type Plan, type PlanNode } from '../../stores/runs/index.ts';
import { sharedTouch } from './touches.ts';

export interface PlanProblem {
  /** The node that has to change, or '' for the plan as a whole. */
  node: string;
  message: string;
  /** Its place in the list, where another node has the same id. */
  at?: number | undefined;
  /** In the text that the plan was read from. */
  line?: number | undefined;
}

export interface CheckedPlan {
  problems: PlanProblem[];
  /** Ids in the order in which they can run side by side; empty where the plan has problems. */
  layers: string[][];
  /** Nodes of one layer that run one after another all the same, because they will probably change the same file. */
  waits: Array<{ nodes: [string, string]; path: string }>;
}

/** Checks what a schema can't: names, order, cycles, and whether each agent can do what is asked of it. */
export function checkPlan(plan: Plan, maxNodes = 60): CheckedPlan {
  const problems: PlanProblem[] = [
    ...sizeProblems(plan, maxNodes),
    ...plan.nodes.flatMap((node, at) => nodeProblems(node, plan).map((problem) => ({ ...problem, at }))),
    ...duplicateProblems(plan.nodes),
  ];
  const cycle = findCycle(plan.nodes);
  if (cycle) problems.push({ node: cycle[0] ?? '', message: `Cycle: ${cycle.join(' → ')}.` });
  else problems.push(...ancestorProblems(plan.nodes));
  const layers = cycle ? [] : layersOf(plan.nodes);
  if (plan.execution_order) problems.push(...orderProblems(plan.execution_order, plan.nodes));
  if (problems.length > 0) return { problems, layers: [], waits: [] };
  return { problems, layers, waits: waitsOf(plan, layers) };
}

function waitsOf({ nodes, policy }: Plan, layers: string[][]): CheckedPlan['waits'] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return layers.flatMap((layer) =>
    layer.flatMap((id, at) =>
      layer.slice(at + 1).flatMap((other) => {
        const [left, right] = [byId.get(id), byId.get(other)];
        const path = left && right && sharedTouch(left, right, policy.touch_threshold);
        return path === undefined ? [] : [{ nodes: [id, other] as [string, string], path }];
      }),
    ),
  );
}

function sizeProblems({ nodes }: Plan, maxNodes: number): PlanProblem[] {
  if (nodes.length === 0) return [{ node: '', message: 'The plan has no nodes.' }];
  if (nodes.length > maxNodes)
    return [
      { node: '', message: `The plan has ${nodes.length} nodes; at most ${maxNodes} are allowed. Split it.` },
    ];
  return [];
}

function nodeProblems(node: PlanNode, { nodes }: Plan): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const report = (message: string) => problems.push({ node: node.id, message });
  const isKnownAgent = nodeAgents.some((agent) => agent === node.agent);
  if (!isKnownAgent) {
    const nearest = closest(node.agent, [...nodeAgents]);
    report(
      `Unknown agent "${node.agent}".${nearest ? ` Did you mean "${nearest}"?` : ''} Agents: ${nodeAgents.join(', ')}.`,
    );
  }
  const changes = node.metadata.file_operations.filter((operation) => operation !== 'read');
  if (consultedAgents.some((agent) => agent === node.agent) && changes.length > 0)
    report(
      `The ${node.agent} only reads, and can't ${changes.join(', ')} files. Give this node to an engineer.`,
    );
  const ids = nodes.map(({ id }) => id);
  const named = { depends_on: node.depends_on, upstream_outputs: node.context.upstream_outputs };
  for (const [field, given] of Object.entries(named))
    for (const id of given) if (!ids.includes(id)) report(`${field} names ${undefinedId(id, ids)}`);
  return problems;
}

function undefinedId(id: string, ids: string[]): string {
  // Of ids like t1 and t2 each is near to each.
  const nearest = id.length > 3 ? closest(id, ids) : undefined;
  return `"${id}", which no node defines.${nearest ? ` Did you mean "${nearest}"?` : ''}`;
}

function duplicateProblems(nodes: PlanNode[]): PlanProblem[] {
  const seen = new Set<string>();
  return nodes.flatMap(({ id }) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ node: id, message: `The id "${id}" is used by more than one node.` }];
  });
}

/** The first cycle as a closed path, or undefined. Dependencies that no node defines are passed over. */
function findCycle(nodes: PlanNode[]): string[] | undefined {
  const dependencies = new Map(nodes.map((node) => [node.id, node.depends_on]));
  const finished = new Set<string>();
  for (const { id: start } of nodes) {
    const path: string[] = [];
    const steps = [{ id: start, next: 0 }];
    for (let step = steps.at(-1); step; step = steps.at(-1)) {
      if (step.next === 0) path.push(step.id);
      const dependency = dependencies.get(step.id)?.[step.next++];
      if (dependency === undefined) {
        finished.add(step.id);
        path.pop();
        steps.pop();
      } else if (path.includes(dependency)) return [...path.slice(path.indexOf(dependency)), dependency];
      else if (!finished.has(dependency) && dependencies.has(dependency))
        steps.push({ id: dependency, next: 0 });
    }
  }
  return undefined;
}

function ancestorProblems(nodes: PlanNode[]): PlanProblem[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ancestors = new Map<string, Set<string>>();
  for (const id of layersOf(nodes).flat()) {
    const direct = byId.get(id)?.depends_on ?? [];
    ancestors.set(id, new Set(direct.flatMap((parent) => [parent, ...(ancestors.get(parent) ?? [])])));
  }
  return nodes.flatMap((node) =>
    node.context.upstream_outputs
      .filter((id) => byId.has(id) && !ancestors.get(node.id)?.has(id))
      .map((id) => ({
        node: node.id,
        message: `upstream_outputs names "${id}", on which the node does not depend. Add it to depends_on.`,
      })),
  );
}

/** Nodes by the length of the longest way to them. Cycles must have been ruled out. */
export function layersOf(nodes: PlanNode[]): string[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depths = new Map<string, number>();
  const depthOf = (node: PlanNode): number => {
    const known = depths.get(node.id);
    if (known !== undefined) return known;
    const parents = node.depends_on.flatMap((id) => byId.get(id) ?? []);
    const depth = Math.max(-1, ...parents.map(depthOf)) + 1;
    depths.set(node.id, depth);
    return depth;
  };
  const layers: string[][] = [];
  for (const node of byId.values()) {
    const depth = depthOf(node);
    layers[depth] = [...(layers[depth] ?? []), node.id];
  }
  return layers;
}

/** A given order has to name every node once, each after what it depends on. */
function orderProblems(order: string[][], nodes: PlanNode[]): PlanProblem[] {
  const position = new Map<string, number>();
  const problems: PlanProblem[] = [];
  order.forEach((layer, at) => {
    for (const id of layer) {
      if (!nodes.some((node) => node.id === id))
        problems.push({ node: '', message: `execution_order names "${id}", which no node defines.` });
      else if (position.has(id)) problems.push({ node: id, message: `execution_order names "${id}" twice.` });
      position.set(id, at);
    }
  });
  for (const { id, depends_on } of nodes) {
    const own = position.get(id);
    if (own === undefined) problems.push({ node: id, message: `execution_order does not name "${id}".` });
    for (const dependency of depends_on)
      if (own !== undefined && (position.get(dependency) ?? -1) >= own)
        problems.push({
          node: id,
          message: `execution_order puts "${id}" before "${dependency}", which it depends on.`,
        });
  }
  return problems;
}
