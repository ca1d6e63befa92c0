/** A piece of a file that is searched, shown and embedded as one. */
export interface Chunk {
  path: string;
  /** Counted from one, both ends included. */
  startLine: number;
  endLine: number;
  /** Outer to inner: headings of a document, or the symbols around a piece of code. */
  heading: string[];
  kind: 'code' | 'prose';
  text: string;
}

/** Where a symbol of a source file begins and ends, as a parser's outline gives it. */
export interface Span {
  name: string;
  startLine: number;
  endLine: number;
  /** Names of the symbols around it, outermost first. */
  parents?: string[];
}

export interface ChunkSizes {
  /** A chunk is cut when it would exceed this many characters. The default fits the embedding model. */
  maxCharacters: number;
  /** Neighbours are joined while they stay under this. */
  minCharacters: number;
}

export const defaultSizes: ChunkSizes = { maxCharacters: 1200, minCharacters: 240 };
