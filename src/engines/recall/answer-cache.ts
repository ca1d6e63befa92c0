/** Answers that hold as long as nothing they rest on changed; the oldest goes when there are too many. */
export interface AnswerCache<T> {
  get(key: string, generation: string): T | undefined;
  set(key: string, generation: string, value: T): void;
  stats(): { hits: number; misses: number; size: number };
}

const mostAnswers = 500;

export function createAnswerCache<T>(): AnswerCache<T> {
  const kept = new Map<string, { generation: string; value: T }>();
  let hits = 0;
  let misses = 0;
  return {
    get: (key, generation) => {
      const found = kept.get(key);
      if (found?.generation === generation) {
        hits++;
        kept.delete(key);
        kept.set(key, found);
        return found.value;
      }
      misses++;
      if (found) kept.delete(key);
      return undefined;
    },
    set: (key, generation, value) => {
      if (kept.size >= mostAnswers) kept.delete(kept.keys().next().value!);
      kept.set(key, { generation, value });
    },
    stats: () => ({ hits, misses, size: kept.size }),
  };
}
