/** What the score of one word is made from. Counts and lengths may be weighted by field. */
export interface Bm25 {
  /** Documents that statistics are made of. */
  documents: number;
  /** Words in a usual one of them. */
  averageLength: number;
}

const saturation = 1.2;
const lengthShare = 0.75;

/** BM25 of one word in a document, as a function of how often the word is there and how long the document is. */
export function bm25(
  { documents, averageLength }: Bm25,
  holding: number,
): (count: number, length: number) => number {
  const rarity = Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
  const least = saturation * (1 - lengthShare);
  const each = (saturation * lengthShare) / Math.max(averageLength, 1e-9);
  return (count, length) => (rarity * count * (saturation + 1)) / (count + least + each * length);
}
