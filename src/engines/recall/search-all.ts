import { redactionNotes } from '../../base/redact.ts';
import { takeWithinTokens } from '../../base/tokens.ts';
import type { Domain } from '../../stores/passages/index.ts';
import type { Recall, SearchOptions } from './recall.ts';
import type { Card } from './source.ts';

export interface DomainAnswer {
  domain: Domain;
  status: 'ok' | 'no_matches';
  total: number;
  results: Card[];
}

export interface SearchAllOptions extends SearchOptions {
  domains?: Domain[];
  limitPerDomain?: number;
  maxTokens?: number;
}

/** Every domain in one call, each with its own best few. */
export async function searchAll(recall: Recall, text: string, options: SearchAllOptions) {
  const { query, question, notes } = await recall.question(text, options.thorough);
  const wanted = options.domains ?? recall.domains();
  const results: DomainAnswer[] = [];
  for (const domain of wanted) {
    const answer = await searchKnown(recall, domain, { query, question, notes }, options);
    results.push({
      domain,
      status: answer.cards.length > 0 ? 'ok' : 'no_matches',
      total: answer.total,
      results: answer.cards,
    });
  }
  await fit(results, options.maxTokens ?? 4000);
  const cards = results.flatMap((each) => each.results);
  const said = redactionNotes(cards.map(({ snippet }) => snippet));
  return { query: text, kind: query.kind, results, notes: [...new Set([...notes, ...said])] };
}

type Asked = Awaited<ReturnType<Recall['question']>>;

/** A domain that surely has nothing is not searched: no word of the question is known and nothing is near by meaning. */
export async function searchKnown(
  recall: Recall,
  domain: Domain,
  asked: Asked,
  options: SearchOptions & { limitPerDomain?: number },
): Promise<{ cards: Card[]; total: number }> {
  if (asked.query.words.length === 0 && asked.query.exact.length === 0) return { cards: [], total: 0 };
  const hopeless =
    asked.query.kind !== 'exact' &&
    asked.query.kind !== 'path' &&
    !asked.question.vector &&
    !recall.mayKnow(domain, asked.query.text);
  if (hopeless) return { cards: [], total: 0 };
  return await recall.searchDomain({
    domain,
    ...asked,
    limit: options.limitPerDomain ?? options.limit ?? 5,
    offset: options.offset,
    path: options.path,
    lines: options.lines || undefined,
    depth: options.depth || undefined,
    explain: options.explain,
  });
}

/** Domains share the budget: each keeps its best while any is left over. */
async function fit(results: DomainAnswer[], budget: number): Promise<void> {
  const filled = results.filter((answer) => answer.results.length > 0);
  const order = Array.from(
    { length: Math.max(0, ...filled.map((answer) => answer.results.length)) },
    (_, at) => filled.flatMap((answer) => (answer.results[at] ? [{ answer, card: answer.results[at] }] : [])),
  ).flat();
  const kept = new Set(await takeWithinTokens(order, budget, ({ card }) => JSON.stringify(card)));
  for (const answer of filled)
    answer.results = order
      .filter((each) => each.answer === answer && kept.has(each))
      .map((each) => each.card);
}
