import { type Bm25, bm25, rarityOf } from './bm25.ts';

export type TextSet = ReturnType<typeof createTextSet>;

/**
 * A few thousand documents in memory, scored as those of a word index are. A document is the words of each of its
 * fields, in the order of the weights.
 */
export function createTextSet(
  documents: string[][][],
  weights: number[],
  tuning: Pick<Bm25, 'saturation' | 'lengthShare'> = {},
) {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map((fields, at) => {
    for (const [field, words] of fields.entries())
      for (const word of words) {
        let amounts = postings.get(word);
        if (!amounts) {
          amounts = new Map();
          postings.set(word, amounts);
        }
        amounts.set(at, (amounts.get(at) ?? 0) + (weights[field] ?? 1));
      }
    return fields.reduce((sum, words) => sum + words.length, 0);
  });
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
  const statistics = { ...tuning, documents: documents.length, averageLength };

  /** How much of each document is any of these words; the word itself counts whole, another for it a little less. */
  const amountsOf = ([word, ...others]: string[], other: number): Map<number, number> => {
    const amounts = new Map(postings.get(word ?? ''));
    for (const each of others)
      for (const [at, amount] of postings.get(each) ?? [])
        if (!amounts.has(at)) amounts.set(at, amount * other);
    return amounts;
  };

  return {
    /** BM25 of every document. A word may come with others that mean the same. */
    scores: (terms: Array<string | string[]>, otherWord = 0.7): number[] => {
      const scores = documents.map(() => 0);
      for (const term of terms) {
        const amounts = typeof term === 'string' ? postings.get(term) : amountsOf(term, otherWord);
        if (!amounts?.size) continue;
        const gain = bm25(statistics, amounts.size);
        for (const [at, amount] of amounts) scores[at] = (scores[at] ?? 0) + gain(amount, lengths[at] ?? 0);
      }
      return scores;
    },
    /** What a document would score that says each word without end: scores are shares of it. */
    most: (terms: Array<string | string[]>): number =>
      terms.reduce<number>((sum, term) => {
        const holding = typeof term === 'string' ? (postings.get(term)?.size ?? 0) : amountsOf(term, 1).size;
        return sum + rarityOf(documents.length, holding) * ((tuning.saturation ?? 1.2) + 1);
      }, 0),
  };
}
