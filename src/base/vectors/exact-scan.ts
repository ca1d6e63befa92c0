import { loadUsearch } from './native.ts';

export interface Scored {
  sequence: number;
  score: number;
}

/** The rows that no graph holds yet, side by side in memory. */
export interface Tail {
  sequences: number[];
  /** Room for more rows than there are. */
  values: Float32Array;
}

/** Compares with every row: exact, and fast up to some ten thousand. */
export function scan(tail: Tail, query: Float32Array, limit: number): Scored[] {
  const count = tail.sequences.length;
  if (count === 0) return [];
  const dimensions = query.length;
  const take = Math.min(limit, count);
  const usearch = loadUsearch();
  if (usearch && count > 8) {
    const rows = tail.values.subarray(0, count * dimensions);
    // It reads a part of a larger array from the array's start.
    const whole = query.byteLength === query.buffer.byteLength ? query : query.slice();
    const found = usearch.exactSearch(rows, whole, dimensions, take, usearch.MetricKind.IP, 1);
    return [...found.keys].map((row, at) => ({
      sequence: tail.sequences[Number(row)] ?? -1,
      score: 1 - (found.distances[at] ?? 1),
    }));
  }
  const scores = tail.sequences.map((sequence, row) => {
    let score = 0;
    const start = row * dimensions;
    for (let at = 0; at < dimensions; at++) score += (tail.values[start + at] ?? 0) * (query[at] ?? 0);
    return { sequence, score };
  });
  return scores.sort((left, right) => right.score - left.score).slice(0, take);
}

export function appendRows(
  tail: Tail,
  rows: Array<{ sequence: number; vector: Float32Array }>,
  dimensions: number,
): void {
  const needed = (tail.sequences.length + rows.length) * dimensions;
  if (needed > tail.values.length) {
    const grown = new Float32Array(Math.max(needed, tail.values.length * 2));
    grown.set(tail.values.subarray(0, tail.sequences.length * dimensions));
    tail.values = grown;
  }
  for (const { sequence, vector } of rows) {
    tail.values.set(vector, tail.sequences.length * dimensions);
    tail.sequences.push(sequence);
  }
}
