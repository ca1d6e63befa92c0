import { join } from 'node:path';
import { z } from 'zod';
import { state } from '../../base/files/index.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { fileRef } from '../../base/ref.ts';
import { relatedFiles } from '../../stores/history/index.ts';
import { openHistoryView } from '../open-index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { freshnessOutput, notesOutput, pathInput, rounded } from './shared.ts';

export const cochangeOutput = z.object({
  path: z.string(),
  count: z.number().describe('commits that changed both files, without bulk commits'),
  jaccard: z.number(),
  support: z.number().describe('share of the commits of the given file that also changed this one'),
  reverse_support: z.number(),
  score: z.number(),
  total_commits: z.number(),
  hidden_coupling: z
    .boolean()
    .optional()
    .describe('true: no import or call explains the pair; absent when the code is not indexed'),
  guess: z.boolean().optional().describe('never changed together; similar names, nearby or linked'),
  why: z.string().describe('the evidence: shared commits, or the basis of a guess'),
});

/** The reasons that the count does not already show. */
function noteOf({ why, hidden_coupling: hidden }: z.infer<typeof cochangeOutput>): string {
  const notes = why.split(', ').filter((reason) => !/^\d+ shared commit/.test(reason));
  if (hidden) notes.push('no link in the code');
  return notes.length > 0 ? `  (${notes.join(', ')})` : '';
}

const getCochange = operation({
  name: 'get_cochange',
  summary:
    'Files that usually change with this one, best first. Use before editing to see what else may need a change.',
  effect: 'read',
  input: z.object({
    path: pathInput,
    limit: limitInput(20, 200),
    min_jaccard: z.coerce.number().min(0).max(1).default(0).describe('omit weaker pairs'),
    min_count: z.coerce.number().int().min(1).optional().describe('omit pairs with fewer shared commits'),
    half_life_days: z.coerce
      .number()
      .min(0)
      .optional()
      .describe('older shared commits count less in the score'),
    guesses: looseBoolean
      .default(true)
      .describe('also files that never changed with it but are placed like files that do'),
    ...pagingInput,
  }),
  output: z.object({
    path: z.string(),
    cochanges: z.array(cochangeOutput),
    ...pagingOutput,
    ...freshnessOutput,
    ...notesOutput,
  }),
  examples: [{ path: 'README.md' }, { path: 'README.md', limit: 5, min_jaccard: 0.1 }],
  command: { positionals: ['path'] },
  render: ({ path, cochanges, total, notes = [] }) => {
    const together = cochanges.filter(({ count }) => count > 0);
    const guesses = cochanges.filter(({ count }) => count === 0);
    return [
      together.length > 0
        ? `Usually changes with ${path} (shared commits, share of its commits):`
        : `No files usually change with ${path}.`,
      ...together.map((each) => {
        const share = `${Math.round(each.support * 100)}`.padStart(3);
        return `${String(each.count).padStart(5)}  ${share} %  ${each.path}${noteOf(each)}`;
      }),
      ...(guesses.length > 0 ? ['Never changed together, but related:'] : []),
      ...guesses.map((each) => `  ${each.path}${noteOf(each)}`),
      `${cochanges.length} of ${total}`,
      ...notes,
    ].join('\n');
  },
  isFailure: ({ damaged }) => damaged === true,
  run: async (input, context) => {
    const { history, view, freshness, notes, damaged } = await openHistoryView(context);
    const path = view.requirePath(input.path);
    const links = await linksOf(context, view.name(path));
    const found = relatedFiles(history, view, path, {
      linked: links?.linked,
      minJaccard: input.min_jaccard,
      minCount: input.min_count,
      halfLifeDays: input.half_life_days,
      guesses: input.guesses ? input.limit : 0,
    });
    const { items, total, next_cursor } = await pageOf(found, input, (row) => ({
      path: row.name,
      count: row.count,
      jaccard: rounded(row.jaccard),
      support: rounded(row.support),
      reverse_support: rounded(row.reverse_support),
      score: rounded(row.score),
      total_commits: row.total,
      guess: row.count === 0 ? true : undefined,
      why: row.why,
      hidden_coupling:
        links && row.count > 1 && links.isCode(row.name) ? !links.linked.has(row.name) : undefined,
    }));
    return { path: view.name(path), cochanges: items, total, next_cursor, freshness, notes, damaged };
  },
});

/** Files that the code links with this one. Uses the code index only when it exists. */
async function linksOf({ app }: OperationContext, path: string) {
  if (!state.exists(join(app.repository.state.directory, 'index.db'))) return undefined;
  const code = await app.code();
  const isCode = (name: string) => code.fileSymbols(name).length > 0;
  if (!isCode(path)) return undefined;
  const linked = new Set<string>();
  for (const { from, to } of code.imports().links) {
    if (from === path) linked.add(to);
    else if (to === path) linked.add(from);
  }
  // An import may go through a file that only re-exports; a call points at the file itself.
  const [own] = code.symbols(fileRef(path));
  for (const direction of own ? (['out', 'in'] as const) : [])
    for (const link of code.linked(own!, { direction, depth: 1, limit: 2000 })) linked.add(link.path);
  return { linked, isCode };
}

export const operations = [getCochange];
