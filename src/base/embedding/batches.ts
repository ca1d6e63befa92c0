/** Texts of like length run together, so that little is spent on padding. Answers positions into `lengths`. */
export function batchesByLength(lengths: number[], tokensPerBatch = 2048): number[][] {
  const order = lengths.map((_, at) => at).sort((left, right) => lengths[left]! - lengths[right]!);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const at of order) {
    // Sorted by length: this one is the longest of the batch so far.
    if (batch.length > 0 && lengths[at]! * (batch.length + 1) > tokensPerBatch) {
      batches.push(batch);
      batch = [];
    }
    batch.push(at);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
