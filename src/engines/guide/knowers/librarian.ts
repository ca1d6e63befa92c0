import type { Found, Knower, KnowerAnswer } from './knower.ts';

/** One question over this repository, answered by whoever searches it. */
export type AskRepository = (
  question: string,
  options: {
    domains?: string[] | undefined;
    path?: string | undefined;
    tokenBudget?: number | undefined;
    thoroughness?: 'quick' | 'moderate' | 'thorough' | undefined;
    signal?: AbortSignal | undefined;
  },
) => Promise<{
  status: 'ok' | 'no_matches';
  level: number;
  answer: string;
  citations: Found[];
  notes: string[];
}>;

/** The code as it is. */
export const createLibrarian =
  ({ ask }: { ask: AskRepository }): Knower =>
  async ({ query, path, token_budget, thoroughness, signal }): Promise<KnowerAnswer> => {
    const found = await ask(query, { path, tokenBudget: token_budget, thoroughness, signal });
    return {
      ...found,
      level: found.level === 1 ? 1 : 2,
      citations: found.citations.map((each, at) => ({ ...each, n: at + 1 })),
    };
  };
