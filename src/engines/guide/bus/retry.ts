export const retryLimits = { attempts: 3, first: 500, factor: 2 };

/** Milliseconds before attempt `attempt + 1`: half a second, doubled each time, a quarter more or less by chance. */
export const retryDelay = (attempt: number, random: () => number): number =>
  Math.round(retryLimits.first * retryLimits.factor ** (attempt - 1) * (0.75 + 0.5 * random()));
