/** One question: the features of each candidate, and which of them are right. */
export interface Lesson {
  rows: Array<{ features: number[]; right: boolean }>;
}

/** Weights of a linear scorer that put the right candidates first: softmax over each question, plain descent. */
export function learnWeights(lessons: Lesson[], size: number, rounds = 60): number[] {
  const weights = new Array<number>(size).fill(0.5);
  const steps = new Array<number>(size).fill(1e-6);
  const usable = lessons.filter(
    ({ rows }) => rows.some((row) => row.right) && rows.some((row) => !row.right),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { rows } of usable) {
      const scores = rows.map(
        (row) => row.features.reduce((sum, value, at) => sum + value * weights[at]!, 0) * 4,
      );
      const most = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - most));
      const total = powers.reduce((sum, power) => sum + power, 0);
      const rights = rows.filter((row) => row.right).length;
      const gradient = new Array<number>(size).fill(0);
      for (const [index, row] of rows.entries()) {
        const miss = (row.right ? 1 / rights : 0) - powers[index]! / total;
        for (let at = 0; at < size; at++) gradient[at]! += miss * row.features[at]!;
      }
      for (let at = 0; at < size; at++) {
        const slope = gradient[at]! - 1e-4 * weights[at]!;
        steps[at]! += slope * slope;
        weights[at]! += (0.1 * slope) / Math.sqrt(steps[at]!);
      }
    }
  }
  return weights;
}
