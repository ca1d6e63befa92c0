import { codeOf, SylkError } from '../../base/errors.ts';
import { isRefusedFile } from '../../base/files/index.ts';
import type { ParsedFile } from './parse-file.ts';
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

export function skipped(job: FailedJob, skip: SkipReason): ParsedFile {
  return {
    path: job.path,
    size: job.size,
    modified: job.modified,
    skip,
    hash: '',
    interface: '',
    language: 'markdown',
    package: '',
    lines: 0,
    broken: false,
    symbols: [],
    words: [],
    facts: '',
    uses: '',
  };
}
