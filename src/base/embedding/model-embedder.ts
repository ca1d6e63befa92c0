import { coresForBackground } from '../turns.ts';
import { batchesByLength } from './batches.ts';
import type { Embedder } from './embedder.ts';
import { type ModelProcess, startModelProcess } from './model-process.ts';
import { miniLmFingerprint } from './weights.ts';
import { modelTokenLimit } from './word-piece.ts';

export interface ModelEmbedderOptions {
  /** A directory with the weights, instead of the installed package. */
  weights?: string;
  runtime?: 'onnx' | 'wasm' | 'auto';
  /** Threads inside the runtime; the default leaves one core to everyone else. */
  threads?: number;
  /** The model is let go after this long without a question. */
  idleMilliseconds?: number;
}

const dimensions = 384;
/** Roughly, and rather few: what is sent as one piece should run as one. */
const charactersOfToken = 3;
/** Shorter texts count as this long, so that not too many of them make one piece. */
const leastTokens = 64;
/** A question is a text or two; more is background work. */
const urgentBelow = 4;

interface Host {
  process?: ModelProcess;
  /** Embedders that asked since the process started. */
  users: Set<object>;
  running: number;
  idle?: NodeJS.Timeout;
}

/** A server with many repositories has one model for all of them. */
const hosts = new Map<string, Host>();

function hostOf(start: Parameters<typeof startModelProcess>[0]) {
  const key = JSON.stringify(start);
  const host: Host = hosts.get(key) ?? { users: new Set(), running: 0 };
  hosts.set(key, host);
  const open = (): ModelProcess => {
    host.process ??= startModelProcess(start, () => {
      host.process = undefined;
    });
    return host.process;
  };
  const stop = async () => {
    clearTimeout(host.idle);
    host.users.clear();
    const stopping = host.process;
    host.process = undefined;
    await stopping?.stop();
  };
  return { host, open, stop };
}

/** all-MiniLM-L6-v2 in a process of its own: loaded at the first question, let go when idle. */
export function createModelEmbedder(options: ModelEmbedderOptions = {}): Embedder {
  const idleMilliseconds = options.idleMilliseconds ?? 60_000;
  const { host, open, stop } = hostOf({
    weights: options.weights || undefined,
    runtime: options.runtime ?? 'auto',
    threads: options.threads ?? coresForBackground,
  });
  const rest = () => {
    clearTimeout(host.idle);
    if (host.running > 0) return;
    host.idle = setTimeout(() => void stop(), idleMilliseconds);
    host.idle.unref();
  };
  const self: Embedder = {
    fingerprint: miniLmFingerprint,
    dimensions,
    tier: 1,
    loaded: () => host.process !== undefined,
    release: async () => {
      host.users.delete(self);
      if (host.users.size === 0) await stop();
    },
    embed: async (texts, { signal } = {}) => {
      host.running++;
      host.users.add(self);
      clearTimeout(host.idle);
      try {
        const vectors = new Array<Float32Array>(texts.length);
        for (const piece of piecesOf(texts)) {
          signal?.throwIfAborted();
          const own = piece.map((at) => texts[at]!);
          const flat = await open().ask(own, texts.length < urgentBelow);
          for (const [row, at] of piece.entries())
            vectors[at] = flat.slice(row * dimensions, (row + 1) * dimensions);
        }
        return vectors;
      } finally {
        host.running--;
        rest();
      }
    },
  };
  return self;
}

/**
 * Many texts are sent in pieces, so that a question in between waits for one piece only. Those of like length stand
 * together: the model fills up every text to the longest of its piece. Answers positions into `texts`.
 */
function piecesOf(texts: string[]): number[][] {
  const order = texts.map((_, at) => at).sort((left, right) => texts[left]!.length - texts[right]!.length);
  const tokens = order.map((at) => Math.ceil(texts[at]!.length / charactersOfToken));
  const counted = tokens.map((count) => Math.min(modelTokenLimit, Math.max(leastTokens, count)));
  return batchesByLength(counted).map((batch) => batch.map((at) => order[at]!));
}
