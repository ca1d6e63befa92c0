/** Every way an operation can fail, with what a shell and an HTTP client see. Nothing else maps codes. */
export const errorTable = {
  VALIDATION_ERROR: { exit: 2, http: 400 },
  INVARIANT_VIOLATION: { exit: 2, http: 422 },
  NOT_FOUND: { exit: 3, http: 404 },
  CONFLICT: { exit: 4, http: 409 },
  INVALID_OPERATION: { exit: 4, http: 409 },
  BLOCKED: { exit: 4, http: 409 },
  CIRCULAR_DEPENDENCY: { exit: 4, http: 409 },
  DUPLICATE_NAME: { exit: 4, http: 409 },
  TEMPLATE_DISABLED: { exit: 4, http: 409 },
  PIPELINE_CLOSED: { exit: 4, http: 409 },
  PROTECTED_TEMPLATE: { exit: 5, http: 403 },
  DENIED: { exit: 5, http: 403 },
  APPROVAL_REQUIRED: { exit: 5, http: 403 },
  BUDGET_EXCEEDED: { exit: 5, http: 429 },
  TIMEOUT: { exit: 6, http: 504 },
  UNAVAILABLE: { exit: 6, http: 503 },
  CANCELLED: { exit: 130, http: 499 },
  INTERNAL_ERROR: { exit: 1, http: 500 },
} as const;

export type ErrorCode = keyof typeof errorTable;
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** Names that the design documents also use for a code of the table. */
export const codeAliases: Record<string, ErrorCode> = {
  VERSION_CONFLICT: 'CONFLICT',
  INTERNAL: 'INTERNAL_ERROR',
};

export interface ErrorExtras {
  /** The next step, in words an agent or a person can act on. */
  hint?: string | undefined;
  cause?: unknown;
  /** Machine-readable facts about this failure, such as the current version of a row. */
  data?: Record<string, unknown>;
}

export class SylkError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'SylkError';
    this.code = code;
    this.hint = extras.hint;
    this.data = extras.data;
  }
}

export interface ErrorReport {
  code: ErrorCode;
  message: string;
  hint?: string | undefined;
  data?: Record<string, unknown>;
}

/** Anything can be thrown; this is its text. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Turns anything thrown into the one shape that surfaces show. Unknown failures keep their message, never their stack. */
export function reportOf(thrown: unknown): ErrorReport {
  if (thrown instanceof SylkError) {
    return {
      code: thrown.code,
      message: thrown.message,
      hint: thrown.hint,
      data: thrown.data,
    };
  }
  if (isAbort(thrown)) return { code: 'CANCELLED', message: 'The work was cancelled.' };
  const system = systemReport(thrown);
  if (system) return system;
  return {
    code: 'INTERNAL_ERROR',
    message: `Unexpected failure: ${messageOf(thrown)}`,
    hint: 'Run `sylk doctor`. `sylk logs` has the details.',
  };
}

/** For `catch`: a thing that is gone is undefined; every other failure stays one. */
export function undefinedIfMissing(thrown: unknown): undefined {
  if (!(thrown instanceof SylkError) || thrown.code !== 'NOT_FOUND') throw thrown;
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'CancelledError');
}

const systemHints: Record<string, { message: string; hint: string }> = {
  ENOSPC: {
    message: 'The disk is full',
    hint: 'Free some space, then run the same command again; nothing was lost.',
  },
  EDQUOT: {
    message: 'The disk quota is exceeded',
    hint: 'Free some space, then run the same command again.',
  },
  EFBIG: {
    message: 'A file would exceed the size limit of this system',
    hint: 'Raise the limit (ulimit -f) and run again.',
  },
  EACCES: {
    message: 'Permission denied',
    hint: 'Check the owner and mode of the path. For a home directory that is not yours, set HOME or SYLK_HOME.',
  },
  EROFS: {
    message: 'The file system is read-only',
    hint: 'Make it writable, or choose another place; SYLK_DIR sets the state directory.',
  },
  EMFILE: { message: 'Too many open files', hint: 'Raise the limit (ulimit -n) and run again.' },
};

/** Result codes of SQLite that are no defect of ours, by their primary code. */
const databaseHints: Record<number, { message: string; hint: string }> = {
  5: {
    message: 'Another process keeps the database busy',
    hint: 'Wait for it, or end it. `sylk doctor` shows the process.',
  },
  8: {
    message: 'The database cannot be written',
    hint: 'Check the owner of its directory (`sylk doctor` shows it), or set SYLK_DIR to a writable one.',
  },
  10: {
    message: 'Reading or writing the disk failed',
    hint: 'Check the disk and the file size limit (ulimit -f), then run the same command again.',
  },
  14: {
    message: 'The database cannot be opened',
    hint: 'Check that its directory is yours. Run `sylk doctor` for details.',
  },
};

/** The code of a failure of the system, such as ENOENT. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

function systemReport(thrown: unknown): ErrorReport | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const code = codeOf(thrown) ?? '';
  const path = 'path' in thrown ? `${thrown.path}` : undefined;
  const full = /database or disk is full/i.test(thrown.message) ? 'ENOSPC' : code;
  const known = systemHints[full];
  if (known)
    return {
      code: 'UNAVAILABLE',
      message: `${known.message}${path === undefined ? ` (${full}): ${thrown.message}` : `: ${path}`}`,
      hint: known.hint,
    };
  const result = 'errcode' in thrown ? thrown.errcode : undefined;
  const database = typeof result === 'number' ? databaseHints[result & 0xff] : undefined;
  if (!database) return undefined;
  return { code: 'UNAVAILABLE', message: `${database.message}: ${thrown.message}`, hint: database.hint };
}

/** Why a place can't be written, without the words of the system. */
const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENOENT: 'no directory can be created there',
  ENOTDIR: 'a file is in the place of a directory',
  ELOOP: 'the links form a cycle',
};

export const plainReason = (thrown: unknown): string =>
  reasons[codeOf(thrown) ?? ''] ?? reportOf(thrown).message;
