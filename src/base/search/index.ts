// owns: the one way in which words are ranked — BM25 and the index of words behind it
// knows: SQLite, words of texts
// must not know: what a document is, where it comes from
export { type Bm25, bm25 } from './bm25.ts';
export { createWordIndex, type WordIndex } from './word-index.ts';
