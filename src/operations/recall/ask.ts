import { z } from 'zod';
import { searchAnswerSchema } from '../../engines/answers/index.ts';
import { missingHistory } from '../open-index.ts';
import { operation } from '../operation.ts';
import { showAnswer, showCost } from './answer.ts';
import {
  domainsInput,
  domainsOf,
  freshnessOutput,
  openRecall,
  pathInput,
  queryInput,
  readQuestion,
  showNotes,
  staleSources,
} from './shared.ts';

/** Such a question may be about what a shallow or partial clone does not have. */
const aboutThePast =
  /\b(?:why|when|who|since|history|commits?|chang\w+|introduc\w+|added|removed|first|oldest|before)\b/i;

/** An answer in parts has headings over them, and is shown as it was composed. */
const isComposed = ({ target, answer }: { target: string; answer: string }): boolean =>
  target !== 'librarian' || answer.startsWith('── ');

export const ask = operation({
  name: 'ask',
  summary:
    'Ask anything about this repository: the places that answer it, numbered, with why, how far to trust each and how fresh it is; contradictions are shown. No model is called.',
  effect: 'read',
  input: z.object({
    question: queryInput,
    in: domainsInput,
    path: pathInput,
    token_budget: z.coerce.number().int().min(100).max(20_000).default(1000),
    thoroughness: z.enum(['quick', 'moderate', 'thorough']).default('moderate'),
  }),
  output: searchAnswerSchema.extend({
    target: z.string().describe('who answered'),
    route: z.string().describe('how it got there'),
    next_step: z
      .string()
      .optional()
      .describe('what to do with it besides, where it is for somebody who does not answer'),
    freshness: freshnessOutput,
    linked: z.array(z.string()).optional().describe('what links say'),
  }),
  examples: [{ question: 'where do users log in?' }, { question: 'how do we limit attempts', in: 'code' }],
  command: { positionals: ['question'], rest: true },
  render: (output) =>
    [
      output.route,
      isComposed(output) ? output.answer : showAnswer(output),
      output.next_step,
      isComposed(output) ? showCost(output) : '',
      output.linked ? ['Linked:', ...output.linked].join('\n  ') : '',
      showNotes(output.notes, output.freshness),
    ]
      .filter(Boolean)
      .join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const wanted = domainsOf(input.in);
    const started = performance.now();
    const { read, session } = await readQuestion(context, input.question);
    const answers = await context.app.answers();
    const answer = await answers.ask(
      {
        text: input.question,
        read,
        domains: wanted,
        path: input.path,
        tokenBudget: input.token_budget,
        thoroughness: input.thoroughness,
        signal: context.signal,
      },
      { session, kind: context.caller.kind },
    );
    const { target, level, cost } = answer;
    (await context.app.guide()).traceAnswer({
      session,
      source: context.caller.kind === 'person' ? 'user' : 'client',
      target,
      milliseconds: performance.now() - started,
      level,
      cost: cost.model_tokens,
    });
    const limits = aboutThePast.test(input.question) ? missingHistory(await context.app.history()) : [];
    return {
      ...answer,
      notes: [...answer.notes, ...limits],
      freshness: await staleSources(context, recall),
    };
  },
});
