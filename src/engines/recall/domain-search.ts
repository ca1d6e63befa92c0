import { reportOf } from '../../base/errors.ts';
import { termsOf } from '../../base/text/index.ts';
import type { Domain, Passages } from '../../stores/passages/index.ts';
import { gather } from './candidates.ts';
import { cardOf } from './cards.ts';
import type { EmbeddedQuestion } from './meaning.ts';
import { pinpoint } from './pinpoint.ts';
import type { RecallQuery } from './query.ts';
import { type Ranked, rank } from './rank.ts';
import type { Card, RecallParts, RecallSource } from './source.ts';

export interface DomainRequest {
  domain: Domain;
  query: RecallQuery;
  question: EmbeddedQuestion;
  limit: number;
  offset?: number;
  path?: string;
  depth?: number;
  lines?: number;
  explain?: boolean;
  /** Only owners that this accepts. */
  accept?: (owner: string) => boolean;
  notes: string[];
}

export interface DomainResult {
  cards: Card[];
  /** How many there are beyond the cards shown. */
  total: number;
}

const defaultDepth = 100;
/** Below this a card has nothing to do with the question. */
export const leastRelevance = 0.12;

/** Ranked things of one domain, as cards. */
export async function searchDomain(parts: RecallParts, request: DomainRequest): Promise<DomainResult> {
  const offset = request.offset ?? 0;
  const own = parts.sources.find((source) => source.domain === request.domain && source.answer);
  if (own) return answerOf(own, request, offset);
  const source = parts.sources.find((each) => each.domain === request.domain);
  if (!source) return { cards: [], total: 0 };
  const { query, lines = 6, explain = false } = request;
  const rarity = parts.rarity(request.domain, termsOf(query.text));
  const files = await rankDomain(parts, request);
  const ranked =
    request.domain === 'code' && query.kind === 'question' && query.aim === 'answer'
      ? await pinpoint(files, {
          query,
          rarity,
          text: source.text,
          passagesOf: (owner) => parts.passages.ofOwner('code', owner),
          symbolsOf: (owner) => source.symbols?.(owner) ?? [],
          wordVectors: parts.meaning.wordVectors,
          vector: request.question.vector,
          textVectors: parts.meaning.quickVectors,
        })
      : files;
  const cards: Card[] = [];
  for (const candidate of ranked.slice(offset, offset + request.limit))
    cards.push(await cardOf(candidate, { query, source, lines, explain, rarity }));
  // The order is the scorer's; what turns out to have nothing to do with the question ends the list.
  let end = cards.length;
  while (end > 0 && (cards[end - 1]?.relevance ?? 0) < leastRelevance) end--;
  return { cards: cards.slice(0, end), total: end < cards.length ? offset + end : ranked.length };
}

/** What has an index of its own; when it cannot answer, the others still do. */
async function answerOf(source: RecallSource, request: DomainRequest, offset: number): Promise<DomainResult> {
  try {
    // A folder of this repository says nothing about what lies elsewhere.
    if (request.path) return { cards: [], total: 0 };
    const { limit, lines = 6 } = request;
    const found = await source.answer?.(request.query.text, { limit, offset, lines });
    const { cards, total } = found ?? { cards: [], total: 0 };
    return { cards: cards.filter((card) => card.relevance >= leastRelevance), total };
  } catch (error) {
    request.notes.push(`${source.name} did not answer: ${reportOf(error).message}`);
    return { cards: [], total: 0 };
  }
}

export async function rankDomain(parts: RecallParts, request: DomainRequest): Promise<Ranked[]> {
  const { words, identifiers, exact, paths } = request.query;
  if ([words, identifiers, exact, paths].every((asked) => asked.length === 0) && !request.question.vector)
    return [];
  const candidates = await gather({
    passages: parts.passages,
    meaning: parts.meaning,
    sources: parts.sources,
    domain: request.domain,
    query: request.query,
    question: request.question,
    depth: request.depth ?? defaultDepth,
    notes: request.notes,
    path: request.path,
    filesOfCommit: parts.filesOfCommit,
  });
  const { accept } = request;
  return rank(accept ? candidates.filter((each) => accept(each.owner)) : candidates, request.query, {
    changedWith: request.domain === 'code' ? parts.changedWith : undefined,
    unsaid: paraphraseScore(parts.passages, request.domain, request.query, candidates),
  });
}

/** Below the first nothing that counts is said in the words of the question, above the second enough is. */
const leastWorded = 0.2;
const wellWorded = 0.35;
/** So many rare words make a description; of a longer one no text is expected to say more than so many. */
const fewWords = 4;
const enoughWords = 5.2;
const mostWords = 6.6;

/** How far a question is put in other words: what the best text says of it, beside what all its words would be worth there. */
export function paraphraseScore(
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
