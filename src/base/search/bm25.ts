/** What the score of one word is made from. Counts and lengths may be weighted by field. */
export interface Bm25 {
  /** Documents that statistics are made of. */
  documents: number;
  /** Words in a usual one of them. */
  averageLength: number;
  /** How soon another occurrence of a word stops to count. */
  saturation?: number | undefined;
  /** How much a long document has to say a word more often: 0 not at all, 1 in proportion. */
  lengthShare?: number | undefined;
}

/** How much a word says: more, the fewer documents have it. */
export const rarityOf = (documents: number, holding: number): number =>
  Math.log(1 + Math.max(0.5, documents - holding + 0.5) / (holding + 0.5));

/** BM25 of one word in a document, as a function of how often the word is there and how long the document is. */
export function bm25(
  { documents, averageLength, saturation = 1.2, lengthShare = 0.75 }: Bm25,
  holding: number,
): (count: number, length: number) => number {
  const most = rarityOf(documents, holding) * (saturation + 1);
  const least = saturation * (1 - lengthShare);
  const each = (saturation * lengthShare) / Math.max(averageLength, 1e-9);
  return (count, length) => (most * count) / (count + least + each * length);
}

/** Shares of the best score, 0 … 1: what is measured differently can then be added. */
export function sharesOfBest<Key>(ranked: Array<{ id: Key; score: number }>): Map<Key, number> {
  const best = Math.max(1e-9, ...ranked.map(({ score }) => score));
  return new Map(ranked.map(({ id, score }) => [id, Math.max(0, score / best)]));
}
