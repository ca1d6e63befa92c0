/** Quantiles of many durations in little space: buckets that grow by a twelfth, from a microsecond up. */
export function createHistogram() {
  const counts = new Uint32Array(400);
  let total = 0;
  const bucketOf = (milliseconds: number): number =>
    Math.max(0, Math.min(399, Math.ceil(Math.log2(Math.max(milliseconds * 1000, 1)) * 8.66)));
  return {
    add: (milliseconds: number): void => {
      counts[bucketOf(milliseconds)]!++;
      total++;
    },
    /** The upper edge of the bucket, in milliseconds. */
    quantile: (share: number): number => {
      if (total === 0) return 0;
      let seen = 0;
      for (let bucket = 0; bucket < counts.length; bucket++) {
        seen += counts[bucket]!;
        if (seen >= share * total) return Number((2 ** (bucket / 8.66) / 1000).toPrecision(3));
      }
      return Number.POSITIVE_INFINITY;
    },
    count: () => total,
  };
}
