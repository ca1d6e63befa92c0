import { reportOf } from '../../base/errors.ts';
import { termsOf } from '../../base/text/index.ts';
import type { Domain } from '../../stores/passages/index.ts';
import { gather } from './candidates.ts';
import { type Card, cardOf } from './cards.ts';
import type { EmbeddedQuestion } from './meaning.ts';
import type { RecallParts } from './parts.ts';
import type { RecallQuery } from './query.ts';
import { type Ranked, rank } from './rank.ts';
import type { RecallSource } from './source.ts';
import { unsaidShare } from './unsaid.ts';

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
  const ranked = await rankDomain(parts, request);
  const cards: Card[] = [];
  const rarity = parts.rarity(request.domain, termsOf(query.text));
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
    unsaid: unsaidShare(parts.passages, request.domain, request.query, candidates),
  });
}
