import { embeddingText } from '../../base/chunk/index.ts';
import type { Stand } from './stand.ts';
import { chunkKey } from './tables.ts';

export interface EmbedReport {
  static: number;
  model: number;
  of: number;
}

export const piece = 64;

/** Replaces quick vectors by the model's. Without `run` it only counts. Can be stopped and goes on where it was. */
export async function embedTopic(
  stand: Stand,
  topicId: string,
  options: {
    run: boolean;
    signal?: AbortSignal | undefined;
    progress?(event: { done: number; total: number; message: string }): void;
  },
): Promise<EmbedReport> {
  const { sqlite, chunks } = stand.index();
  const rows = sqlite.all<{ number: number }>(
    'SELECT c.number FROM reference_chunks AS c JOIN reference_topics AS t ON t.number = c.topic WHERE t.id = ? ORDER BY c.number',
    topicId,
  );
  const keys = rows.map(({ number }) => chunkKey(number));
  const good = chunks.having(keys, 1);
  if (options.run) {
    const open = rows.filter(({ number }) => !good.has(chunkKey(number)));
    for (let from = 0; from < open.length; from += piece) {
      options.signal?.throwIfAborted();
      const batch = open.slice(from, from + piece);
      await embedChunks(
        stand,
        batch.map(({ number }) => number),
        options.signal,
      );
      for (const { number } of batch) good.add(chunkKey(number));
      options.progress?.({ done: good.size, total: rows.length, message: 'embedding' });
    }
  }
  return { static: chunks.having(keys).size - good.size, model: good.size, of: rows.length };
}

/** Chunks of topics in use that have only quick vectors, newest topics first. */
export function waitingChunks(stand: Stand): number[] {
  const { sqlite, chunks } = stand.index();
  const rows = sqlite.all<{ number: number }>(
    `SELECT c.number FROM reference_chunks AS c JOIN reference_topics AS t ON t.number = c.topic
     WHERE t.status <> 'obsolete' ORDER BY t.fetched_at DESC, c.number`,
  );
  const numbers = rows.map(({ number }) => number);
  const good = chunks.having(numbers.map(chunkKey), 1);
  return numbers.filter((number) => !good.has(chunkKey(number)));
}

export async function embedChunks(
  stand: Stand,
  numbers: number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sqlite, chunks } = stand.index();
  const rows = sqlite.all<{ number: number; path: string; heading: string; text: string }>(
    `SELECT c.number, f.path, c.heading, c.text FROM reference_chunks AS c JOIN reference_files AS f ON f.number = c.file
     WHERE c.number IN (SELECT value FROM json_each(?))`,
    JSON.stringify(numbers),
  );
  const model = stand.model();
  const texts = rows.map(({ path, heading, text }) =>
    embeddingText({ path, heading: heading.split(' › '), text }),
  );
  const vectors = await model.embed(texts, signal ? { signal } : {});
  chunks.put(
    rows.map(({ number }, at) => ({ key: chunkKey(number), vector: vectors[at]!, tier: model.tier })),
  );
}
