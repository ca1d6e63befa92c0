import { redactionNotes } from '../../base/redact.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import type { Domain } from '../../stores/passages/index.ts';
import type { RecallQuery } from './query.ts';
import type { Recall } from './recall.ts';
import { searchKnown } from './search-all.ts';
import type { Card } from './source.ts';

export type Thoroughness = 'quick' | 'moderate' | 'thorough';

export interface SmartReply {
  status: 'ok' | 'no_matches';
  results: Card[];
  tokens_used: number;
  budget: number;
  /** 0 … 1: how well the best result covers the question. */
  confidence: number;
  also_exists_in?: Domain[];
  hint?: string;
  suggestions?: string[];
  notes: string[];
}

export interface SmartOptions {
  tokenBudget?: number;
  thoroughness?: Thoroughness;
  domains?: Domain[];
  path?: string;
  explain?: boolean;
}

/** When to stop: enough results of this relevance, or this many in all. */
const plans: Record<
  Thoroughness,
  { enough: number; relevance: number; most: number; depth: number; model: boolean }
> = {
  quick: { enough: 2, relevance: 0.6, most: 6, depth: 60, model: false },
  moderate: { enough: 4, relevance: 0.55, most: 12, depth: 100, model: false },
  thorough: { enough: Number.POSITIVE_INFINITY, relevance: 1, most: 40, depth: 300, model: true },
};
const firstBatch = 3;
const batchGrowth = 2;

/** Takes results in growing batches until they suffice or the budget is used up. */
export async function smartSearch(
  recall: Recall,
  question: string | RecallQuery,
  options: SmartOptions = {},
): Promise<SmartReply> {
  const budget = options.tokenBudget ?? 1000;
  const plan = plans[options.thoroughness ?? 'moderate'];
  const asked = await recall.question(question, plan.model);
  const wanted = options.domains ?? recall.domains();
  const found: Card[] = [];
  const elsewhere: Domain[] = [];
  for (const domain of recall.domains()) {
    const { cards } = await searchKnown(recall, domain, asked, {
      limit: wanted.includes(domain) ? plan.most : 1,
      depth: plan.depth,
      explain: options.explain,
      path: options.path,
    });
    if (wanted.includes(domain)) found.push(...cards);
    else if (cards.length > 0) elsewhere.push(domain);
  }
  found.sort((left, right) => right.relevance - left.relevance || right.score - left.score);
  const taken = await takeProgressively(withCode(interleave(found)), budget, plan);
  return replyOf(taken, { budget, text: asked.query.text, elsewhere, notes: asked.notes, wanted });
}

/** The scorer's order holds within a domain; between domains the more relevant comes first. */
function interleave(cards: Card[]): Card[] {
  const queues = new Map<string, Card[]>();
  for (const card of cards) queues.set(card.domain, [...(queues.get(card.domain) ?? []), card]);
  for (const queue of queues.values()) queue.sort((left, right) => right.score - left.score);
  const merged: Card[] = [];
  for (;;) {
    const heads = [...queues.values()].flatMap((queue) => (queue[0] ? [{ queue, card: queue[0] }] : []));
    const [best] = heads.sort((left, right) => right.card.relevance - left.card.relevance);
    if (!best) return merged;
    best.queue.shift();
    merged.push(best.card);
  }
}

/** Where the first places of the code stand at the latest. */
const codeBy = [1, 3];

/** A commit's few words cover a question more easily than a file does: without this, enough commits would end the search. */
function withCode(cards: Card[]): Card[] {
  const code = cards.filter(({ domain }) => domain === 'code');
  const merged = [...cards];
  for (const [at, latest] of codeBy.entries()) {
    const card = code[at];
    if (card && merged.indexOf(card) > latest)
      merged.splice(latest, 0, ...merged.splice(merged.indexOf(card), 1));
  }
  return merged;
}

async function takeProgressively(
  cards: Card[],
  budget: number,
  plan: (typeof plans)[Thoroughness],
): Promise<{ cards: Card[]; tokens: number }> {
  const count = await loadTokenCounter();
  const taken: Card[] = [];
  let tokens = 0;
  let batch = firstBatch;
  for (let from = 0; from < cards.length && taken.length < plan.most; from += batch, batch += batchGrowth) {
    for (const card of cards.slice(from, from + batch)) {
      const size = count(JSON.stringify(card));
      if (tokens + size > budget) return { cards: taken, tokens };
      taken.push(card);
      tokens += size;
    }
    if (taken.filter((card) => card.relevance >= plan.relevance).length >= plan.enough) break;
  }
  return { cards: taken, tokens };
}

function replyOf(
  { cards, tokens }: { cards: Card[]; tokens: number },
  {
    budget,
    text,
    elsewhere,
    notes,
    wanted,
  }: { budget: number; text: string; elsewhere: Domain[]; notes: string[]; wanted: Domain[] },
): SmartReply {
  const confidence = Math.max(0, ...cards.map((card) => card.relevance));
  const also =
    elsewhere.length > 0
      ? { also_exists_in: elsewhere, suggestions: [`Related content in: ${elsewhere.join(', ')}`] }
      : {};
  const base = {
    results: cards,
    tokens_used: tokens,
    budget,
    confidence,
    notes: [...new Set([...notes, ...redactionNotes(cards.map(({ snippet }) => snippet))])],
    ...also,
  };
  if (cards.length > 0) return { status: 'ok', ...base };
  return { status: 'no_matches', ...base, hint: hintFor(text, wanted, elsewhere) };
}

export const hintFor = (text: string, wanted: Domain[], elsewhere: Domain[]): string =>
  elsewhere.length > 0
    ? `Nothing in ${wanted.join(', ')} matches. There is something in ${elsewhere.join(', ')}.`
    : `Nothing matches ${JSON.stringify(text.slice(0, 80))} in ${wanted.join(', ') || 'any domain'}. Try other words, or fewer.`;
