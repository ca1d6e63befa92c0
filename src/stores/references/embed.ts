import { embeddingText } from '../../base/chunk/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { aboutText } from './about-file.ts';
import type { ReferencesContext } from './context.ts';
import { chunkKey, fileKey } from './tables.ts';

export interface EmbedReport {
  static: number;
  model: number;
  of: number;
}

/** Texts of one kind that get quick vectors first and the model's later. */
interface EmbeddedTexts {
  table: string;
  keyOf(number: number): string;
  /** `list` is a JSON list of numbers. */
  texts(sqlite: Sqlite, list: string): Array<{ number: number; text: string }>;
}

type Kind = 'files' | 'chunks';

const kinds: Record<Kind, EmbeddedTexts> = {
  files: {
    table: 'reference_files',
    keyOf: fileKey,
    texts: (sqlite, list) =>
      sqlite
        .all<{ number: number; path: string; title: string; about: string; headings: string }>(
          'SELECT number, path, title, about, headings FROM reference_files WHERE number IN (SELECT value FROM json_each(?))',
          list,
        )
        .map(({ number, path, headings, ...about }) => ({
          number,
          text: aboutText(path, { ...about, headings: headings.split('\n') }),
        })),
  },
  chunks: {
    table: 'reference_chunks',
    keyOf: chunkKey,
    texts: (sqlite, list) =>
      sqlite
        .all<{ number: number; path: string; heading: string; text: string }>(
          `SELECT c.number, f.path, c.heading, c.text FROM reference_chunks AS c JOIN reference_files AS f ON f.number = c.file
           WHERE c.number IN (SELECT value FROM json_each(?))`,
          list,
        )
        .map(({ number, path, heading, text }) => ({
          number,
          text: embeddingText({ path, heading: heading.split(' › '), text }),
        })),
  },
};

/** How many texts are embedded and saved at once. */
const pieceSize = 64;
export interface Piece {
  kind: Kind;
  numbers: number[];
}

/** Of one topic, or of all active topics, newest first. */
const numbersOf = ({ index }: ReferencesContext, kind: Kind, topic?: string): number[] =>
  index()
    .sqlite.all<{ number: number }>(
      `SELECT r.number FROM ${kinds[kind].table} AS r JOIN reference_topics AS t ON t.number = r.topic
       WHERE (?1 IS NULL AND t.status <> 'obsolete') OR t.id = ?1 ORDER BY t.fetched_at DESC, r.number`,
      topic ?? null,
    )
    .map(({ number }) => number);

/**
 * Texts with only quick vectors. File subjects come first: they are few and decide which file is found. Returns at
 * most `most`; `waiting` counts all.
 */
export function waitingPieces(
  context: ReferencesContext,
  { topic, most = Number.POSITIVE_INFINITY }: { topic?: string; most?: number } = {},
): { pieces: Piece[]; waiting: number } {
  const pieces: Piece[] = [];
  let waiting = 0;
  let left = most;
  for (const kind of ['files', 'chunks'] as const) {
    const { keyOf } = kinds[kind];
    const numbers = numbersOf(context, kind, topic);
    const done = context.index()[kind].having(numbers.map(keyOf), 1);
    const open = numbers.filter((number) => !done.has(keyOf(number)));
    const taken = open.slice(0, left);
    waiting += open.length;
    left -= taken.length;
    for (let from = 0; from < taken.length; from += pieceSize)
      pieces.push({ kind, numbers: taken.slice(from, from + pieceSize) });
  }
  return { pieces, waiting };
}

/** Replaces quick vectors by the model's. */
export async function embedPiece(
  context: ReferencesContext,
  { kind, numbers }: Piece,
  signal?: AbortSignal,
): Promise<void> {
  const { keyOf, texts } = kinds[kind];
  const index = context.index();
  const rows = texts(index.sqlite, JSON.stringify(numbers));
  const model = context.model();
  const vectors = await model.embed(
    rows.map(({ text }) => text),
    { signal },
  );
  index[kind].put(
    vectors.flatMap((vector, at) => {
      const row = rows[at];
      return row ? [{ key: keyOf(row.number), vector, tier: model.tier }] : [];
    }),
  );
}

/** Embeds a topic with the model, or, without `run`, only counts. Can be stopped and resumed. */
export async function embedTopic(
  context: ReferencesContext,
  topic: string,
  options: {
    run: boolean;
    signal?: AbortSignal | undefined;
    progress?(event: { done: number; total: number; message: string }): void;
  },
): Promise<EmbedReport> {
  const { chunks } = context.index();
  const keys = numbersOf(context, 'chunks', topic).map(chunkKey);
  const byModel = () => chunks.having(keys, 1).size;
  for (const piece of options.run ? waitingPieces(context, { topic }).pieces : []) {
    options.signal?.throwIfAborted();
    await embedPiece(context, piece, options.signal);
    options.progress?.({ done: byModel(), total: keys.length, message: 'embedding' });
  }
  const model = byModel();
  return { static: chunks.having(keys).size - model, model, of: keys.length };
}
