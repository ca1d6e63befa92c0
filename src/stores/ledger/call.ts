import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';

export interface LedgerContext {
  library: Library;
  clock: Clock;
}

/** Who pays for a call. What does not apply is left empty. */
export interface Payer {
  session?: string | undefined;
  run?: string | undefined;
  /** The role that asks, such as `engineer` or `librarian`. */
  agent?: string | undefined;
}

/** A budget of a day, an agent or a model holds for each day; that of a session or a run for all of it. */
export const budgetScopes = ['day', 'session', 'run', 'agent', 'model'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

export interface Budget {
  scope: BudgetScope;
  /** One session, run, agent or model; empty for each of them. */
  name: string;
  usd: number | undefined;
  tokens: number | undefined;
}

export const microDollars = (usd: number): number => Math.ceil(usd * 1_000_000 - 1e-6);

/** The person's own day: a budget starts anew at midnight where they are. */
export function dayOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
