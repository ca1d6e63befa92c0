import { loadTokenCounter } from '../../base/tokens.ts';
import type { Classification } from '../../engines/guide/routing/index.ts';
import type { OperationContext } from '../operation.ts';
import { classifyFor, nextStepFor, routeOf, showRoute } from './shared.ts';

/** Where a question goes, said in one line, and what the asker should know besides. */
export interface Front {
  classification: Classification;
  session: string;
  route: string;
  hint?: string;
}

/** The Guide stands before `ask`: it says who answers; a place that the asker chose is not doubted. */
export async function frontOf(context: OperationContext, question: string): Promise<Front> {
  const { classification, session } = await classifyFor(context, question);
  const route = showRoute(routeOf(classification));
  const { target, intent, verb } = classification;
  if (target === 'guide') {
    const way =
      intent === 'SESSION'
        ? `sylk guide route ${JSON.stringify(question)}`
        : `sylk guide ${intent === 'STATUS' ? 'status' : 'help'}`;
    return { classification, session, route, hint: `This is for the Guide itself: ${way}` };
  }
  if (target === 'archivalist' && ['store', 'declare', 'complete'].includes(verb))
    return {
      classification,
      session,
      route,
      hint: `This tells something rather than asks: sylk guide route ${JSON.stringify(question)}`,
    };
  if (!['librarian', 'archivalist', 'academic'].includes(target))
    return { classification, session, route, hint: nextStepFor(target) };
  return { classification, session, route };
}

/** What Archivalist or Academic answers, in the form that `ask` has; undefined where the search of everything answers. */
export async function answerOf(
  context: OperationContext,
  { classification, session }: Front,
  asked: { question: string; tokenBudget: number },
) {
  const { target, intent, verb, subject, time_scope, confidence } = classification;
  const told = verb !== 'recall' && verb !== 'check';
  if ((target !== 'archivalist' && target !== 'academic') || told) return undefined;
  const { knowers } = await context.app.guide();
  const found = await knowers[target]({
    ...{ query: asked.question, intent, verb, subject, time_scope, session },
    ...{ token_budget: asked.tokenBudget, signal: context.signal },
  });
  const count = await loadTokenCounter();
  // What happened is told by its records; how and why takes somebody to write it up.
  const sufficient = found.status === 'ok' && (verb === 'check' || ['ACTIVITY', 'RESUME'].includes(intent));
  const tokens_used = count(found.answer);
  return { ...found, intent, subject, confidence, sufficient, tokens_used, cost: { model_tokens: 0 } };
}
