import {
  isConsultedAgent,
  type Plan,
  type PlanNode,
  priorities,
  type RecordedNode,
} from '../../stores/runs/index.ts';
import { sharedTouch } from './touches.ts';

export interface PlanEstimate {
  /** One node after another. */
  one_milliseconds: number;
  /** As many side by side as the plan allows and its touches permit. */
  many_milliseconds: number;
  concurrency: number;
  /** The same for both: what the nodes cost together. */
  cost: number;
  /** How many finished nodes of earlier runs it is made from. */
  recorded: number;
}

/** What a plan will take, by the median of what nodes took before; undefined where none was finished yet. */
export function estimatePlan(plan: Plan, recorded: RecordedNode[]): PlanEstimate | undefined {
  if (recorded.length === 0) return undefined;
  const typical = (node: PlanNode): RecordedNode => {
    const alike = recorded.filter(({ isConsulted }) => isConsulted === isConsultedAgent(node.agent));
    const known = alike.length > 0 ? alike : recorded;
    return {
      isConsulted: isConsultedAgent(node.agent),
      milliseconds: median(known.map(({ milliseconds }) => milliseconds)),
      cost: median(known.map(({ cost }) => cost)),
    };
  };
  const taken = new Map(plan.nodes.map((node) => [node.id, typical(node)]));
  const durationOf = ({ id }: PlanNode) => taken.get(id)?.milliseconds ?? 0;
  return {
    one_milliseconds: sum(plan.nodes.map(durationOf)),
    many_milliseconds: timeSideBySide(plan, durationOf),
    concurrency: plan.policy.max_concurrency,
    cost: sum([...taken.values()].map(({ cost }) => cost)),
    recorded: recorded.length,
  };
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Nodes start as the run would start them: by priority, when their dependencies are done and nobody is at work on the same files. */
function timeSideBySide({ nodes, policy }: Plan, durationOf: (node: PlanNode) => number): number {
  const rank = ({ metadata }: PlanNode) => priorities.indexOf(metadata.priority);
  const waiting = nodes.toSorted((left, right) => rank(right) - rank(left));
  const running = new Map<PlanNode, number>();
  const done = new Set<string>();
  let now = 0;
  const canStart = (node: PlanNode) =>
    node.depends_on.every((id) => done.has(id)) &&
    ![...running.keys()].some((other) => sharedTouch(node, other, policy.touch_threshold) !== undefined);
  while (waiting.length + running.size > 0) {
    for (const node of [...waiting])
      if (running.size < policy.max_concurrency && canStart(node)) {
        running.set(node, now + durationOf(node));
        waiting.splice(waiting.indexOf(node), 1);
      }
    const [first] = [...running].toSorted(([, left], [, right]) => left - right);
    if (!first) break;
    now = first[1];
    running.delete(first[0]);
    done.add(first[0].id);
  }
  return now;
}
