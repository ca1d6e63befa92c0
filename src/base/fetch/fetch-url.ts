import { SylkError } from '../errors.ts';
import { type AddressRules, vetHost } from './addresses.ts';
import { decodeText } from './charset.ts';
import { getOnce } from './get-once.ts';
import { defaultLimits, type FetchLimits } from './limits.ts';
import { refusal } from './refusal.ts';

export interface FetchOptions extends AddressRules {
  /** Sent to the first origin only: a redirect to another one goes without them. */
  headers?: Record<string, string>;
  limits?: Partial<FetchLimits>;
  /** Media types that are wanted, such as `text/` or `application/json`; a prefix is enough. All if left out. */
  types?: string[];
  /** Status codes besides 2xx that are answers, such as 304. */
  acceptStatus?: number[];
  /** Asked before a redirect is followed; by default every public address is. */
  mayRedirect?: (from: URL, to: URL) => boolean;
  /** Sent instead of a bare GET, to this one address: a redirect is then refused. */
  post?: { type: string; body: Buffer };
  signal?: AbortSignal;
}

export interface FetchedDocument {
  /** Where the document was found in the end. */
  url: string;
  status: number;
  headers: Record<string, string>;
  /** Media type in lower case, without parameters; '' if the server gave none. */
  type: string;
  body: Buffer;
  /** The body as text, by the charset of header, byte order mark, document or bytes. */
  text(): string;
}

/** GET, or POST of what is given. Nothing private is reached, nothing endless is read; every refusal has `data.reason`. */
export async function fetchUrl(address: string, options: FetchOptions = {}): Promise<FetchedDocument> {
  const limits = { ...defaultLimits, ...options.limits };
  const timer = AbortSignal.timeout(limits.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timer]) : timer;
  let url = parseAddress(address);
  let headers = options.headers ?? {};
  try {
    for (let hop = 0; ; hop++) {
      const vetted = await raceAbort(vetHost(url, options), signal);
      const { types, post } = options;
      const reply = await getOnce(url, vetted, { headers, limits, signal, types, post });
      const next = redirectOf(reply, url);
      if (!next) return finish(url, reply, options);
      if (hop >= limits.maxRedirects) throw refusal('redirect_limit', `${address} redirects too often.`);
      refuseRedirect(url, next, options);
      if (next.origin !== url.origin) headers = {};
      url = next;
    }
  } catch (error) {
    if (timer.aborted && !options.signal?.aborted && !(error instanceof SylkError)) {
      throw refusal('too_slow', `${address} did not answer within ${limits.timeoutMs} ms.`, { cause: error });
    }
    throw error;
  }
}

function parseAddress(address: string): URL {
  const url = URL.parse(address);
  if (!url) throw refusal('bad_url', `Not a URL: ${JSON.stringify(address.slice(0, 200))}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refusal('scheme', `${url.protocol} URLs are not supported.`);
  }
  if (url.username || url.password) throw refusal('credentials_in_url', 'The URL contains credentials.');
  url.hash = '';
  return url;
}

type Reply = Awaited<ReturnType<typeof getOnce>>;

function redirectOf(reply: Reply, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(reply.status) || !reply.headers['location']) return undefined;
  const target = URL.parse(reply.headers['location'], url);
  if (!target) throw refusal('bad_url', `${url.href} redirects to something that is not a URL.`);
  return parseAddress(target.href);
}

function refuseRedirect(from: URL, to: URL, options: FetchOptions): void {
  const downgrade = from.protocol === 'https:' && to.protocol === 'http:';
  if (!downgrade && !options.post && (options.mayRedirect?.(from, to) ?? true)) return;
  throw refusal('redirect_refused', `${from.href} redirects to ${to.href}.`, { data: { target: to.href } });
}

function finish(url: URL, reply: Reply, options: FetchOptions): FetchedDocument {
  const { status, headers, body, type } = reply;
  const answered = (status >= 200 && status < 300) || (options.acceptStatus ?? []).includes(status);
  if (!answered) {
    throw refusal('http_status', `${url.href} answered ${status}.`, {
      data: { status },
      code: status === 404 || status === 410 ? 'NOT_FOUND' : 'UNAVAILABLE',
    });
  }
  return {
    url: url.href,
    status,
    headers,
    type,
    body,
    text: () => decodeText(body, headers['content-type'] ?? ''),
  };
}

async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
