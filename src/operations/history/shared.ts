import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import type { History } from '../../stores/history/index.ts';
import type { OperationContext } from '../operation.ts';

/** An agent's call should not hang on a first index; a person sees a progress bar and waits. */
const agentPatienceMs = 5000;

export async function openHistoryView({ app, caller, signal, progress }: OperationContext) {
  const history = await app.history();
  const waitMs = caller.kind === 'person' ? Number.POSITIVE_INFINITY : agentPatienceMs;
  const { view, freshness } = await history.ready({ waitMs, signal, progress });
  const damage = history.damage();
  const notes = [...missingHistory(history), ...(damage ? [`${damage.message} ${damage.hint}`] : [])];
  return { history, view, freshness: freshness.state, notes };
}

/** Why answers from history may lack what is old. */
export function missingHistory(history: Pick<History, 'shallowCommits' | 'isPartialClone'>): string[] {
  const [oldest] = history.shallowCommits();
  return [
    ...(oldest === undefined
      ? []
      : [`Shallow clone: history before ${oldest.slice(0, 10)} is missing. Run \`git fetch --unshallow\`.`]),
    ...(history.isPartialClone()
      ? [
          'Partial clone: earlier contents of files are missing, so renames with changes and changed lines may be. Run `git fetch --refetch --no-filter`.',
        ]
      : []),
  ];
}

export const notesOutput = { notes: z.array(z.string()).optional().describe('what limits this answer') };

export const freshnessOutput = {
  freshness: z
    .enum(['fresh', 'behind', 'indexing', 'empty', 'unindexed'])
    .describe('fresh: about HEAD; behind or indexing: HEAD moved and the answer is older'),
};

export const pathInput = z
  .string()
  .min(1)
  .max(4096)
  .describe('path in the repository; an old name works too');
export const tagsInput = looseList(z.string())
  .optional()
  .describe('only files that carry all of these tags (list or a,b)');

export const limitInput = (standard: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(standard)
    .describe(`at most this many (default ${standard})`);

export const isoDay = (seconds: number | null): string => {
  if (seconds === null) return '—';
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '—' : date.toISOString().slice(0, 10);
};

export const rounded = (value: number, digits = 4): number => Number(value.toFixed(digits));

export const historyShape = {
  toolset: 'history',
} as const;
