import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { limitInput, pageOf, pagingInput } from '../../base/paging.ts';
import { suggestTouches } from '../../engines/recall/index.ts';
import { openHistoryView } from '../open-index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput, rounded } from './shared.ts';

/** How long an answer waits for files that are not indexed yet. */
const patience = 10_000;

const suggest = operation({
  name: 'suggest_touches',
  summary:
    'Files that a described task will probably touch: matches of the description, plus files that usually change with them.',
  effect: 'read',
  input: z.object({
    task: z.string().min(1).max(20_000).describe('the task, in words'),
    paths: looseList(z.string()).optional().describe('files already known to be involved'),
    limit: limitInput(10, 100),
    max_tokens: pagingInput.max_tokens,
  }),
  output: z.object({
    touches: z.array(
      z.object({
        path: z.string(),
        score: z.number(),
        why: z.string().describe('named in the task, found by search, or changes with another'),
      }),
    ),
    total: z.number(),
    ...freshnessOutput,
  }),
  examples: [{ task: 'add rate limiting to the session' }],
  command: { positionals: ['task'], rest: true },
  render: ({ touches }) =>
    touches.map((each) => `${each.score.toFixed(3)}  ${each.path}  — ${each.why}`).join('\n') ||
    'No matching files.',
  run: async (input, context) => {
    const { history, view, freshness } = await openHistoryView(context);
    const recall = await context.app.recall();
    await recall.ready({ waitMs: patience, domains: ['code', 'commits'] });
    const found = await suggestTouches(recall, { history, view }, input.task, input.paths ?? []);
    const rows = found.slice(0, input.limit).map((each) => ({ ...each, score: rounded(each.score) }));
    const { items, total } = await pageOf(rows, input);
    return { touches: items, total, freshness };
  },
});

export const operations = [suggest];
