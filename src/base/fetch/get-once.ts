import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { codeOf, messageOf, SylkError } from '../errors.ts';
import type { VettedHost } from './addresses.ts';
import type { FetchLimits } from './limits.ts';
import { refusal } from './refusal.ts';

export interface GetOptions {
  headers: Record<string, string>;
  limits: FetchLimits;
  signal: AbortSignal;
  types: string[] | undefined;
  post?: { type: string; body: Buffer } | undefined;
}

export interface GetReply {
  status: number;
  headers: Record<string, string>;
  type: string;
  body: Buffer;
}

/** One request to one vetted address. Nothing is pooled, so that no connection outlives its check. */
export async function getOnce(url: URL, vetted: VettedHost, options: GetOptions): Promise<GetReply> {
  const response = await send(url, vetted, options);
  try {
    const headers = plainHeaders(response);
    const status = response.statusCode ?? 0;
    const type = (headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase();
    if (status < 200 || status >= 300) return { status, headers, type, body: Buffer.alloc(0) };
    refuseType(url, type, options.types);
    const body = await readBody(url, response, headers, options);
    if (options.types && looksBinary(body)) throw refusal('wrong_type', `${url.href} is not text.`);
    return { status, headers, type, body };
  } finally {
    response.destroy();
  }
}

async function send(url: URL, vetted: VettedHost, options: GetOptions): Promise<IncomingMessage> {
  // Loaded here: 60 ms that a command which fetches nothing does not pay.
  const { request: open } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const pinned: LookupFunction = (_host, asked, answer) => {
    if (asked.all) answer(null, [{ address: vetted.address, family: vetted.family }]);
    else answer(null, vetted.address, vetted.family);
  };
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: options.post ? 'POST' : 'GET',
      agent: false,
      lookup: pinned,
      signal: options.signal,
      timeout: options.limits.idleMs,
      maxHeaderSize: 32_768,
      headers: {
        'user-agent': 'sylk',
        accept: '*/*',
        'accept-encoding': 'gzip, br, zstd',
        ...options.headers,
        connection: 'close',
      },
    });
    if (options.post)
      request
        .setHeader('content-type', options.post.type)
        .setHeader('content-length', options.post.body.length);
    let reading: IncomingMessage | undefined;
    request.on('response', (response) => {
      reading = response;
      resolve(response);
    });
    request.on('timeout', () => (reading ?? request).destroy(silence(url, options.limits)));
    request.on('error', (error) => reject(connectionFailure(url, error, options.signal)));
    request.end(options.post?.body);
  });
}

async function readBody(
  url: URL,
  response: IncomingMessage,
  headers: Record<string, string>,
  { limits, signal }: GetOptions,
): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(url, limits);
  const decoded = unpack(url, limitWire(url, response, limits), headers['content-encoding'] ?? '');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded) {
      size += chunk.length;
      if (size > limits.maxDecodedBytes) {
        throw refusal(
          'too_large_decoded',
          `${url.href} decompresses to more than ${limits.maxDecodedBytes} bytes.`,
        );
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw connectionFailure(url, error, signal);
  }
  return Buffer.concat(chunks, size);
}

async function* limitWire(url: URL, response: IncomingMessage, limits: FetchLimits): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > limits.maxBytes) throw tooLarge(url, limits);
    yield chunk;
  }
}

const decoders: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

function unpack(url: URL, wire: AsyncIterable<Buffer>, encoding: string): AsyncIterable<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return wire;
  const make = decoders[name];
  if (!make)
    throw refusal(
      'bad_encoding',
      `${url.href} has an unsupported encoding ${JSON.stringify(name.slice(0, 40))}.`,
    );
  // A failure on the way surfaces where the unpacked bytes are read.
  return pipeline(wire, make(), () => {});
}

function refuseType(url: URL, type: string, wanted: string[] | undefined): void {
  if (!wanted || type === '' || wanted.some((start) => type.startsWith(start))) return;
  throw refusal('wrong_type', `${url.href} is ${type}.`, { data: { type } });
}

/** What a server says of a document and what it sends are two things. */
function looksBinary(body: Buffer): boolean {
  const wide = body[0] === 0xff || body[0] === 0xfe;
  return !wide && body.subarray(0, 8192).includes(0);
}

function plainHeaders(response: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

const tooLarge = (url: URL, limits: FetchLimits): SylkError =>
  refusal('too_large', `${url.href} is larger than ${limits.maxBytes} bytes.`);

const silence = (url: URL, limits: FetchLimits): SylkError =>
  refusal('too_slow', `${url.href} sent nothing for ${limits.idleMs} ms.`);

function connectionFailure(url: URL, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof SylkError) return error;
  if (signal.aborted) return signal.reason;
  const code = codeOf(error) ?? '';
  if (/^(?:Z_|ERR_BROTLI|ERR_ZSTD|ZSTD_|ERR__ERROR_FORMAT)/.test(code)) {
    return refusal('bad_encoding', `${url.href} could not be decompressed (${code}).`, { cause: error });
  }
  return refusal('connection', `${url.href} could not be read: ${messageOf(error) || code}`, {
    cause: error,
  });
}
