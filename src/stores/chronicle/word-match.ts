import { type Kysely, sql } from 'kysely';
import type { ChronicleTables } from './tables.ts';

/** What is needed of a visible entry to rank it by words. */
export interface Countable {
  seq: number;
  /** Characters of its text. */
  length: number;
  /** The title says something that the text does not begin with. */
  titled: boolean;
}

const saturation = 1.2;
const lengthShare = 0.75;
const inTitle = 2;
const inTags = 1;

/**
 * BM25 over the entries that may be seen, and over nothing else: what another session wrote moves neither the rarity of
 * a word nor the length that is usual. Scores are shares of what a full match could give, 0 … 1.
 */
export async function matchWords(
  db: Kysely<ChronicleTables>,
  words: string[],
  entries: Countable[],
): Promise<Map<number, number>> {
  const known = new Map(entries.map((entry) => [entry.seq, entry]));
  const average = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length) || 1;
  const scores = new Map<number, number>();
  let possible = 0;
  for (const word of new Set(words)) {
    const { rows } = await sql<{ doc: number; col: string; times: number }>`
      SELECT doc, col, count(*) AS times FROM entry_word_places WHERE term = ${word} GROUP BY doc, col`.execute(
      db,
    );
    const times = new Map<number, number>();
    for (const { doc, col, times: count } of rows) {
      const entry = known.get(doc);
      if (!entry || (col === 'title' && !entry.titled)) continue;
      const weight = col === 'title' ? inTitle : col === 'tags' ? inTags : 1;
      times.set(doc, (times.get(doc) ?? 0) + weight * count);
    }
    const rarity = Math.log(1 + (entries.length - times.size + 0.5) / (times.size + 0.5));
    possible += rarity;
    for (const [seq, count] of times) {
      const relative = known.get(seq)!.length / average;
      const gain = count / (count + saturation * (1 - lengthShare + lengthShare * relative));
      scores.set(seq, (scores.get(seq) ?? 0) + rarity * gain);
    }
  }
  for (const [seq, score] of scores) scores.set(seq, score / Math.max(possible, 1e-9));
  return scores;
}
