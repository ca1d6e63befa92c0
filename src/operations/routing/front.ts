import { z } from 'zod';
import { loadTokenCounter } from '../../base/tokens.ts';
import type { Answer, AskOptions } from '../../engines/answers/index.ts';
import type { KnowerAnswer } from '../../engines/guide/knowers/index.ts';
import type { Classification } from '../../engines/guide/routing/index.ts';
import type { OperationContext } from '../operation.ts';
import { classifyFor, nextStepFor, routeOf, showRoute } from './shared.ts';

/** Where a question goes, said in one line, and what the asker should know besides. */
export interface Front {
  classification: Classification;
  session: string;
  route: string;
  nextStep?: string;
}

export const frontOutput = {
  target: z.string().describe('who answered'),
  route: z.string().describe('how it got there'),
  next_step: z
    .string()
    .optional()
    .describe('what to do with it besides, where it is for somebody who does not answer'),
};

/** The Guide stands before `ask`: it says who answers. */
export async function frontOf(context: OperationContext, question: string): Promise<Front> {
  const { classification, session } = await classifyFor(context, question);
  const route = showRoute(routeOf(classification));
  const nextStep = nextStepOf(classification);
  return { classification, session, route, nextStep: nextStep || undefined };
}

function nextStepOf({ target, intent, verb }: Classification): string | undefined {
  // The words themselves are not put into a command: somebody may copy it into a shell.
  const through = 'say it to `sylk guide route`, or call route';
  if (target === 'guide')
    return `This is for the Guide itself: ${intent === 'SESSION' ? through : `sylk guide ${intent === 'STATUS' ? 'status' : 'help'}`}`;
  if (target === 'archivalist' && ['store', 'declare', 'complete'].includes(verb))
    return `This tells something rather than asks: ${through}`;
  return ['librarian', 'archivalist', 'academic'].includes(target) ? undefined : nextStepFor(target);
}

type Judged = Pick<Answer, 'answer' | 'citations' | 'sources' | 'conflicts' | 'segments'>;

export type FrontAnswer = Answer & {
  target: 'librarian' | 'archivalist' | 'academic';
  /** How it got there, where that turned out only on the way. */
  route?: string;
  next_step?: string;
};

/**
 * What Archivalist or Academic says, or the search of everything. A domain or a folder that the asker chose is not
 * doubted: then everything is searched there.
 */
export async function answerOf(
  context: OperationContext,
  front: Front,
  asked: AskOptions & { question: string },
): Promise<FrontAnswer> {
  const began = performance.now();
  const answer = await answeredBy(context, front, asked);
  const { answered } = await context.app.guide();
  await answered({
    session: front.session,
    target: answer.target,
    level: answer.level,
    source: context.caller.kind === 'person' ? 'user' : 'client',
    milliseconds: performance.now() - began,
    cost: answer.cost.model_tokens,
  });
  return answer;
}

async function answeredBy(
  context: OperationContext,
  { classification, session, nextStep }: Front,
  asked: AskOptions & { question: string },
): Promise<FrontAnswer> {
  const { target, intent, verb, subject, confidence, time_scope } = classification;
  const { question, ...options } = asked;
  const told = verb !== 'recall' && verb !== 'check';
  const chosen = options.domains !== undefined || options.path !== undefined;
  const { knowers } = await context.app.guide();
  const known = told || chosen ? undefined : await knowers.lookUp({ query: question, session });
  if (known) {
    const { target: answerer, intent: sought, subject: name } = known;
    const answer = await asAnswer(known, { ...classification, intent: sought, subject: name }, true);
    const route = `→ ${answerer} · ${sought} · ${name} (looked up: it names what to look for)`;
    return { ...answer, ...judgedOf(known), target: answerer, route };
  }
  let emptyShelf = false;
  if ((target === 'archivalist' || target === 'academic') && !told && !chosen) {
    const said = await knowers[target]({
      query: question,
      intent,
      verb,
      subject,
      confidence,
      time_scope,
      session,
      token_budget: options.tokenBudget,
      thoroughness: options.thoroughness,
      signal: context.signal,
    });
    // It sounded like a question to the literature: everything that is known here answers, with its lines.
    emptyShelf = classification.method !== 'rules' && said.only_here === true;
    if (!emptyShelf) return { ...(await asAnswer(said, classification)), ...judgedOf(said), target };
  }
  const resolver = await context.app.resolver();
  const classified =
    target === 'librarian'
      ? ({ agent: target, intent: intent as 'LOCATE', subject, confidence } as const)
      : undefined;
  const answer = await resolver.ask(question, { ...options, session, signal: context.signal }, classified);
  const after = emptyShelf ? gatherSome : nextStep;
  return { ...answer, target: 'librarian', ...(after ? { next_step: after } : {}) };
}

const gatherSome = 'Nothing in the references about that; `sylk ref create` gathers some.';

const judgedOf = ({ answer, citations, sources, conflicts, segments }: Judged): Judged => ({
  answer,
  citations,
  sources,
  conflicts,
  segments,
});

/** In the form of every answer, besides what the resolver says about its sources. */
async function asAnswer(
  known: Pick<KnowerAnswer, 'answer' | 'status' | 'level' | 'notes'>,
  { intent, verb, subject, confidence }: Classification,
  lookedUp = false,
): Promise<Omit<Answer, 'citations' | 'sources' | 'conflicts' | 'segments'>> {
  const count = await loadTokenCounter();
  // What happened is told by its records; how and why takes somebody to write it up.
  const sufficient =
    known.status === 'ok' && (lookedUp || verb === 'check' || intent === 'ACTIVITY' || intent === 'RESUME');
  return {
    answer: known.answer,
    status: known.status,
    level: known.level,
    intent,
    subject,
    confidence,
    sufficient,
    would_add: sufficient || known.status === 'no_matches' ? undefined : 'a written answer',
    tokens_used: count(known.answer),
    cost: { model_tokens: 0 },
    notes: known.notes,
  };
}

/** Whoever answers in parts has put headings over them. */
export const isComposed = ({ target, answer }: { target: string; answer: string }): boolean =>
  target !== 'librarian' || answer.startsWith('── ');

/** Parts with headings are shown as they were composed; the next step comes after what was found. */
export function showFront<Output extends { target: string; answer: string; next_step?: string | undefined }>(
  output: Output,
  show: (output: Output) => string,
): string {
  const shown = isComposed(output) ? output.answer : show(output);
  return output.next_step ? `${shown}\n${output.next_step}` : shown;
}
