/** Recall at ten and reciprocal rank of one ranking. */
export interface Score {
  r5: number;
  r10: number;
  rr: number;
}

export function scoreOf(ranked: string[], gold: Set<string>): Score {
  const within = (depth: number) => ranked.slice(0, depth).filter((id) => gold.has(id)).length / gold.size;
  const first = ranked.findIndex((id) => gold.has(id));
  return { r5: within(5), r10: within(10), rr: first < 0 ? 0 : 1 / (first + 1) };
}

export const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The middle 95 of a hundred means of differences, drawn with replacement; the seed is fixed. */
export function interval(differences: number[], rounds = 2000, seed = 20261115): [low: number, high: number] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: rounds }, () => {
    let sum = 0;
    for (let at = 0; at < differences.length; at++)
      sum += differences[Math.floor(random() * differences.length)]!;
    return sum / Math.max(1, differences.length);
  }).sort((one, two) => one - two);
  return [means[Math.floor(rounds * 0.025)]!, means[Math.floor(rounds * 0.975)]!];
}
