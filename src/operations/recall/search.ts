import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { fileRef } from '../../base/ref.ts';
import { hintFor, searchAll } from '../../engines/recall/index.ts';
import { pathsWithTags } from '../../stores/history/index.ts';
import { type OperationContext, operation } from '../operation.ts';
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

export const search = operation({
  name: 'search',
  summary:
    'Find the files that a question is about. Ranks files by path, content, meaning, and the commits that touched them.',
  effect: 'read',
  input: z.object({
    query: queryInput,
    in: domainsInput,
    path: pathInput,
    tags: looseList(z.string()).optional().describe('only files with all of these tags'),
    limit: limitInput(20, 200),
    ...pagingInput,
  }),
  output: z.object({
    status: z.enum(['ok', 'no_matches']),
    results: z.array(
      z.object({
        path: z.string(),
        tags: z.array(z.string()),
        score: z.number(),
        lines: z.string().optional(),
        reason: z.string(),
      }),
    ),
    others: z.array(cardOutput).optional().describe('results of the other domains in `in`'),
    hint: z.string().optional(),
    freshness: freshnessOutput,
    notes: notesOutput,
    ...pagingOutput,
  }),
  examples: [
    { query: 'rate-limiting' },
    { query: 'session', tags: 'auth', limit: 3 },
    { query: 'login', path: 'src/auth' },
  ],
  command: { positionals: ['query'], rest: true },
  render: (output, { verbose }) =>
    [
      output.status === 'ok' ? output.hint : '',
      ...output.results.map((each) => {
        const place = `${each.path}${each.lines ? `:${each.lines}` : ''}`;
        return verbose ? `${each.score.toFixed(3)}  ${place}  — ${each.reason}` : place;
      }),
      ...(output.others ?? []).map((card) => showCard(card, verbose)),
      output.results.length + (output.others?.length ?? 0) > 0 ? '' : (output.hint ?? 'No results.'),
      showNotes(output.notes, output.freshness),
    ]
      .filter(Boolean)
      .join('\n'),
  // A result without what could not be read is not a whole answer.
  isFailure: ({ freshness }) => freshness.some(({ state }) => state === 'failed'),
  run: async (input, context) => {
    const wanted = domainsOf(input.in) ?? ['code'];
    // Commits vote for the files they changed.
    const recall = await openRecall(context, [...wanted, 'commits']);
    const asked = await recall.question(input.query);
    const files = wanted.includes('code') ? await rankFiles(context, recall, asked, input) : [];
    const { items, total, next_cursor } = await pageOf(files, input, (file) => ({
      path: file.owner,
      tags: file.tags,
      score: Math.round(file.score * 10_000) / 10_000,
      lines: file.lines || undefined,
      reason: file.reason,
    }));
    const beside = wanted.filter((domain) => domain !== 'code');
    const others =
      beside.length > 0
        ? (
            await searchAll(recall, input.query, {
              domains: beside,
              limitPerDomain: 5,
              path: input.path || undefined,
            })
          ).results
        : [];
    const cards = others.flatMap((each) => each.results);
    const nothing = items.length === 0 && cards.length === 0;
    const closest = () => closestHint(context, recall, asked, input.query, [...items.map(cardOf), ...cards]);
    return {
      status: nothing ? ('no_matches' as const) : ('ok' as const),
      results: items,
      others: beside.length > 0 ? cards : undefined,
      hint: nothing ? hintFor(input.query, wanted, []) : await closest(),
      freshness: await staleSources(context, recall, [...wanted, 'commits']),
      notes: asked.notes,
      total,
      next_cursor,
    };
  },
});

type Recall = Awaited<ReturnType<typeof openRecall>>;
type Asked = Awaited<ReturnType<Recall['question']>>;

/** Files in order, each with its tags. The tag filter runs before the limit, so that it loses no results. */
async function rankFiles(
  { app }: OperationContext,
  recall: Recall,
  asked: Asked,
  input: { path?: string | undefined; tags?: string[] | undefined },
) {
  const history = await app.history();
  const model = await history.ready({ waitMs: 0 }).then(
    (ready) => ready.view,
    () => undefined,
  );
  const within =
    model && input.tags && input.tags.length > 0
      ? new Set([...pathsWithTags(model, input.tags)].map((path) => model.name(path)))
      : undefined;
  const ranked = await recall.rankFiles({ ...asked, path: input.path || undefined });
  return ranked
    .filter((file) => !within || within.has(file.owner))
    .map((file) => {
      const known = model?.find(file.owner);
      return { ...file, tags: model && known !== undefined ? model.tags(known) : [] };
    });
}

const cardOf = ({ path }: { path: string }) => ({ ref: fileRef(path), domain: 'code', title: path, path });

/** Commits vote for files, so that their words count, too; they are searched only where no file holds the words. */
async function closestHint(
  context: OperationContext,
  recall: Recall,
  asked: Asked,
  query: string,
  cards: Parameters<typeof closestOnly>[2],
): Promise<string | undefined> {
  if (!(await closestOnly(context, query, cards))) return undefined;
  const commits = await recall.searchDomain({ domain: 'commits', ...asked, limit: 5 });
  return closestOnly(context, query, [...cards, ...commits.cards]);
}
