import { z } from 'zod';
import { offsetOf, page, pagingInput, pagingOutput } from '../../base/paging.ts';
import { operation } from '../operation.ts';
import {
  codeShape,
  freshnessOutput,
  limitInput,
  openCode,
  patternInput,
  staleLine,
  symbolAnswer,
  symbolLine,
  symbolOutput,
  symbolTypeInput,
} from './shared.ts';

const searchCode = operation({
  name: 'search_code',
  aliases: ['librarian_search_code'],
  summary:
    'Finds functions, classes, types and files by words of their name, signature, comment or body. Use it to locate code before reading files.',
  effect: 'read',
  ...codeShape,
  tier: 'core',
  priority: 100,
  keywords: ['find', 'search', 'locate', 'where', 'code', 'grep'],
  input: z.object({
    query: z.string().min(1).max(2000).describe('words or a name'),
    limit: limitInput(10, 200),
    symbol_type: symbolTypeInput,
    file_pattern: patternInput,
    file_glob: patternInput.describe('the same as file_pattern'),
    ...pagingInput,
  }),
  output: z.object({
    results: z.array(
      symbolOutput.extend({
        score: z.number(),
        matched: z.object({
          name: z.array(z.string()),
          head: z.array(z.string()),
          body: z.array(z.string()),
        }),
      }),
    ),
    ...pagingOutput,
    ...freshnessOutput,
    hint: z.string().optional(),
  }),
  examples: [
    { query: 'parse config' },
    { query: 'login', symbol_type: 'function', file_pattern: '*.ts', limit: 5 },
  ],
  command: { positionals: ['query'], rest: true },
  render: ({ results, total, freshness, hint }) =>
    [
      ...results.map(symbolLine),
      `${results.length} of ${total}`,
      ...(hint ? [hint] : []),
      ...staleLine(freshness),
    ].join('\n'),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const { query, limit, symbol_type: type } = input;
    const filePattern = input.file_pattern ?? input.file_glob;
    const found = code.search({ query, type, filePattern, limit });
    const question = [query, limit, type, filePattern];
    const offset = offsetOf(input, question);
    const rows = found
      .slice(offset)
      .map(({ score, matched, ...symbol }) => ({ ...symbolAnswer(symbol), score, matched }));
    const { items, ...rest } = await page(rows, { total: found.length, offset, request: input, question });
    const hint = found.length === 0 ? 'Nothing matches; try fewer or other words, or search_all.' : undefined;
    return { results: items, ...rest, freshness, ...(hint ? { hint } : {}) };
  },
});

export const operations = [searchCode];
