import { searchWords } from '../src/base/text/index.ts';

/** The baseline that every score stands beside, frozen: BM25 with k1 1.2 and b .75 over split identifiers and stems. */
export function createBm25(texts: string[]): (question: string) => number[] {
  const documents = texts.map(searchWords);
  const average = documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length);
  const postings = new Map<string, Map<number, number>>();
  for (const [at, words] of documents.entries())
    for (const word of words) {
      const posting = postings.get(word) ?? new Map<number, number>();
      posting.set(at, (posting.get(at) ?? 0) + 1);
      postings.set(word, posting);
    }
  return (question) => {
    const scores = new Array<number>(texts.length).fill(0);
    for (const word of new Set(searchWords(question))) {
      const posting = postings.get(word) ?? new Map<number, number>();
      const weight = Math.log(1 + (texts.length - posting.size + 0.5) / (posting.size + 0.5));
      for (const [at, times] of posting)
        scores[at]! +=
          (weight * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * documents[at]!.length) / average));
    }
    return scores;
  };
}
