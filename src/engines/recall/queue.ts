import { type Chunk, embeddingText } from '../../base/chunk/index.ts';
import { withLease } from '../../base/durable/index.ts';
import { reportOf } from '../../base/errors.ts';
import { type Domain, keyOf, type Passage, type Passages } from '../../stores/passages/index.ts';
import type { Meaning } from './meaning.ts';
import type { RecallSource } from './source.ts';

export interface QueueState {
  /** `elsewhere`: another process does it. `paused`: it failed, and why is said. */
  state: 'idle' | 'working' | 'elsewhere' | 'paused';
  done: number;
  total: number;
  problem?: string;
}

export interface QueueOptions {
  passages: Passages;
  meaning: Meaning;
  sources: () => RecallSource[];
  /** Called after every batch. */
  progress?: (state: QueueState) => void;
}

const batchSize = 64;
const leaseSeconds = 120;
const modelTier = 1;

/**
 * Replaces static vectors by the model's, most useful first, one process at a time. What is done is in the database
 * after every batch: a killed queue goes on where it was. With nothing to do there is no timer and no model.
 */
export function createEmbeddingQueue(options: QueueOptions) {
  const { passages, meaning } = options;
  let running: Promise<QueueState> | undefined;
  let state: QueueState = { state: 'idle', done: 0, total: 0 };
  const tell = (next: QueueState) => {
    state = next;
    options.progress?.(next);
  };

  const work = async (held: AbortSignal, signal: AbortSignal | undefined): Promise<QueueState> => {
    const order = passages.embeddingOrder();
    const total = order.length;
    let done = 0;
    for (let from = 0; from < order.length; from += batchSize) {
      signal?.throwIfAborted();
      if (held.aborted) return { state: 'elsewhere', done, total };
      const batch = passages.byId(order.slice(from, from + batchSize));
      const waiting = withoutVector(meaning, batch);
      if (waiting.length > 0) {
        await embedBatch(options, waiting, signal);
      }
      done += batch.length;
      tell({ state: 'working', done, total });
    }
    await meaning.compact(options.sources().map((source) => source.domain));
    return { state: 'idle', done, total };
  };

  const run = async (signal?: AbortSignal): Promise<QueueState> => {
    if (meaning.off) return { state: 'paused', done: 0, total: 0, problem: meaning.off };
    try {
      const end = await withLease(passages.sqlite, 'embedding', { seconds: leaseSeconds }, (held) =>
        work(held, signal),
      );
      return end ?? { ...state, state: 'elsewhere' };
    } catch (error) {
      return { ...state, state: 'paused', problem: reportOf(error).message };
    }
  };

  return {
    state: () => state,
    /** Works until nothing waits. Calls at the same time share one run. */
    run: (signal?: AbortSignal): Promise<QueueState> => {
      running ??= run(signal)
        .then((end) => {
          tell(end);
          return end;
        })
        .finally(() => {
          running = undefined;
        });
      return running;
    },
  };
}

function withoutVector(meaning: Meaning, batch: Passage[]): Passage[] {
  const byDomain = new Map<Domain, Passage[]>();
  for (const passage of batch)
    byDomain.set(passage.domain, [...(byDomain.get(passage.domain) ?? []), passage]);
  return [...byDomain].flatMap(([domain, own]) => {
    const there = meaning.space(domain).having(
      own.map((passage) => passage.key),
      modelTier,
    );
    return own.filter((passage) => !there.has(passage.key));
  });
}

async function embedBatch(
  { meaning, sources }: QueueOptions,
  waiting: Passage[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const texts = new Map<string, { text: string; domain: Domain }>();
  const cut = new Map<string, Chunk[]>();
  for (const passage of waiting) {
    const source = sources().find((each) => each.domain === passage.domain);
    if (!source) continue;
    const name = `${passage.domain}:${passage.owner}`;
    let chunks = cut.get(name);
    if (!chunks) {
      chunks = (await source.chunks(passage.owner)) ?? [];
      cut.set(name, chunks);
    }
    for (const chunk of chunks) {
      const text = embeddingText(chunk);
      // A file that changed since has other keys; its refresh brings it back here.
      if (keyOf(text) === passage.key) texts.set(passage.key, { text, domain: passage.domain });
    }
  }
  const entries = [...texts];
  const vectors = await meaning.exactVectors(
    entries.map(([, { text }]) => text),
    signal,
  );
  for (const domain of new Set(entries.map(([, each]) => each.domain))) {
    const rows = entries.flatMap(([key, each], at) => {
      const vector = vectors[at];
      return vector && each.domain === domain ? [{ key, vector, tier: modelTier }] : [];
    });
    meaning.space(domain).put(rows);
  }
}
