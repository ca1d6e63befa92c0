import { fetchUrl } from '../../../base/fetch/index.ts';

/** Network access of this source: an argument, so that every request passes the same guard. */
export type HttpGet = (
  url: string,
  options: { headers: Record<string, string>; maxBytes: number; timeoutMs: number; signal?: AbortSignal },
) => Promise<{ status: number; body: Uint8Array }>;

/** Statuses with a meaning for this source; every other status is a failure. */
const answers = [400, 401, 403, 404, 410, 429, 500, 501, 502, 503, 504];

/** The guarded network of the product: no private hosts, with limits. */
export const guardedGet =
  (allowHosts: string[] = []): HttpGet =>
  async (url, { headers, maxBytes, timeoutMs, signal }) => {
    const limits = { maxBytes, maxDecodedBytes: maxBytes, timeoutMs, idleMs: timeoutMs };
    return fetchUrl(url, {
      headers,
      limits,
      allowHosts,
      acceptStatus: answers,
      signal,
    });
  };
