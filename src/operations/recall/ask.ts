import { z } from 'zod';
import { operation } from '../operation.ts';
import { answerOf, frontOf } from '../routing/front.ts';
import {
  domainsInput,
  domainsOf,
  freshnessOutput,
  notesOutput,
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
    'Ask anything about this repository: the places that answer it, numbered, with why and how far to trust each. No model is called.',
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
  output: z.object({
    answer: z.string(),
    status: z.enum(['ok', 'no_matches']),
    level: z.number().describe('1 cached, 2 from what is stored, 3 written by a model'),
    target: z.string().describe('who answered'),
    route: z.string().describe('how it got there'),
    intent: z.string(),
    subject: z.string(),
    cost: z.object({ model_tokens: z.number() }),
    tokens_used: z.number(),
    citations: z.array(
      z.object({
        n: z.number(),
        ref: z.string(),
        domain: z.string(),
        place: z.string(),
        reason: z.string(),
        trust: z.number(),
        snippet: z.string().optional(),
      }),
    ),
    sufficient: z.boolean().describe('false: a model would add a written explanation'),
    confidence: z.number(),
    also_exists_in: z.array(z.string()).optional(),
    suggestions: z.array(z.string()).optional(),
    hint: z.string().optional(),
    freshness: freshnessOutput,
    notes: notesOutput,
  }),
  examples: [{ question: 'where do users log in?' }, { question: 'how do we limit attempts', in: 'code' }],
  command: { positionals: ['question'], rest: true },
  render: (output) =>
    [
      output.route,
      ...(output.target === 'librarian' && output.citations.length > 0
        ? output.citations.map(
            (each) =>
              `[${each.n}] ${each.place} — ${each.reason}${each.snippet ? `\n${each.snippet.replace(/^/gm, '      ')}` : ''}`,
          )
        : [output.answer]),
      ...(output.hint && output.hint !== output.answer ? [output.hint] : []),
      ...(output.sufficient || output.status === 'no_matches'
        ? []
        : ['These are the sources; a model would write the explanation from them.']),
      showNotes(output.notes, output.freshness),
    ]
      .filter(Boolean)
      .join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const wanted = domainsOf(input.in);
    const front = await frontOf(context, input.question);
    const { route, classification } = front;
    const chosen = wanted !== undefined || input.path !== undefined;
    const asked = { question: input.question, tokenBudget: input.token_budget };
    const known = chosen ? undefined : await answerOf(context, front, asked);
    const freshness = await staleSources(recall);
    if (known) return { ...known, target: classification.target, route, freshness };
    const answer = await recall.ask(input.question, {
      tokenBudget: input.token_budget,
      thoroughness: input.thoroughness,
      signal: context.signal,
      ...(wanted ? { domains: wanted } : {}),
      ...(input.path ? { path: input.path } : {}),
    });
    const hint = front.hint ?? answer.hint;
    return { ...answer, target: 'librarian', route, freshness, ...(hint ? { hint } : {}) };
  },
});
