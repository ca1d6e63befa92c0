import { type Chunk, type ChunkSizes, defaultSizes, type Span } from './chunk.ts';
import { chunkCode } from './code-chunks.ts';
import { chunkProse } from './prose-chunks.ts';

const proseName =
  /\.(md|mdx|markdown|mdown|rst|txt|adoc|asciidoc|org|tex)$|(^|\/)(readme|license|changelog|notice)$/i;

export const isProse = (path: string): boolean => proseName.test(path);

export interface ChunkRequest {
  path: string;
  text: string;
  /** The symbols of a source file. Without them code is cut at its empty lines. */
  spans?: Span[];
  sizes?: Partial<ChunkSizes>;
}

/** The one way in which text becomes chunks, for code and for documents. */
export function chunkFile({ path, text, spans = [], sizes = {} }: ChunkRequest): Chunk[] {
  const plain = text.replace(/\r\n?/g, '\n');
  const limits = { ...defaultSizes, ...sizes };
  return isProse(path) ? chunkProse(path, plain, limits) : chunkCode(path, plain, spans, limits);
}

/** What is embedded for a chunk: where it is and what it says. */
export const embeddingText = (chunk: Pick<Chunk, 'path' | 'heading' | 'text'>): string =>
  [chunk.path.replaceAll(/[/_.-]+/g, ' '), chunk.heading.join(' › '), chunk.text].filter(Boolean).join('\n');
