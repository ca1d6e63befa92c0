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
  summary: 'One screen for the start of a session: counts, where work happens, what changed since last time.',
  effect: 'derive',
  idempotent: true,
  input: z.object({
    since: z
      .string()
      .regex(seenPattern)
      .optional()
      .describe('commit to compare with (default: the last time asked)'),
    remember: looseBoolean.default(true).describe('the next summary starts from here'),
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
      `${found.commits} commits, ${found.artifacts_alive} files (${found.artifacts_dead} gone), ${found.tags} tags`,
      `busiest of late: ${found.hottest.map(({ area, commits }) => `${area} ${commits}`).join(', ') || '—'}`,
      found.changes.since
        ? `${found.changes.commits} commits since ${found.changes.since.slice(0, 10)}:`
        : 'newest commits:',
      ...found.changes.subjects.map((subject) => `  ${subject}`),
      ...(found.changes.files.length > 0 ? [`touched most: ${found.changes.files.join(', ')}`] : []),
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
