import type { Clock } from '../../base/clock.ts';
import { subjectOf, timeScopeOf } from '../../base/text/index.ts';
import type { Domain } from '../../stores/passages/index.ts';
import type { Card } from './cards.ts';
import { type Intent, intentOf } from './intent.ts';
import type { CacheQuestion, IntentCaches } from './intent-cache/index.ts';
import type { Recall } from './recall.ts';
import { type SmartReply, smartSearch, type Thoroughness } from './smart-search.ts';

/** A language model that writes an answer from sources. None is built in. */
export type AnswerModel = (request: {
  question: string;
  sources: Citation[];
  signal?: AbortSignal;
}) => Promise<{ text: string; tokens: number }>;

export interface Citation {
  n: number;
  ref: string;
  domain: string;
  place: string;
  reason: string;
  trust: number;
  snippet?: string;
}

export interface Answer {
  answer: string;
  status: 'ok' | 'no_matches';
  /** 1 from the cache, 2 from what is stored, 3 written by a model. */
  level: 1 | 2 | 3;
  intent: Intent;
  subject: string;
  /** Tokens that a model was paid for. */
  cost: { model_tokens: number };
  tokens_used: number;
  citations: Citation[];
  /** Level 2 answers fully; otherwise a model would add a summary. */
  sufficient: boolean;
  confidence: number;
  also_exists_in?: Domain[];
  suggestions?: string[];
  hint?: string;
  notes: string[];
}

export interface AskOptions {
  tokenBudget?: number;
  thoroughness?: Thoroughness;
  domains?: Domain[];
  path?: string;
  model?: AnswerModel;
  signal?: AbortSignal;
}

/** Two results of this relevance and trust answer a question without a model. */
const goodRelevance = 0.8;
const goodTrust = 80;
const goodResults = 2;

export function createResolver(
  recall: Recall,
  clock: Clock,
  openCaches?: () => Promise<IntentCaches<Answer>>,
) {
  return {
    ask: async (text: string, options: AskOptions = {}): Promise<Answer> => {
      const question = questionOf(text, options, clock.now());
      const caches = await openCaches?.();
      const kept = await caches?.look(question);
      if (kept?.hit) return { ...kept.answer, level: 1, cost: { model_tokens: 0 } };
      const mark = await caches?.mark(question);
      const found = await smartSearch(recall, text, {
        tokenBudget: options.tokenBudget ?? 1000,
        thoroughness: options.thoroughness ?? 'moderate',
        ...(options.domains ? { domains: options.domains } : {}),
        ...(options.path ? { path: options.path } : {}),
      });
      const answer = await compose(text, question.intent as Intent, question.subject, found, options);
      // Answers of the static tier get better by themselves.
      if (mark && found.notes.length === 0)
        await caches?.keep(mark, {
          answer,
          empty: answer.status !== 'ok',
          evidence: evidenceOf(found.results),
          tokens: answer.tokens_used + answer.cost.model_tokens,
        });
      return answer;
    },
  };
}

/** Everybody sees the same here: recall holds what is shared. */
function questionOf(text: string, options: AskOptions, now: number): CacheQuestion {
  const intent = intentOf(text);
  const timeScope = timeScopeOf(text, now);
  return {
    text,
    agent: 'librarian',
    intent,
    subject: subjectOf(text),
    confidence: intent === 'GENERAL' ? 0.8 : 0.9,
    viewer: { session: '', seesAll: false },
    shape: {
      domains: options.domains,
      path: options.path,
      budget: options.tokenBudget,
      thoroughness: options.thoroughness,
      model: options.model !== undefined,
    },
    ...(timeScope ? { timeScope } : {}),
  };
}

const evidenceOf = (cards: Card[]) => ({
  files: [...new Set(cards.flatMap((card) => (card.domain === 'code' && card.path ? [card.path] : [])))],
  refs: [...new Set(cards.flatMap((card) => (card.domain === 'code' ? [] : [card.ref])))],
});

async function compose(
  text: string,
  intent: Intent,
  subject: string,
  found: SmartReply,
  options: AskOptions,
): Promise<Answer> {
  const citations = placesFirst(intent, found.results).map(citationOf);
  const sufficient = isSufficient(intent, found.results);
  const base = {
    status: found.status,
    intent,
    subject,
    citations,
    sufficient,
    confidence: found.confidence,
    tokens_used: found.tokens_used,
    notes: found.notes,
    ...(found.also_exists_in ? { also_exists_in: found.also_exists_in } : {}),
    ...(found.suggestions ? { suggestions: found.suggestions } : {}),
    ...(found.hint ? { hint: found.hint } : {}),
  };
  if (!sufficient && options.model && citations.length > 0) {
    const written = await options.model({
      question: text,
      sources: citations,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    return { ...base, level: 3, answer: written.text, cost: { model_tokens: written.tokens } };
  }
  return { ...base, level: 2, answer: answerFrom(citations, found), cost: { model_tokens: 0 } };
}

/** A place is an answer; an explanation needs somebody to write it, unless the sources are good and agree. */
export function isSufficient(intent: Intent, cards: Card[]): boolean {
  if (cards.length === 0) return false;
  if (intent === 'LOCATE') return true;
  const good = cards.filter((card) => card.relevance > goodRelevance && card.trust >= goodTrust);
  return good.length >= goodResults;
}

/** Who asks where something is wants the file; the commit that made it comes after. */
const placesFirst = (intent: Intent, cards: Card[]): Card[] =>
  intent === 'LOCATE'
    ? [...cards.filter((card) => card.domain === 'code'), ...cards.filter((card) => card.domain !== 'code')]
    : cards;

const citationOf = (card: Card, at: number): Citation => ({
  n: at + 1,
  ref: card.ref,
  domain: card.domain,
  place: card.path ? `${card.path}${card.lines ? `:${card.lines}` : ''}` : card.title,
  reason: card.heading ? `${card.heading} — ${card.reason}` : card.reason,
  trust: card.trust,
  ...(card.snippet ? { snippet: card.snippet } : {}),
});

function answerFrom(citations: Citation[], found: SmartReply): string {
  if (citations.length === 0) return found.hint ?? 'Nothing was found.';
  return citations.map((each) => `[${each.n}] ${each.place} — ${each.reason}`).join('\n');
}
