import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SylkError } from './errors.ts';
import { takeWithinTokens } from './tokens.ts';

/** Replies stay small unless asked otherwise; no client takes more than the ceiling. */
export const defaultReplyTokens = 4000;
export const maxReplyTokens = 20_000;

/** Spread into the input of every operation that answers a list. */
export const pagingInput = {
  cursor: z.string().optional().describe('next_cursor of the previous reply'),
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
  maxTokens?: number | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

interface Page<T> {
  items: T[];
  total: number;
  /** Where this page starts. */
  offset: number;
  next_cursor?: string;
  next_offset?: number;
}

/**
 * A page of a list, cut to `limit` and to the reply's budget, and how to go on. Everything else that the input asks is
 * the question: a cursor belongs to one question, used with another it is refused instead of answering nonsense.
 */
export function pageOf<T>(list: T[], input: PageRequest): Promise<Page<T>>;
export function pageOf<T, Row>(list: T[], input: PageRequest, toRow: (item: T) => Row): Promise<Page<Row>>;
export function pageOf(
  list: unknown[],
  input: PageRequest,
  toRow: (item: unknown) => unknown = (item) => item,
): Promise<Page<unknown>> {
  const most = input.limit ?? list.length;
  return pageFrom(input, (offset) => ({
    items: list.slice(offset, offset + most).map(toRow),
    total: list.length,
  }));
}

/** The same for what is read page by page: `read` answers the items from an offset on, and how many there are. */
export async function pageFrom<T>(
  input: PageRequest,
  read: (offset: number) => { items: T[]; total: number } | Promise<{ items: T[]; total: number }>,
): Promise<Page<T>> {
  const { cursor, max_tokens, maxTokens, limit: _limit, offset: start = 0, ...question } = input;
  const mark = fingerprint(question);
  const offset = cursor ? offsetOf(cursor, mark) : start;
  const { items: found, total } = await read(offset);
  const items = await takeWithinTokens(found, max_tokens ?? maxTokens ?? defaultReplyTokens);
  const next = offset + items.length;
  if (next >= total || items.length === 0) return { items, total, offset };
  const next_cursor = Buffer.from(`${next}.${mark}`).toString('base64url');
  return { items, total, offset, next_cursor, next_offset: next };
}

function offsetOf(cursor: string, question: string): number {
  const [offset, mark] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (offset && /^\d+$/.test(offset) && mark === question) return Number(offset);
  throw new SylkError('VALIDATION_ERROR', 'The cursor does not belong to this query.', {
    hint: 'Use next_cursor with the same other inputs, or omit cursor to start again.',
  });
}

const fingerprint = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 12);
