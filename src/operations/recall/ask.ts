import { z } from 'zod';
import { linkedLines } from '../graph/linked-lines.ts';
import { missingHistory } from '../history/shared.ts';
import { operation } from '../operation.ts';
import { answerOf, frontOf, frontOutput, isComposed, showFront } from '../routing/front.ts';
import { answerOutput, showAnswer, showCost } from './answer.ts';
import {
  domainsInput,
  domainsOf,
  freshnessOutput,
  openRecall,
  pathInput,
  queryInput,
  recallShape,
  showNotes,
  staleSources,
} from './shared.ts';

/** Such a question may be about what a shallow or partial clone does not have. */
const aboutThePast =
  /\b(?:why|when|who|since|history|commits?|chang\w+|introduc\w+|added|removed|first|oldest|before)\b/i;

export const ask = operation({
  name: 'ask',
  summary:
    'Ask anything about this repository: the places that answer it, numbered, with why, how far to trust each and how fresh it is; contradictions are shown. No model is called.',
  effect: 'read',
  ...recallShape,
  input: z.object({
    question: queryInput,
    in: domainsInput,
    path: pathInput,
    token_budget: z.coerce.number().int().min(100).max(20_000).default(1000),
    thoroughness: z.enum(['quick', 'moderate', 'thorough']).default('moderate'),
  }),
  output: answerOutput.extend({
    ...frontOutput,
    freshness: freshnessOutput,
    linked: z.array(z.string()).optional().describe('what links say'),
  }),
  examples: [{ question: 'where do users log in?' }, { question: 'how do we limit attempts', in: 'code' }],
  command: { positionals: ['question'], rest: true },
  render: (output) =>
    [
      output.route,
      showFront(output, showAnswer),
      isComposed(output) ? showCost(output) : '',
      output.linked ? ['Linked:', ...output.linked].join('\n  ') : '',
      showNotes(output.notes, output.freshness),
    ]
      .filter(Boolean)
      .join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const wanted = domainsOf(input.in);
    const front = await frontOf(context, input.question);
    const answer = await answerOf(context, front, {
      question: input.question,
      tokenBudget: input.token_budget,
      thoroughness: input.thoroughness,
      domains: wanted,
      path: input.path || undefined,
    });
    const linked = wanted ? [] : await linkedLines(context, input.question);
    const limits = aboutThePast.test(input.question) ? missingHistory(await context.app.history()) : [];
    return {
      route: front.route,
      ...answer,
      notes: [...answer.notes, ...limits],
      freshness: await staleSources(context, recall),
      ...(linked.length > 0 ? { linked } : {}),
    };
  },
});
