import { APICallError } from '@ai-sdk/provider';
import { messageOf, SylkError } from '../errors.ts';
import { isObject, parseJson } from '../json.ts';
import { redact } from '../redact.ts';
import { visibleLine } from '../terminal-text.ts';
import { type ModelErrorKind, modelError } from './errors.ts';

const fullContext =
  /context.{0,20}(?:length|window|limit)|too (?:long|large|many tokens)|maximum.{0,30}tokens|token count.{0,40}exceed/i;

/** What a provider calls its failure, in any of their words, read from the body or from an event of the stream. */
const words: Array<[RegExp, ModelErrorKind]> = [
  [/rate.?limit|resource.?exhausted|quota|too many requests/i, 'rate_limited'],
  [/overloaded|unavailable|server.?error|internal|api_error|timeout|timed out/i, 'overloaded'],
  [/authentication|unauthori[sz]ed|permission|api.?key/i, 'authentication'],
  [fullContext, 'context_full'],
];

function kindOfStatus(status: number, text: string): ModelErrorKind {
  if (status === 401 || status === 403) return 'authentication';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'overloaded';
  if (/api.?key/i.test(text)) return 'authentication';
  return status === 413 || fullContext.test(text) ? 'context_full' : 'refused';
}

const unitMilliseconds: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `12`, `1.5s`, `6m0s`, `20ms`. */
function durationOf(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMilliseconds[unit ?? ''] ?? 0), 0);
}

function timeOf(text: string | undefined, now: number): number | undefined {
  if (!text) return undefined;
  const duration = durationOf(text.trim());
  if (duration !== undefined) return now + duration;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

const resetHeaders = [
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((what) => [
    `anthropic-ratelimit-${what}-remaining`,
    `anthropic-ratelimit-${what}-reset`,
  ]),
  ...['requests', 'tokens'].map((what) => [`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`]),
];

/** When the provider says that it answers again: Retry-After, else the latest reset of what is used up. */
export function retryTime(headers: Record<string, string>, body: unknown, now: number): number | undefined {
  const said = headers['retry-after-ms'];
  if (said && Number(said) >= 0) return now + Number(said);
  const after = timeOf(headers['retry-after'], now) ?? timeOf(googleDelay(body), now);
  if (after !== undefined) return after;
  const resets = resetHeaders.flatMap(([remaining = '', reset = '']) => {
    const at = headers[remaining] === '0' ? timeOf(headers[reset], now) : undefined;
    return at === undefined ? [] : [at];
  });
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

/** Google puts its delay into the body. */
function googleDelay(body: unknown): string | undefined {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const details: unknown[] = Array.isArray(error.details) ? error.details : [];
  for (const detail of details)
    if (isObject(detail) && typeof detail.retryDelay === 'string') return detail.retryDelay;
  return undefined;
}

/** The provider's own message, without the key, in one short line. */
function plainMessage(text: string, key: string | undefined): string {
  const withoutKey = key ? text.replaceAll(key, '[key]') : text;
  return visibleLine(redact(withoutKey)).slice(0, 300);
}

const hints: Partial<Record<ModelErrorKind, string>> = {
  rate_limited: 'Wait, or use another model: `sylk models` lists them.',
  overloaded: 'Try again later, or use another model: `sylk models` lists them.',
  authentication: 'Check the key: `sylk models` says where each one was found.',
  context_full: 'Start a new conversation, or use a model with a larger window.',
  network: 'Check the connection to the provider, then run the same command again.',
};

export interface FailureContext {
  provider: string;
  key: string | undefined;
  now: number;
}

/** Anything that the SDK throws, as a model error that holds neither a header nor a key. */
export function failureOf(thrown: unknown, { provider, key, now }: FailureContext): SylkError {
  if (thrown instanceof SylkError) return thrown;
  const said = plainMessage(messageOf(thrown), key);
  const failure = (kind: ModelErrorKind, message: string, more = {}) =>
    modelError(kind, message, { hint: hints[kind], ...more });
  if (APICallError.isInstance(thrown)) {
    const status = thrown.statusCode;
    if (status === undefined) return failure('network', `${provider} could not be reached: ${said}`);
    if (status < 300) return failure('malformed', `${provider} answered in a form that cannot be read.`);
    const body = thrown.responseBody ?? '';
    return failure(kindOfStatus(status, `${said} ${body}`), `${provider} answered ${status}: ${said}`, {
      status,
      retryAt: retryTime(thrown.responseHeaders ?? {}, parseJson(body), now),
      // A used-up account does not come back by waiting.
      final: /insufficient_quota|billing/i.test(body),
    });
  }
  if (/JSONParse|TypeValidation|InvalidResponseData|NoObject/.test(nameOf(thrown))) {
    const isCut = /ended without/i.test(said);
    return isCut
      ? failure('network', `${provider} broke off in the middle of its answer.`)
      : failure('malformed', `${provider} answered in a form that cannot be read.`);
  }
  if (thrown instanceof TypeError) return failure('network', `${provider} could not be reached: ${said}`);
  const text = thrown instanceof Error ? said : plainMessage(JSON.stringify(thrown) ?? '', key);
  const kind = words.find(([pattern]) => pattern.test(text))?.[1] ?? 'network';
  return failure(kind, `${provider} ended its answer with an error: ${text}`);
}

const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '');
