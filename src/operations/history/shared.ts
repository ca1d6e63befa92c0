import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';

export const notesOutput = {
  notes: z.array(z.string()).optional().describe('limits of this answer'),
  damaged: z.boolean().optional().describe('part of the history could not be read; see notes'),
};

export const freshnessOutput = {
  freshness: z
    .enum(['fresh', 'behind', 'indexing', 'empty', 'unindexed'])
    .describe('fresh: matches HEAD; behind or indexing: HEAD moved and the answer is older'),
};

export const pathInput = z
  .string()
  .min(1)
  .max(4096)
  .describe('path in the repository; an old name also works');
export const tagsInput = looseList(z.string())
  .optional()
  .describe('only files with all of these tags (list or a,b)');

export const isoDay = (seconds: number | null): string => {
  if (seconds === null) return '—';
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '—' : date.toISOString().slice(0, 10);
};

export const rounded = (value: number, digits = 4): number => Number(value.toFixed(digits));
