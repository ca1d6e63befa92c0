import { z } from 'zod';
import { pagingInput } from '../../base/paging.ts';
import { searchAll, smartSearch } from '../../engines/recall/index.ts';
import { operation } from '../operation.ts';
import {
  cardOutput,
  closestOnly,
  domainsInput,
  domainsOf,
  freshnessOutput,
  notesOutput,
  openRecall,
  pathInput,
  queryInput,
  showCard,
  showNotes,
  staleSources,
} from './shared.ts';

export const searchEverywhere = operation({
  name: 'search_all',
  summary: 'Search every domain (code, commits, memory, references and so on), the best few results of each.',
  effect: 'read',
  input: z.object({
    query: queryInput,
    domains: domainsInput,
    limit_per_domain: z.coerce.number().int().min(1).max(50).default(5),
    path: pathInput,
    max_tokens: pagingInput.max_tokens,
  }),
  output: z.object({
    query: z.string(),
    results: z.array(
      z.object({
        domain: z.string(),
        status: z.enum(['ok', 'no_matches']),
        total: z.number(),
        results: z.array(cardOutput),
      }),
    ),
    hint: z.string().optional(),
    freshness: freshnessOutput,
    notes: notesOutput,
  }),
  examples: [{ query: 'rate limiting' }, { query: 'sessions', domains: 'code,commits', limit_per_domain: 2 }],
  command: { positionals: ['query'], rest: true },
  render: (output, { verbose }) =>
    [
      output.hint ?? '',
      ...output.results.flatMap((each) =>
        each.results.length > 0
          ? [
              `── ${each.domain} (${each.results.length} of ${each.total})`,
              ...each.results.map((card) => showCard(card, verbose)),
            ]
          : [`── ${each.domain}: no results`],
      ),
      showNotes(output.notes, output.freshness),
    ]
      .filter(Boolean)
      .join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const wanted = domainsOf(input.domains);
    const found = await searchAll(recall, input.query, {
      domains: wanted,
      limitPerDomain: input.limit_per_domain,
      path: input.path || undefined,
      maxTokens: input.max_tokens || undefined,
    });
    return {
      query: found.query,
      results: found.results,
      hint: await closestOnly(
        context,
        input.query,
        found.results.flatMap((each) => each.results),
      ),
      notes: found.notes,
      freshness: await staleSources(context, recall),
    };
  },
});

export const smart = operation({
  name: 'smart_search',
  summary:
    'Retrieve from every domain until the answer is complete or the token budget is used, most relevant first.',
  effect: 'read',
  input: z.object({
    query: queryInput,
    token_budget: z.coerce.number().int().min(100).max(20_000).default(1000),
    thoroughness: z.enum(['quick', 'moderate', 'thorough']).default('moderate'),
    domains: domainsInput,
    path: pathInput,
  }),
  output: z.object({
    status: z.enum(['ok', 'no_matches']),
    results: z.array(cardOutput),
    tokens_used: z.number(),
    budget: z.number(),
    confidence: z.number(),
    also_exists_in: z.array(z.string()).optional(),
    suggestions: z.array(z.string()).optional(),
    hint: z.string().optional(),
    freshness: freshnessOutput,
    notes: notesOutput,
  }),
  examples: [
    { query: 'who may log in how often' },
    { query: 'session', thoroughness: 'quick', token_budget: 300 },
  ],
  command: { positionals: ['query'], rest: true },
  render: (output, { verbose }) =>
    [
      output.hint ?? (output.results.length > 0 ? '' : 'No results.'),
      ...output.results.map((card) => showCard(card, verbose)),
      verbose ? `${output.tokens_used} of ${output.budget} tokens` : '',
      ...(output.suggestions ?? []),
      showNotes(output.notes, output.freshness),
    ]
      .filter(Boolean)
      .join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const wanted = domainsOf(input.domains);
    const found = await smartSearch(recall, input.query, {
      tokenBudget: input.token_budget,
      thoroughness: input.thoroughness,
      domains: wanted,
      path: input.path || undefined,
    });
    const hint = found.hint ?? (await closestOnly(context, input.query, found.results));
    return { ...found, hint, freshness: await staleSources(context, recall) };
  },
});
