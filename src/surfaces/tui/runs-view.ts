import type { CallEvent } from '../../operations/operation.ts';

export interface NodeView {
  number: number;
  id: string;
  agent: string;
  prompt: string;
  depends_on: string[];
  stage: string;
  legs: number;
  loops: { inspector: number; tester: number; merge: number };
  commit?: string;
  files: string[];
  output: string;
  error?: string;
  cost: number;
}

export interface Need {
  run: string;
  id: string;
  node?: string;
  question: string;
  options: string[];
  prompt: string;
}

/** A run as `get_run` answers it; the fields that the screen shows. */
export interface RunView {
  run: string;
  prompt: string;
  status: string;
  standing: string;
  nodes: NodeView[];
  cost: number;
  unpriced: number;
  tokens: { input: number; output: number };
  budget?: number;
  branch?: string;
  error?: string;
  gates: string[];
}

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
