import { randomNumbers, shuffled } from '../random.ts';

/** One question: the features of each candidate, and which of them are right. */
export interface Lesson {
  rows: Array<{ features: number[]; right: boolean }>;
}

/**
 * Weights of a linear scorer that put the right candidates first: each right one against all wrong ones by softmax, descended by
 * AdaGrad and averaged over the later half of the rounds.
 */
export function learnWeights(lessons: Lesson[], size: number, rounds = 14): number[] {
  const weights = new Array<number>(size).fill(0.3);
  const steps = new Array<number>(size).fill(1e-6);
  const mean = new Array<number>(size).fill(0);
  const usable = lessons.filter(
    ({ rows }) => rows.some((row) => row.right) && rows.some((row) => !row.right),
  );
  const random = randomNumbers(7);
  const from = Math.floor(rounds / 2);
  for (let round = 0; round < rounds; round++) {
    for (const { rows } of shuffled(usable, random)) {
      const gradient = gradientOf(rows, weights);
      for (let at = 0; at < size; at++) {
        const slope = gradient[at]! - 1e-4 * weights[at]!;
        steps[at]! += slope * slope;
        weights[at]! += (0.1 * slope) / Math.sqrt(steps[at]!);
      }
    }
    if (round >= from) for (let at = 0; at < size; at++) mean[at]! += weights[at]! / (rounds - from);
  }
  return mean;
}

/** Sharpens the softmax; weights of about one then tell candidates apart. */
const sharpness = 4;

function gradientOf(rows: Lesson['rows'], weights: number[]): number[] {
  const scores = rows.map(
    ({ features }) => sharpness * features.reduce((sum, value, at) => sum + value * weights[at]!, 0),
  );
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const right = rows.filter((row) => row.right).length;
  let wrong = 0;
  const pull = new Array<number>(weights.length).fill(0);
  for (const [index, row] of rows.entries()) {
    if (row.right) continue;
    wrong += powers[index]!;
    for (const [at, value] of row.features.entries()) pull[at]! += powers[index]! * value;
  }
  const gradient = new Array<number>(weights.length).fill(0);
  for (const [index, row] of rows.entries()) {
    if (!row.right) continue;
    const all = wrong + powers[index]!;
    for (const [at, value] of row.features.entries())
      gradient[at]! += (value - (pull[at]! + powers[index]! * value) / all) / right;
  }
  return gradient;
}
