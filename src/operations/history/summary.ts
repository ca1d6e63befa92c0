import { join } from 'node:path';
import { z } from 'zod';
import { state } from '../../base/files/index.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { summarise } from '../../stores/history/index.ts';
import { openHistoryView } from '../open-index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput } from './shared.ts';

const seenPattern = /^[0-9a-f]{40,64}$/;

const summary = operation({
  name: 'get_repository_summary',
  summary: 'Overview for the start of a session: counts, active areas, and changes since the last summary.',
  effect: 'derive',
  idempotent: true,
  input: z.object({
    since: z
      .string()
      .regex(seenPattern)
      .optional()
      .describe('commit to compare with (default: the last summary)'),
    remember: looseBoolean.default(true).describe('save this commit as the start of the next summary'),
  }),
  output: z.object({
    commits: z.number(),
    artifacts_alive: z.number(),
    artifacts_dead: z.number(),
    tags: z.number(),
    head: z.string().nullable(),
    hottest: z.array(z.object({ area: z.string(), commits: z.number() })),
    changes: z.object({
      since: z.string().nullable(),
      commits: z.number(),
      subjects: z.array(z.string()),
      files: z.array(z.string()),
    }),
    ...freshnessOutput,
  }),
  examples: [{ remember: false }],
  render: (found) =>
    [
      `${found.commits} commits, ${found.artifacts_alive} files (${found.artifacts_dead} deleted), ${found.tags} tags`,
      `most active recently: ${found.hottest.map(({ area, commits }) => `${area} (${commits} commits)`).join(', ') || '—'}`,
      found.changes.since
        ? `${found.changes.commits} commits since ${found.changes.since.slice(0, 10)}:`
        : 'newest commits:',
      ...found.changes.subjects.map((subject) => `  ${subject}`),
      ...(found.changes.files.length > 0 ? [`most changed: ${found.changes.files.join(', ')}`] : []),
    ].join('\n'),
  run: async ({ since, remember }, context) => {
    const { view, freshness } = await openHistoryView(context);
    const file = join(context.app.prepareDirectory(), 'run', 'last-summary');
    const before = since ?? state.readText(file)?.trim();
    const found = summarise(view, before && seenPattern.test(before) ? before : undefined);
    if (remember && found.head && !context.caller.readOnly) state.write(file, `${found.head}\n`);
    return { ...found, freshness };
  },
});

export const operations = [summary];
