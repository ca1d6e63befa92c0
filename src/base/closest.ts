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

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    let [left, corner] = [i, i - 1];
    previous = previous.map((above, j) => {
      if (j > 0) left = Math.min(above + 1, left + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1));
      corner = above;
      return left;
    });
  }
  return previous.at(-1) ?? 0;
}

/** A hint for somebody who mistyped: the nearest known word, or else what to do. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const near = closest(word, known);
  return near ? `Did you mean ${near}?` : otherwise;
}
