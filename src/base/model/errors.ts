import { type ErrorCode, SylkError } from '../errors.ts';
import { type ModelUsage, modelUsageSchema } from './price.ts';

/** Every way in which a call to a model fails. */
const kinds = {
  rate_limited: 'UNAVAILABLE',
  overloaded: 'UNAVAILABLE',
  authentication: 'DENIED',
  context_full: 'INVALID_OPERATION',
  refused: 'INVALID_OPERATION',
  network: 'UNAVAILABLE',
  malformed: 'UNAVAILABLE',
  cancelled: 'CANCELLED',
} as const satisfies Record<string, ErrorCode>;

export type ModelErrorKind = keyof typeof kinds;

export interface ModelErrorFacts {
  hint?: string | undefined;
  /** Milliseconds since the epoch: before that the provider refuses again. */
  retryAt?: number | undefined;
  status?: number | undefined;
  /** Trying again does not help. */
  final?: boolean | undefined;
  /** What the failed call cost. */
  usage?: ModelUsage | undefined;
}

/** The provider's own error is never the cause: its headers hold the key. */
export const modelError = (kind: ModelErrorKind, message: string, facts: ModelErrorFacts = {}): SylkError =>
  new SylkError(kinds[kind], message, {
    hint: facts.hint,
    data: {
      kind,
      retry_at: facts.retryAt,
      status: facts.status,
      final: facts.final || undefined,
      usage: facts.usage,
    },
  });

const isKind = (kind: unknown): kind is ModelErrorKind =>
  typeof kind === 'string' && Object.hasOwn(kinds, kind);

/** The kind of a model error; undefined for any other failure. */
export function modelErrorKind(thrown: unknown): ModelErrorKind | undefined {
  const kind = thrown instanceof SylkError ? thrown.data?.kind : undefined;
  return isKind(kind) ? kind : undefined;
}

/** When a refused call may be tried again, in milliseconds since the epoch. */
export function retryAtOf(thrown: unknown): number | undefined {
  const at = thrown instanceof SylkError ? thrown.data?.retry_at : undefined;
  return typeof at === 'number' ? at : undefined;
}

/** What a failed call cost; undefined where it cost nothing. */
export const usageIn = (thrown: unknown): ModelUsage | undefined =>
  thrown instanceof SylkError ? modelUsageSchema.safeParse(thrown.data?.usage).data : undefined;
