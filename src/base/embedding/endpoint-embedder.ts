import { SylkError } from '../errors.ts';
import { objectOf, parseJson } from '../json.ts';
import { type Embedder, normalise } from './embedder.ts';

export interface EndpointOptions {
  /** The base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1. */
  url: string;
  model: string;
  dimensions: number;
  key?: string;
  /** Private hosts (host or host:port) that the person's own settings name. */
  allowHosts?: string[];
  timeoutMilliseconds?: number;
}

const textsPerCall = 64;

/** Any server that answers `POST /embeddings` as OpenAI does: Ollama, vLLM, hosted ones. Used only when a person set it. */
export function createEndpointEmbedder(options: EndpointOptions): Embedder {
  const address = `${options.url.replace(/\/+$/, '')}/embeddings`;
  const timeoutMs = options.timeoutMilliseconds ?? 30_000;
  const call = async (input: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const body = Buffer.from(JSON.stringify({ model: options.model, input }));
    const { fetchUrl } = await import('../fetch/index.ts');
    const reply = await fetchUrl(address, {
      post: { type: 'application/json', body },
      headers: options.key ? { authorization: `Bearer ${options.key}` } : {},
      allowHosts: options.allowHosts ?? [],
      limits: { timeoutMs, idleMs: timeoutMs, maxBytes: 25_000_000 },
      signal,
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw refused(error, options.url);
    });
    return vectorsOf(parseJson(reply.text()), input.length, options.dimensions);
  };
  return {
    fingerprint: `endpoint/${options.model}/${options.dimensions}`,
    dimensions: options.dimensions,
    tier: 1,
    loaded: () => false,
    release: async () => {},
    embed: async (texts, { signal } = {}) => {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += textsPerCall)
        vectors.push(...(await call(texts.slice(from, from + textsPerCall), signal)));
      return vectors;
    },
  };
}

/** A private address needs a line in the person's own file, and the hint is that line. */
function refused(error: unknown, url: string): SylkError {
  const { reason, status } = objectOf(error instanceof SylkError ? error.data : undefined);
  if (reason === 'private_address')
    return new SylkError(
      'DENIED',
      `The embedding endpoint has a private address, so nothing is sent to it. If it is yours, add network.allow_hosts: ["${URL.parse(url)?.host}"] to your own config.yaml.`,
      { hint: 'Word search still works.', data: { reason } },
    );
  return unavailable(status ? `answered ${status}` : `did not answer (${reason ?? 'failed'})`);
}

/** The address is not repeated: it may carry a secret. */
const unavailable = (what: string) =>
  new SylkError('UNAVAILABLE', `The embedding endpoint ${what}.`, {
    hint: 'Word search still works. Check embedding.endpoint_url, the model name and the key.',
  });

function vectorsOf(body: unknown, expected: number, dimensions: number): Float32Array[] {
  const { data } = objectOf(body);
  if (!Array.isArray(data) || data.length !== expected)
    throw unavailable('returned an invalid response (not in the OpenAI format)');
  const vectors: Float32Array[] = [];
  for (const [at, item] of data.entries()) {
    const { index, embedding } = objectOf(item);
    if (!Array.isArray(embedding) || embedding.length !== dimensions) {
      const got = Array.isArray(embedding) ? embedding.length : 'no';
      throw unavailable(`returned ${got} dimensions, not ${dimensions}`);
    }
    vectors[typeof index === 'number' ? index : at] = normalise(Float32Array.from(embedding));
  }
  return vectors;
}
