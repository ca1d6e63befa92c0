import { fetchUrl } from '../../../base/fetch/index.ts';

/** How this source reaches the network: an argument, so that every request passes the same guard against misuse. */
export type HttpGet = (
  url: string,
  options: { headers: Record<string, string>; maxBytes: number; timeoutMs: number; signal?: AbortSignal },
) => Promise<{ status: number; body: Uint8Array }>;

/** Answers that mean something to this source; every other status is a failure. */
const answers = [400, 401, 403, 404, 410, 429, 500, 501, 502, 503, 504];

/** The network as every other part of the product reaches it: nothing private, nothing endless. */
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
