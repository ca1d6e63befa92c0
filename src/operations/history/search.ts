import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { offsetOf, page, pagingInput, pagingOutput } from '../../base/paging.ts';
import { searchFiles, suggestTouches } from '../../stores/history/index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput, historyShape, limitInput, openModel, rounded, tagsInput } from './shared.ts';

const search = operation({
  name: 'search',
  aliases: ['kiste_search'],
  summary:
    'Which files is this about? Ranks files by paths and by the messages of the commits that touched them. Any words work.',
  effect: 'read',
  ...historyShape,
  tier: 'core',
  priority: 90,
  keywords: ['search', 'find', 'files', 'where'],
  input: z.object({
    query: z.string().max(20_000).describe('words, a question, an issue text'),
    tags: tagsInput,
    path: z.string().optional().describe('only below this folder'),
    limit: limitInput(20, 200),
    ...pagingInput,
  }),
  output: z.object({
    results: z.array(z.object({ path: z.string(), tags: z.array(z.string()), score: z.number() })),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{ query: 'rate-limiting' }, { query: 'session', tags: 'auth', limit: 3 }],
  command: { positionals: ['query'], rest: true },
  render: ({ results, total }) =>
    results.length === 0
      ? 'Nothing found.'
      : [
          ...results.map((each) => `${each.score.toFixed(3)}  ${each.path}`),
          `${results.length} of ${total}`,
        ].join('\n'),
  run: async (input, context) => {
    const { model, freshness } = await openModel(context);
    const found = searchFiles(model, input.query, { tags: input.tags, under: input.path });
    const question = [input.query, input.tags, input.path];
    const offset = offsetOf(input, question);
    const rows = found.slice(offset, offset + input.limit).map(({ path, score }) => ({
      path: model.name(path),
      tags: model.tags(path),
      score: rounded(score),
    }));
    const { items, total, next_cursor } = await page(rows, {
      total: found.length,
      offset,
      request: input,
      question,
    });
    return { results: items, total, next_cursor, freshness };
  },
});

const suggest = operation({
  name: 'suggest_touches',
  aliases: ['varp_suggest_touches'],
  summary:
    'Which files a described task will probably touch: search for it, then what changes together with the best hits.',
  effect: 'read',
  ...historyShape,
  tier: 'contextual',
  keywords: ['plan', 'task', 'touch', 'impact', 'files'],
  input: z.object({
    task: z.string().min(1).max(20_000).describe('what is to be done, in words'),
    paths: looseList(z.string()).optional().describe('files already known to be part of it'),
    limit: limitInput(10, 100),
    max_tokens: pagingInput.max_tokens,
  }),
  output: z.object({
    touches: z.array(
      z.object({
        path: z.string(),
        score: z.number(),
        why: z.string().describe('named in the task, found by search, or changes together with another'),
      }),
    ),
    total: z.number(),
    ...freshnessOutput,
  }),
  examples: [{ task: 'add rate limiting to the session' }],
  command: { positionals: ['task'], rest: true },
  render: ({ touches }) =>
    touches.map((each) => `${each.score.toFixed(3)}  ${each.path}  — ${each.why}`).join('\n') ||
    'Nothing found.',
  run: async (input, context) => {
    const { history, model, freshness } = await openModel(context);
    const found = suggestTouches(history, model, input.task, input.paths ?? []);
    const rows = found.slice(0, input.limit).map((each) => ({ ...each, score: rounded(each.score) }));
    const { items, total } = await page(rows, { total: rows.length, offset: 0, request: input, question: 0 });
    return { touches: items, total, freshness };
  },
});

export const operations = [search, suggest];
