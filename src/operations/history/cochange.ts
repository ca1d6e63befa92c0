import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { offsetOf, page, pagingInput, pagingOutput } from '../../base/paging.ts';
import { relatedFiles } from '../../stores/history/index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { freshnessOutput, historyShape, limitInput, openModel, pathInput, rounded } from './shared.ts';

export const cochangeOutput = z.object({
  path: z.string(),
  count: z.number().describe('commits that changed both, bulk commits left out'),
  jaccard: z.number(),
  support: z.number().describe('of the commits of the asked file, the share that changed this one too'),
  reverse_support: z.number(),
  score: z.number(),
  total_commits: z.number(),
  hidden_coupling: z
    .boolean()
    .optional()
    .describe('true: no import or call explains the pair; absent where the code is not indexed'),
  guess: z.boolean().optional().describe('never changed together; only named alike'),
});

const getCochange = operation({
  name: 'get_cochange',
  aliases: ['kiste_get_cochange'],
  summary:
    'Which files change together with this one, best first. Use before editing: what else will have to change?',
  effect: 'read',
  ...historyShape,
  tier: 'core',
  keywords: ['cochange', 'coupling', 'related', 'impact', 'together'],
  input: z.object({
    path: pathInput,
    limit: limitInput(20, 200),
    min_jaccard: z.coerce.number().min(0).max(1).default(0).describe('leave out weaker pairs'),
    min_count: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('leave out pairs with fewer shared commits'),
    half_life_days: z.coerce
      .number()
      .min(0)
      .optional()
      .describe('older shared commits count less in the score'),
    guesses: looseBoolean.default(true).describe('fill up with files that are only named alike'),
    ...pagingInput,
  }),
  output: z.object({
    path: z.string(),
    cochanges: z.array(cochangeOutput),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{ path: 'README.md' }, { path: 'README.md', limit: 5, min_jaccard: 0.1 }],
  command: { positionals: ['path'] },
  render: ({ path, cochanges, total }) =>
    [
      `changes together with ${path}`,
      ...cochanges.map(
        (each) =>
          `${String(each.count).padStart(5)} ×  ${Math.round(each.support * 100)
            .toString()
            .padStart(
              3,
            )} %  ${each.path}${each.guess ? '  (named alike)' : each.hidden_coupling ? '  (no link in the code)' : ''}`,
      ),
      `${cochanges.length} of ${total}`,
    ].join('\n'),
  run: async (input, context) => {
    const { history, model, freshness } = await openModel(context);
    const path = model.need(input.path);
    const found = relatedFiles(history, model, path, {
      minJaccard: input.min_jaccard,
      minCount: input.min_count,
      halfLifeDays: input.half_life_days,
      guesses: input.guesses ? input.limit : 0,
    });
    const explained = await explanation(context, model.name(path));
    const question = [input.path, input.min_jaccard, input.min_count, input.half_life_days, input.guesses];
    const offset = offsetOf(input, question);
    const rows = found.slice(offset, offset + input.limit).map((row) => ({
      path: row.name,
      count: row.count,
      jaccard: rounded(row.jaccard),
      support: rounded(row.support),
      reverse_support: rounded(row.reverse_support),
      score: rounded(row.score),
      total_commits: row.total,
      ...(row.count === 0 ? { guess: true } : {}),
      ...explained(row.count, row.name),
    }));
    const { items, total, next_cursor } = await page(rows, {
      total: found.length,
      offset,
      request: input,
      question,
    });
    return { path: model.name(path), cochanges: items, total, next_cursor, freshness };
  },
});

/** Says of a pair whether the structure of the code explains it. Asks only an index that is there. */
async function explanation({ app }: OperationContext, path: string) {
  const none = () => ({});
  if (!existsSync(join(app.repository.sylkDirectory, 'index.db'))) return none;
  const code = await app.code();
  if (code.fileSymbols(path).length === 0) return none;
  const linked = new Set(
    code.imports().links.flatMap(({ from, to }) => (from === path ? [to] : to === path ? [from] : [])),
  );
  return (count: number, other: string) =>
    count < 2 || code.fileSymbols(other).length === 0 ? {} : { hidden_coupling: !linked.has(other) };
}

export const operations = [getCochange];
