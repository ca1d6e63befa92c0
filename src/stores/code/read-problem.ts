import { codeOf, SylkError } from '../../base/errors.ts';
import { isRefusedFile } from '../../base/files/index.ts';
import { type ParsedFile, unparsed } from './parse-file.ts';
import type { SkipReason } from './skip-rules.ts';

export interface FailedJob {
  path: string;
  modified: number;
  size: number;
}

/** A file that could not be read or parsed becomes a line of the report; the rest goes on. */
export function readProblem(job: FailedJob, error: unknown): ParsedFile {
  const code = codeOf(error);
  if (error instanceof SylkError && error.code === 'TIMEOUT') return skipped(job, 'parsing took too long');
  const isUnreadable = isRefusedFile(error) || (code && /^E[A-Z]+$/.test(code));
  return skipped(job, isUnreadable ? 'not readable' : 'parser failed');
}

export const skipped = ({ path, size, modified }: FailedJob, skip: SkipReason): ParsedFile => ({
  ...unparsed,
  path,
  size,
  modified,
  skip,
});
