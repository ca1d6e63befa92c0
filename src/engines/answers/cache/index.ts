// owns: when an answer may be given again, by intent; what makes two questions one
// knows: the store of answers, and the state of the other stores
// must not know: how answers are made, surfaces
import { join } from 'node:path';
import { openAnswers } from '../../../stores/answers/index.ts';
import type { AnswersContext } from '../context.ts';
import { createAnswerCache } from './cache.ts';
import { currentState } from './current-state.ts';
import type { AnswerCache } from './question.ts';

export { createAnswerCache } from './cache.ts';
export type { CurrentState } from './parts.ts';
export type { AnswerCache, CacheQuestion, Evidence } from './question.ts';

export async function openAnswerCache(context: Omit<AnswersContext, 'cache'>): Promise<AnswerCache> {
  const recall = await context.recall();
  return createAnswerCache({
    answers: openAnswers(() => join(context.repository.state.prepare(), 'cache', 'answers.db')),
    current: currentState(context, { code: await context.code(), passages: recall.parts.passages }),
    clock: context.clock,
    embed: async (text) => {
      const { vector, tier } = await recall.meaning.question(text, false);
      return vector && { vector, maker: `${recall.meaning.fingerprint} ${tier}` };
    },
    warn: (line) => context.log.warn(line),
  });
}
