import { z } from 'zod';
import { SylkError } from '../../../base/errors.ts';
import { fitsTokens, loadTokenCounter } from '../../../base/tokens.ts';
import { type EditPreview, type EditRequest, previewEdit } from './preview.ts';
import type { ReadLog } from './reads.ts';
import type { SnapshotCache } from './snapshots.ts';

export const fileReply = z.object({
  path: z.string(),
  content: z.string().optional().describe('missing when this session already has it'),
  start_line: z.number(),
  end_line: z.number(),
  total_lines: z.number(),
  next_start_line: z.number().optional().describe('start_line of the part that did not fit'),
  cache_hit: z.boolean(),
  token_count: z.number().describe('of the whole file'),
  hash: z.string(),
  size: z.number(),
  mod_time: z.string(),
  read_at: z.string(),
  hit_count: z.number(),
  already_read: z.string().optional().describe('when this session received the same text'),
  note: z.string().optional(),
});
export type FileReply = z.infer<typeof fileReply>;

export interface FileRequest {
  path: string;
  startLine?: number | undefined;
  endLine?: number | undefined;
  session?: string | undefined;
  /** Sends the text even if this session already has it. */
  resend?: boolean | undefined;
  maxTokens: number;
}

export function createFileShelf(snapshots: SnapshotCache, reads: ReadLog) {
  return {
    get: async ({
      path,
      startLine,
      endLine,
      session,
      resend,
      maxTokens,
    }: FileRequest): Promise<FileReply> => {
      const { snapshot, hit } = await snapshots.read(path);
      const { content: text, path: _path, ...facts } = snapshot;
      const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
      const start = startLine ?? 1;
      const wanted = Math.min(endLine ?? lines.length, lines.length);
      if (start > lines.length || start > wanted)
        throw new SylkError(
          'VALIDATION_ERROR',
          `${path} has ${lines.length} lines; lines ${start} to ${endLine ?? wanted} were requested.`,
          {
            hint: 'start_line counts from 1 and must not be after end_line.',
          },
        );
      const end =
        facts.token_count <= maxTokens ? wanted : await lastFitting(lines, start, wanted, maxTokens);
      const read =
        session === undefined
          ? undefined
          : { session, path, startLine: start, endLine: end, hash: facts.hash };
      const seen = read && !resend ? reads.seen(read) : undefined;
      if (read) reads.record(read);
      return {
        path,
        ...facts,
        start_line: start,
        end_line: end,
        total_lines: lines.length,
        next_start_line: end < wanted ? end + 1 : undefined,
        cache_hit: hit,
        already_read: seen,
        note: seen && 'Unchanged since you read it. Set resend to get the text again.',
        content: seen ? undefined : joined(lines, start, end, text.endsWith('\n')),
      };
    },
    preview: async (request: EditRequest): Promise<EditPreview> =>
      previewEdit((await snapshots.read(request.path)).snapshot.content, request),
    readBy: reads.list,
    forget: reads.forget,
  };
}

const joined = (lines: string[], start: number, end: number, closed: boolean): string =>
  lines.slice(start - 1, end).join('\n') + (end < lines.length || closed ? '\n' : '');

/** The last line that still fits; at least one, because a cut line is worse than a long one. */
async function lastFitting(
  lines: string[],
  start: number,
  wanted: number,
  maxTokens: number,
): Promise<number> {
  if (await fitsTokens(lines.slice(start - 1, wanted).join('\n'), maxTokens)) return wanted;
  const count = await loadTokenCounter();
  let tokens = 0;
  for (let line = start; line <= wanted; line++) {
    tokens += count(`${lines[line - 1]}\n`);
    if (tokens > maxTokens && line > start) return line - 1;
  }
  return wanted;
}
