import type { Plan } from './plan.ts';

/** The version of the states that this program writes. It leaves runs alone that a later one has gone on with. */
export const runFormat = 2;

/** What the store has to know of a run's state; the rest is its owner's. */
export interface FoldedState {
  format: number;
  run: string;
  session: string;
  prompt: string;
  status: string;
  phase: string;
  number: number;
  revision: number;
  plan?: Plan | undefined;
  proposal?: { revision: number; purpose: string; plan: Plan } | undefined;
  nodes: ReadonlyArray<{ id: string }>;
}
