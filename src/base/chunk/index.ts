// owns: cutting a file into chunks that keep their file, lines and heading path
// knows: nothing of ours; a parser's outline arrives as spans
// must not know: languages, stores, embedders
export type { Chunk, Span } from './chunk.ts';
export { chunkFile, embeddingText, isProse } from './chunk-file.ts';
