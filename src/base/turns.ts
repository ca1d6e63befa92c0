/** Lets at most `most` works run at once, of all that it is given; the others wait in the order in which they came. */
export function createTurns(most: number) {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
