import { z } from 'zod';
import { linkedLines } from '../graph/linked-lines.ts';
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

export const ask = operation({
  name: 'ask',
  summary:
    'Ask anything about this repository: the places that answer it, numbered, with why, how far to trust each and how fresh it is; contradictions are shown. No model is called.',
  effect: 'read',
  ...recallShape,
  tier: 'core',
  priority: 100,
  keywords: ['ask', 'question', 'where', 'why', 'how', 'what', 'explain'],
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
      ...(wanted ? { domains: wanted } : {}),
      ...(input.path ? { path: input.path } : {}),
    });
    const linked = wanted ? [] : await linkedLines(context, input.question);
    return {
      route: front.route,
      ...answer,
      freshness: await staleSources(context, recall),
      ...(linked.length > 0 ? { linked } : {}),
    };
  },
});
