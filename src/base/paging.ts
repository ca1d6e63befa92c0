import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SylkError } from './errors.ts';
import { takeWithinTokens } from './tokens.ts';

/** Replies stay small unless asked otherwise; no client takes more than the ceiling. */
export const defaultReplyTokens = 4000;
export const maxReplyTokens = 20_000;

/** Spread into the input of every operation that answers a list. */
export const pagingInput = {
  cursor: z.string().optional().describe('next_cursor of the reply before'),
  max_tokens: z.coerce
    .number()
    .int()
    .min(200)
    .max(maxReplyTokens)
    .optional()
    .describe(`reply size (default ${defaultReplyTokens})`),
};

export const limitInput = (standard: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(standard)
    .describe(`at most this many (default ${standard})`);

/** Spread into the output of every operation that answers a list. */
export const pagingOutput = {
  total: z.number(),
  next_cursor: z.string().optional(),
};

export interface PageRequest {
  cursor?: string | undefined;
  max_tokens?: number | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

/** A cursor belongs to one question: used with another it is refused instead of answering nonsense. */
export function offsetOf(request: PageRequest, question: unknown): number {
  if (!request.cursor) return request.offset ?? 0;
  const [offset, mark] = Buffer.from(request.cursor, 'base64url').toString('utf8').split('.');
  if (!offset || !/^\d+$/.test(offset) || mark !== fingerprint(question)) {
    throw new SylkError('VALIDATION_ERROR', 'The cursor does not belong to this question.', {
      hint: 'Use next_cursor with the same other inputs, or leave cursor out to start again.',
    });
  }
  return Number(offset);
}

/** Cuts what was found to the reply's budget and says how to go on. `found` starts at `offset` of `total`. */
export async function page<T>(
  found: T[],
  {
    total,
    offset,
    request,
    question,
  }: { total: number; offset: number; request: PageRequest; question: unknown },
): Promise<{ items: T[]; total: number; next_cursor?: string; next_offset?: number }> {
  const items = await takeWithinTokens(found, request.max_tokens ?? defaultReplyTokens);
  const next = offset + items.length;
  if (next >= total || items.length === 0) return { items, total };
  const cursor = Buffer.from(`${next}.${fingerprint(question)}`).toString('base64url');
  return { items, total, next_cursor: cursor, next_offset: next };
}

const fingerprint = (question: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(question) ?? '')
    .digest('hex')
    .slice(0, 12);
