import { type Command, type Outcome, type Plan, planSchema } from '../../stores/runs/index.ts';
import type { RunState } from '../orchestrator/index.ts';

/** A plan without an Architect: one pipeline for what is asked, because two that overlap are worse than one. */
export function planByRule(state: RunState, { purpose = 'first', message = '' }: Command): Outcome<'plan'> {
  const task = message || state.prompt;
  const node = (id: string, prompt: string) => ({ id, agent: 'engineer', prompt });
  if (purpose === 'first') return planned({ prompt: state.prompt, nodes: [node('work', task)] });
  const taken = new Set([...state.nodes, ...(state.plan?.nodes ?? [])].map(({ id }) => id));
  const id = freeId(purpose, taken);
  if (purpose === 'fix')
    return planned({
      prompt: state.prompt,
      nodes: [node(id, `Mend what the project's own tools find in everything together:\n${task}`)],
    });
  const plan = state.plan;
  if (!plan) return { result: 'failed', message: 'There is no plan to change.', cost: 0 };
  const last = plan.nodes.map((each) => each.id);
  return planned({
    ...plan,
    nodes: [...plan.nodes, { ...node(id, task), depends_on: last }],
    execution_order: undefined,
  });
}

const freeId = (word: string, taken: ReadonlySet<string>): string => {
  for (let number = 1; ; number += 1) if (!taken.has(`${word}-${number}`)) return `${word}-${number}`;
};

const planned = (plan: object): { result: 'planned'; plan: Plan; cost: number } => ({
  result: 'planned',
  plan: planSchema.parse(plan),
  cost: 0,
});
