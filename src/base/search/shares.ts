/** Shares of the best score, 0 … 1: what is measured differently can then be added. */
export function sharesOfBest<Key>(ranked: Array<{ id: Key; score: number }>): Map<Key, number> {
  const best = Math.max(1e-9, ...ranked.map(({ score }) => score));
  return new Map(ranked.map(({ id, score }) => [id, Math.max(0, score / best)]));
}
