import type { Domain, Passages } from '../../stores/passages/index.ts';
import type { RecallQuery } from './query.ts';

/** Below the first nothing that counts is said in the words of the question, above the second enough is. */
const leastWorded = 0.2;
const wellWorded = 0.35;
/** So many rare words make a description; of a longer one no text is expected to say more than so many. */
const fewWords = 4;
const enoughWords = 5.2;
const mostWords = 6.6;

/** How far a question is put in other words: what the best text says of it, beside what all its words would be worth there. */
export function unsaidShare(
  passages: Pick<Passages, 'frequencies' | 'size'>,
  domain: Domain,
  query: Pick<RecallQuery, 'words'>,
  candidates: Array<{ passages: Array<{ words: number }> }>,
): number {
  const counts = passages.frequencies(domain, query.words);
  const size = passages.size(domain);
  const worth = (holding: number) => Math.max(0, Math.log((size - holding + 0.5) / (holding + 0.5)));
  const rare = worth(0);
  const whole = query.words.reduce((sum, word) => sum + worth(counts.get(word) ?? 0), 0);
  if (whole <= fewWords * rare) return 0;
  let best = 0;
  for (const { passages: found } of candidates) for (const { words } of found) best = Math.max(best, words);
  const worded = best / Math.min(whole, mostWords * rare);
  const share = (wellWorded - worded) / (wellWorded - leastWorded);
  const described = (whole / rare - fewWords) / (enoughWords - fewWords);
  return Math.max(0, Math.min(1, share)) * Math.min(1, described);
}
