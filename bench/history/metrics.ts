/** Sums of recall and reciprocal rank over questions. */
export interface Metrics {
  add(ranked: string[], gold: Set<string>): void;
  read(): { n: number; r5: number; r10: number; mrr: number };
}

export function createMetrics(): Metrics {
  const sum = { n: 0, r5: 0, r10: 0, mrr: 0 };
  return {
    add: (ranked, gold) => {
      const within = (depth: number) =>
        ranked.slice(0, depth).filter((path) => gold.has(path)).length / gold.size;
      const first = ranked.findIndex((path) => gold.has(path));
      sum.n++;
      sum.r5 += within(5);
      sum.r10 += within(10);
      sum.mrr += first < 0 ? 0 : 1 / (first + 1);
    },
    read: () => ({ n: sum.n, r5: sum.r5 / sum.n, r10: sum.r10 / sum.n, mrr: sum.mrr / sum.n }),
  };
}
