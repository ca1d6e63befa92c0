/** Counts of each value of each aspect, with its first location. */
export interface Tally {
  counts: Record<string, Record<string, number>>;
  /** `aspect value` → line. */
  first: Record<string, number>;
}

export const emptyTally = (): Tally => ({ counts: {}, first: {} });

export function count(tally: Tally, aspect: string, value: string, line: number, times = 1): void {
  const values = tally.counts[aspect] ?? {};
  values[value] = (values[value] ?? 0) + times;
  tally.counts[aspect] = values;
  tally.first[`${aspect} ${value}`] ??= line;
}
