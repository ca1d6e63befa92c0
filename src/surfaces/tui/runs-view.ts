import type { CallEvent } from '../../operations/operation.ts';
import type { RunView as RunShown } from '../../operations/runs/view.ts';

export type NodeView = RunShown['nodes'][number];

export interface Need {
  run: string;
  id: string;
  node?: string;
  question: string;
  options: string[];
  prompt: string;
}

/** A run as `get_run` answers it: the fields that are shown. */
export type RunView = Pick<
  RunShown,
  | 'run'
  | 'prompt'
  | 'status'
  | 'standing'
  | 'nodes'
  | 'cost'
  | 'unpriced'
  | 'tokens'
  | 'budget'
  | 'branch'
  | 'error'
  | 'gates'
>;

export interface RunsView {
  runs: RunView[];
  waiting: Need[];
  /** The last thing that each agent did, by run and node. */
  doing: Record<string, string>;
}

export const agentKey = (run: string, node: string): string => `${run}/${node}`;

/** What an agent does, without the name of its node, which stands before it. */
export function foldRunLine(
  { doing }: RunsView,
  { run, node, text }: Extract<CallEvent, { type: 'run' }>,
): Pick<RunsView, 'doing'> {
  if (node === undefined) return { doing };
  const said = text.startsWith(node) ? text.slice(node.length).trimStart() : text;
  return { doing: { ...doing, [agentKey(run, node)]: said } };
}

/** The same question, however often it is asked: answered once. */
export interface NeedGroup {
  question: string;
  options: string[];
  needs: Need[];
}

/** Oldest first, as they came. Only what wants to be allowed is answered together: a plan or a question is its run's own. */
export function groupNeeds(waiting: Need[]): NeedGroup[] {
  const groups = new Map<string, NeedGroup>();
  for (const need of waiting) {
    const { question, options, id, run } = need;
    const about = isApproval(need)
      ? question.replace(/ \(task: .*?\)(?=\.)| \(a no without an answer;.*$/gs, '')
      : '';
    const key = about || `${run} ${id}`;
    const known = groups.get(key);
    if (known) known.needs.push(need);
    else groups.set(key, { question, options: optionsOf(need, options), needs: [need] });
  }
  return [...groups.values()];
}

export const isApproval = ({ id }: Pick<Need, 'id'>): boolean => id.startsWith('apr_');
export const isPlan = ({ id }: Pick<Need, 'id'>): boolean => id.startsWith('revision ');

const optionsOf = (need: Need, options: string[]): string[] => {
  if (isApproval(need)) return ['allow once', 'deny'];
  if (isPlan(need)) return ['approve', 'reject with words'];
  return [...options, 'answer in words'];
};

/** Nodes in the order of what they depend on, each with how deep it hangs. */
export function treeOf(nodes: NodeView[]): Array<{ node: NodeView; depth: number }> {
  const depths = new Map<string, number>();
  const depthOf = (id: string, seen: string[]): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const node = nodes.find((each) => each.id === id);
    const before = (node?.depends_on ?? []).filter((other) => !seen.includes(other));
    const depth =
      before.length === 0 ? 0 : 1 + Math.max(...before.map((other) => depthOf(other, [...seen, id])));
    depths.set(id, depth);
    return depth;
  };
  return nodes
    .map((node) => ({ node, depth: depthOf(node.id, [node.id]) }))
    .sort((a, b) => a.depth - b.depth || a.node.number - b.node.number);
}
