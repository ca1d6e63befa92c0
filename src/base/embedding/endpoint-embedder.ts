import { SylkError } from '../errors.ts';
import { type Embedder, normalise } from './embedder.ts';

export interface EndpointOptions {
  /** The base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1. */
  url: string;
  model: string;
  dimensions: number;
  key?: string;
  /** For tests; the outside network otherwise. */
  fetch?: typeof fetch;
  timeoutMilliseconds?: number;
}

const textsPerCall = 64;

/** Any server that answers `POST /embeddings` as OpenAI does: Ollama, vLLM, hosted ones. Used only when a person set it. */
export function createEndpointEmbedder(options: EndpointOptions): Embedder {
  const request = options.fetch ?? fetch;
  const address = `${options.url.replace(/\/+$/, '')}/embeddings`;
  const call = async (input: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const timeout = AbortSignal.timeout(options.timeoutMilliseconds ?? 30_000);
    const response = await request(address, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
      },
      body: JSON.stringify({ model: options.model, input }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }).catch((error: Error) => {
      if (signal?.aborted) throw error;
      throw unavailable(`did not answer (${error.name})`);
    });
    if (!response.ok) throw unavailable(`answered ${response.status}`);
    return vectorsOf(await response.json().catch(() => undefined), input.length, options.dimensions);
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

/** The address is not repeated: it may carry a secret. */
const unavailable = (what: string) =>
  new SylkError('UNAVAILABLE', `The embedding endpoint ${what}.`, {
    hint: 'Search by words still answers. Check embedding.endpoint_url, the model name and the key.',
  });

function vectorsOf(body: unknown, expected: number, dimensions: number): Float32Array[] {
  const data = (body as { data?: unknown } | undefined)?.data;
  if (!Array.isArray(data) || data.length !== expected)
    throw unavailable('answered in a shape that is not OpenAI’s');
  const vectors: Float32Array[] = [];
  for (const [at, item] of data.entries()) {
    const { index = at, embedding } = item as { index?: number; embedding?: number[] };
    if (!Array.isArray(embedding) || embedding.length !== dimensions) {
      const got = Array.isArray(embedding) ? embedding.length : 'no';
      throw unavailable(`answered ${got} dimensions, not ${dimensions}`);
    }
    vectors[index] = normalise(Float32Array.from(embedding));
  }
  return vectors;
}
