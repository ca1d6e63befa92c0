export interface FetchLimits {
  /** As it comes over the wire. */
  maxBytes: number;
  /** After decompression. */
  maxDecodedBytes: number;
  /** For the whole fetch, redirects included. */
  timeoutMs: number;
  /** Longest silence. */
  idleMs: number;
  maxRedirects: number;
}

export const defaultLimits: FetchLimits = {
  maxBytes: 10_000_000,
  maxDecodedBytes: 25_000_000,
  timeoutMs: 30_000,
  idleMs: 10_000,
  maxRedirects: 5,
};
