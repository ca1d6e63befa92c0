/** Precision and recall of one detector over yes-or-no cases. */
export interface Score {
  cases: number;
  found: number;
  right: number;
  wanted: number;
}

export const newScore = (): Score => ({ cases: 0, found: 0, right: 0, wanted: 0 });

export function count(score: Score, said: boolean, gold: boolean): void {
  score.cases++;
  if (gold) score.wanted++;
  if (said) score.found++;
  if (said && gold) score.right++;
}

export const precision = ({ right, found }: Score): number => (found === 0 ? 0 : right / found);
export const recall = ({ right, wanted }: Score): number => (wanted === 0 ? 0 : right / wanted);
export const f1 = (score: Score): number => {
  const [p, r] = [precision(score), recall(score)];
  return p + r === 0 ? 0 : (2 * p * r) / (p + r);
};

const percent = (value: number): string => `${(value * 100).toFixed(1).padStart(5)} %`;

export const line = (name: string, score: Score): string =>
  `  ${name.padEnd(26)} precision ${percent(precision(score))}  recall ${percent(recall(score))}  F1 ${percent(f1(score))}  (${score.right} of ${score.wanted} found, ${score.found - score.right} wrongly; ${score.cases} cases)`;
