// owns: search — BM25, the indexes of words, vectors of texts, and how their scores are put together
// knows: SQLite, embedders
// must not know: what a document is about, where it comes from
export { bm25, rarityOf, sharesOfBest } from './bm25.ts';
export {
  createDocumentIndex,
  type DocumentIndex,
} from './document-index.ts';
export { createTextSet, type TextSet } from './text-set.ts';
export {
  createTextVectors,
  type Nearness,
  partsOf,
  type TextEmbedder,
  type TextVectorOptions,
  type TextVectors,
} from './text-vectors.ts';
export { createWordIndex, type WordDocument, type WordIndex } from './word-index.ts';
