import { z } from 'zod';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { hintFor } from '../../engines/recall/index.ts';
import { symbolSchema } from '../../stores/code/index.ts';
import { operation } from '../operation.ts';
import { closestOnly, openRecall } from '../recall/shared.ts';
import { searchByMeaningToo } from './meaning.ts';
import {
  freshnessOutput,
  patternInput,
  staleLine,
  symbolAnswer,
  symbolLine,
  symbolTypeInput,
} from './shared.ts';

const searchCode = operation({
  name: 'search_code',
  summary:
    'Find functions, classes, types and files by meaning and by words in their name, signature, comment or body. Use it to locate code before reading files.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(2000).describe('words or a name'),
    limit: limitInput(10, 200),
    symbol_type: symbolTypeInput,
    file_pattern: patternInput,
    ...pagingInput,
  }),
  output: z.object({
    results: z.array(
      symbolSchema.extend({
        score: z.number(),
        similarity: z.number().optional().describe('weight of meaning, 0–1'),
        matched: z.object({
          name: z.array(z.string()),
          head: z.array(z.string()),
          body: z.array(z.string()),
        }),
      }),
    ),
    ...pagingOutput,
    ...freshnessOutput,
    status: z.enum(['ok', 'no_matches']),
    also_exists_in: z.array(z.string()).optional(),
    suggestions: z.array(z.string()).optional(),
    hint: z.string().optional(),
    notes: z.array(z.string()).describe('what was unavailable for this answer'),
  }),
  examples: [
    { query: 'parse config' },
    { query: 'login', symbol_type: 'function', file_pattern: '*.ts', limit: 5 },
  ],
  command: { positionals: ['query'], rest: true },
  render: ({ results, total, freshness, hint, suggestions, notes }) =>
    [
      ...(hint ? [hint] : []),
      ...results.map(symbolLine),
      `${results.length} of ${total}`,
      ...(suggestions ?? []),
      ...notes.map((note) => `note: ${note}`),
      ...staleLine(freshness),
    ].join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const code = await context.app.code();
    const { query, limit, symbol_type: type, file_pattern: filePattern } = input;
    const { found, notes } = await searchByMeaningToo(recall, code, { query, type, filePattern, limit });
    const { items, ...rest } = await pageOf(found, input, ({ score, similarity, matched, ...symbol }) => ({
      ...symbolAnswer(symbol),
      score,
      similarity,
      matched,
    }));
    const elsewhere = recall.alsoIn(query, 'code');
    return {
      results: items,
      ...rest,
      status: found.length > 0 ? ('ok' as const) : ('no_matches' as const),
      also_exists_in: elsewhere.length > 0 ? elsewhere : undefined,
      suggestions: elsewhere.length > 0 ? [`Related content in: ${elsewhere.join(', ')}`] : undefined,
      hint:
        found.length === 0
          ? hintFor(query, ['code'], elsewhere)
          : await closestOnly(
              context,
              query,
              items.map(({ ref, path, qualified }) => ({ ref, domain: 'code', title: qualified, path })),
            ),
      freshness: (await code.freshness({ trust: true })).state,
      notes,
    };
  },
});

export const operations = [searchCode];
