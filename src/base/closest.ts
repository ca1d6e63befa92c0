/** The nearest known word to a mistyped one, if it is near enough to be what was meant. */
export function closest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Letters to insert, remove, change or swap with their neighbour; `limit` where it is as much or more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : limit;
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, previous] = [previous, row];
  }
  return previous.at(-1) ?? 0;
}

/** A hint for somebody who mistyped: the nearest known word, or else what to do. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const near = closest(word, known);
  return near ? `Did you mean ${near}?` : otherwise;
}
