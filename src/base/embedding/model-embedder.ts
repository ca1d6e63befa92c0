import { availableParallelism } from 'node:os';
import type { Embedder } from './embedder.ts';
import { type ModelProcess, startModelProcess } from './model-process.ts';

export interface ModelEmbedderOptions {
  /** A directory with the weights, instead of the installed package. */
  weights?: string;
  runtime?: 'onnx' | 'wasm' | 'auto';
  /** Threads inside the runtime; the default leaves one core to everyone else. */
  threads?: number;
  /** The model is let go after this long without a question. */
  idleMilliseconds?: number;
}

import { miniLmFingerprint } from './weights.ts';

const dimensions = 384;
/** Many texts are sent in pieces of this many, so that a question in between waits for one piece only. */
const piece = 16;
/** A question is a text or two; more is background work. */
const urgentBelow = 4;

/** all-MiniLM-L6-v2 in a process of its own: loaded at the first question, let go when idle. */
export function createModelEmbedder(options: ModelEmbedderOptions = {}): Embedder {
  const idleMilliseconds = options.idleMilliseconds ?? 60_000;
  let host: ModelProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let running = 0;

  const open = (): ModelProcess => {
    host ??= startModelProcess(
      {
        ...(options.weights ? { weights: options.weights } : {}),
        runtime: options.runtime ?? 'auto',
        threads: options.threads ?? Math.max(1, availableParallelism() - 1),
      },
      () => {
        host = undefined;
      },
    );
    return host;
  };
  const release = async () => {
    clearTimeout(idle);
    const stopping = host;
    host = undefined;
    await stopping?.stop();
  };
  const rest = () => {
    clearTimeout(idle);
    if (running > 0) return;
    idle = setTimeout(() => void release(), idleMilliseconds);
    idle.unref();
  };
  return {
    fingerprint: miniLmFingerprint,
    dimensions,
    tier: 1,
    loaded: () => host !== undefined,
    release,
    embed: async (texts, { signal } = {}) => {
      running++;
      try {
        const vectors: Float32Array[] = [];
        for (let from = 0; from < texts.length; from += piece) {
          signal?.throwIfAborted();
          const flat = await open().ask(texts.slice(from, from + piece), texts.length < urgentBelow);
          for (let at = 0; at < flat.length; at += dimensions) vectors.push(flat.slice(at, at + dimensions));
        }
        return vectors;
      } finally {
        running--;
        rest();
      }
    },
  };
}
