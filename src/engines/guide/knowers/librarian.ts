import type { Found, Knower, KnowerAnswer, KnowerQuestion } from './knower.ts';

/** One question over this repository, answered by whoever searches it. */
export type AskRepository = (
  question: string,
  options: {
    domains?: string[] | undefined;
    path?: string | undefined;
    tokenBudget?: number | undefined;
    thoroughness?: 'quick' | 'moderate' | 'thorough' | undefined;
    signal?: AbortSignal | undefined;
    /** As it was classified, so that an answer given before is found again. */
    classified?: Pick<KnowerQuestion, 'intent' | 'subject' | 'confidence'> & { agent: string };
  },
) => Promise<{
  status: 'ok' | 'no_matches';
  level: number;
  answer: string;
  citations: Found[];
  notes: string[];
  conflicts?: unknown[];
}>;

/** The code as it is. */
export const createLibrarian =
  ({ ask }: { ask: AskRepository }): Knower =>
  async ({
    query,
    path,
    token_budget,
    thoroughness,
    signal,
    intent,
    subject,
    confidence,
  }): Promise<KnowerAnswer> => {
    const found = await ask(query, {
      path,
      tokenBudget: token_budget,
      thoroughness,
      signal,
      classified: { agent: 'librarian', intent, subject, confidence },
    });
    return {
      ...found,
      level: found.level === 1 ? 1 : 2,
      citations: found.citations.map((each, at) => ({ ...each, n: at + 1 })),
    };
  };
