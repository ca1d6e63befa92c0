import { embeddingText } from '../../base/chunk/index.ts';
import { aboutText } from './about-file.ts';
import type { Stand } from './stand.ts';
import { chunkKey, fileKey } from './tables.ts';

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
    const waiting = new Set(waitingFiles(stand));
    const own = sqlite
      .all<{ number: number }>(
        'SELECT f.number FROM reference_files AS f JOIN reference_topics AS t ON t.number = f.topic WHERE t.id = ?',
        topicId,
      )
      .filter(({ number }) => waiting.has(number));
    for (let from = 0; from < own.length; from += piece)
      await embedFiles(
        stand,
        own.slice(from, from + piece).map(({ number }) => number),
        options.signal,
      );
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

/** Files of topics in use whose subject has only a quick vector. */
export function waitingFiles(stand: Stand): number[] {
  const { sqlite, files } = stand.index();
  const rows = sqlite.all<{ number: number }>(
    `SELECT f.number FROM reference_files AS f JOIN reference_topics AS t ON t.number = f.topic
     WHERE t.status <> 'obsolete' ORDER BY t.fetched_at DESC, f.number`,
  );
  const numbers = rows.map(({ number }) => number);
  const good = files.having(numbers.map(fileKey), 1);
  return numbers.filter((number) => !good.has(fileKey(number)));
}

export async function embedFiles(
  stand: Stand,
  numbers: number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sqlite, files } = stand.index();
  const rows = sqlite.all<{ number: number; path: string; title: string; about: string; headings: string }>(
    'SELECT number, path, title, about, headings FROM reference_files WHERE number IN (SELECT value FROM json_each(?))',
    JSON.stringify(numbers),
  );
  const model = stand.model();
  const texts = rows.map(({ path, headings, ...about }) =>
    aboutText(path, { ...about, headings: headings.split('\n') }),
  );
  const vectors = await model.embed(texts, signal ? { signal } : {});
  files.put(rows.map(({ number }, at) => ({ key: fileKey(number), vector: vectors[at]!, tier: model.tier })));
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
