import { type ErrorCode, SylkError } from '../errors.ts';

/** Why a fetch was refused or given up: one word per way, in `data.reason` of the error. */
export type FetchReason =
  | 'bad_url'
  | 'scheme'
  | 'credentials_in_url'
  | 'private_address'
  | 'unknown_host'
  | 'redirect_limit'
  | 'redirect_refused'
  | 'too_large'
  | 'too_large_decoded'
  | 'too_slow'
  | 'wrong_type'
  | 'bad_encoding'
  | 'http_status'
  | 'connection';

const codes: Partial<Record<FetchReason, ErrorCode>> = {
  bad_url: 'VALIDATION_ERROR',
  scheme: 'DENIED',
  credentials_in_url: 'DENIED',
  private_address: 'DENIED',
  redirect_limit: 'DENIED',
  redirect_refused: 'DENIED',
  too_large: 'BUDGET_EXCEEDED',
  too_large_decoded: 'BUDGET_EXCEEDED',
  too_slow: 'TIMEOUT',
};

const hints: Partial<Record<FetchReason, string>> = {
  bad_url: 'Give a full URL, such as https://example.org/guide/.',
  scheme: 'Use an http:// or https:// URL.',
  credentials_in_url: 'Remove user and password from the URL.',
  private_address: 'For a machine of your own, add host:port to network.allow_hosts in your own config file.',
  redirect_refused: 'Give the final URL, so that it can be approved itself.',
  too_large: 'Choose a smaller document.',
  too_large_decoded: 'Choose a smaller document.',
  too_slow: 'Try again later.',
  wrong_type: 'Give the URL of a text document.',
};

export function refusal(
  reason: FetchReason,
  message: string,
  extras: { data?: Record<string, unknown>; cause?: unknown; code?: ErrorCode } = {},
): SylkError {
  const hint = hints[reason];
  return new SylkError(extras.code ?? codes[reason] ?? 'UNAVAILABLE', message, {
    hint: hint || undefined,
    data: { reason, ...extras.data },
    cause: extras.cause,
  });
}
