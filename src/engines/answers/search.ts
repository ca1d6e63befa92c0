import { reportOf } from '../../base/errors.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import { heldTree, nearestOnly, type RecallQuery, type SmartReply, smartSearch } from '../recall/index.ts';
import type { FoundCard, Question, SearchAnswer, Viewer } from './answer.ts';
import { citationOf, concerns, plainAnswer } from './compose.ts';
import type { AnswersContext } from './context.ts';
import { segmentsOf } from './mitigations/citations.ts';
import { defaultQuality, type Scored, selectWithin } from './mitigations/quality.ts';
import { ordered } from './order.ts';
import { disputedEntries, hasAll, ownEntries, withDisputed } from './remembered.ts';
import { lineOf, type Weighed, weighCards, withRecords } from './sources.ts';
import { write } from './write.ts';

export interface Search {
  text: string;
  intent: string;
  subject: string;
  /** Asks whether something is there at all. */
  isExisting?: boolean;
  /** Names that no file contains, and where it asks whether something is there, words. */
  absent?: string[];
  /** The text as the reader of questions read it. */
  query?: RecallQuery;
}

export type SearchLimits = Pick<
  Question,
  'domains' | 'path' | 'tokenBudget' | 'thoroughness' | 'model' | 'signal'
>;

/** Sees what is shared and nothing else. */
export const everybody: Viewer = { session: '' };

const defaultBudget = 1000;

/** Searches the repository, judges what was found, and says it: level 2, or level 3 where a model writes. */
export async function search(
  context: AnswersContext,
  { text, intent, subject, query, isExisting = false, absent = [] }: Search,
  limits: SearchLimits,
  viewer: Viewer,
): Promise<{ answer: SearchAnswer; isFinal: boolean }> {
  const found = await findCards(context, { text, query }, limits, viewer);
  const { weighed, conflicts, pressing } = await weighCards(context, found.results, viewer);
  const recorded = await withRecords(context, conflicts);
  const open = recorded.filter(({ resolved }) => !resolved).length;
  const selected = await select(
    ordered(weighed, intent, pressing, text),
    limits.tokenBudget ?? defaultBudget,
  );
  const chosen = selected.scored
    .filter((each) => each.included)
    // What somebody remembered may be about the very thing that no file contains.
    .filter(({ item }, at) => absent.length === 0 || at < mostNearest || item.card.domain === 'chronicle');
  const isPlace = intent === 'LOCATE';
  const tree = heldTree(context.repository.root, context.git);
  const nearest =
    chosen.length > 0 && absent.length === 0
      ? await nearestOnly(
          areBareWords(text) && !isPlace ? text : subject || text,
          chosen.map(citationOf),
          tree,
          {
            filesOnly: isPlace,
            isNear: isExisting,
            isQuestion: !isPlace && !areBareWords(text),
          },
        )
      : undefined;
  const missing = absent.length > 0 ? notThere(absent) : nearest?.line;
  const told = missing === undefined ? [] : chosen.filter(({ item }) => tells(item, absent, subject || text));
  const included = [...told, ...chosen.filter((each) => !told.includes(each))];
  const citations = included.map(citationOf);
  const shown = recorded.filter((conflict) => concerns(conflict, citations));
  const sufficient = isSufficient(intent, included, open);
  const hint = missing === undefined ? found.hint : introduced(missing, told.length, citations.length);
  const isPressing = ({ left, right }: { left: string; right: string }) =>
    pressing.some((each) => each.left === left && each.right === right);
  const plain = plainAnswer(citations, shown.filter(isPressing), hint);
  const answer: SearchAnswer = {
    answer: plain,
    status: citations.length > 0 ? 'ok' : 'no_matches',
    level: 2,
    intent,
    subject,
    cost: { model_tokens: 0 },
    citations,
    sources: included.map(({ item }, at) => lineOf(at + 1, item)),
    conflicts: shown,
    segments: segmentsOf(plain, citations.length),
    sufficient,
    would_add: sufficient ? undefined : wouldAdd(intent, open, citations.length),
    confidence: absent.length > 0 ? 0 : Math.min(found.confidence, nearest?.share ?? 1),
    tokens_used: selected.tokens,
    also_exists_in: found.also_exists_in,
    suggestions: found.suggestions,
    hint,
    notes: found.notes,
  };
  const { model, signal } = limits;
  if (!sufficient && model && citations.length > 0)
    return written(context, answer, { text, included, conflicts: shown, model, signal });
  // An answer without vectors gets better by itself, and a dispute changes when somebody settles it.
  return { answer, isFinal: answer.notes.length === 0 && open === 0 };
}

/** As many are shown of what only looks like it. */
const mostNearest = 3;

const notThere = (absent: string[]): string =>
  `No file contains ${absent.map((each) => `"${each}"`).join(' or ')}.`;

/** A shared entry that has every word which no file has; what a session notes for itself stands behind the code. */
const tells = ({ card, disputed }: Weighed, absent: string[], subject: string): boolean =>
  card.domain === 'chronicle' &&
  card.matched !== undefined &&
  !disputed &&
  hasAll(`${card.title}\n${card.snippet ?? ''}`, absent.length > 0 ? absent.join(' ') : subject);

function introduced(missing: string, told: number, shown: number): string {
  if (told > 0) return `${missing} What was remembered does:`;
  return shown > 0 ? `${missing} Closest matches:` : missing;
}

/** Level 3: what the model wrote from the sources, or the sources alone where it failed. */
async function written(
  context: AnswersContext,
  answer: SearchAnswer,
  request: Omit<Parameters<typeof write>[0], 'code'>,
): Promise<{ answer: SearchAnswer; isFinal: boolean }> {
  try {
    const code = await (await context.claims()).evidence();
    const { fields, isTrustworthy } = await write({ ...request, code });
    return {
      answer: { ...answer, ...fields, level: 3, would_add: undefined },
      isFinal: isTrustworthy && answer.notes.length === 0,
    };
  } catch (error) {
    request.signal?.throwIfAborted();
    const note = `the model did not answer (${reportOf(error).message}); showing the sources`;
    return { answer: { ...answer, notes: [...answer.notes, note] }, isFinal: false };
  }
}

/** What recall finds, the session's own entries after its first result, and entries that the code refutes. */
async function findCards(
  context: AnswersContext,
  { text, query }: Pick<Search, 'text' | 'query'>,
  { domains, path, tokenBudget, thoroughness }: SearchLimits,
  viewer: Viewer,
): Promise<Omit<SmartReply, 'results'> & { results: FoundCard[] }> {
  const reply = await smartSearch(await context.recall(), query ?? text, {
    domains,
    path,
    tokenBudget,
    thoroughness,
  });
  const results = reply.results.map(({ detail = '', ...card }) => ({
    ...card,
    reason: detail,
    matched: card.reason,
  }));
  const found = { ...reply, results };
  const own = await ownEntries(context, text, { viewer, domains, path });
  const disputed = await disputedEntries(context, text, { viewer, domains, path });
  if (own.length + disputed.length === 0) return found;
  const cards = [...found.results.slice(0, 1), ...own, ...found.results.slice(1)];
  return { ...found, status: 'ok', results: withDisputed(cards, disputed) };
}

/** A few words that ask nothing: they are looked for as they are. */
const areBareWords = (text: string): boolean => /^[^\s?]+(?:\s+[^\s?]+){0,4}$/.test(text.trim());

/** Counts the tokens of what is shown, and selects nothing beyond the budget. */
async function select(
  candidates: Weighed[],
  budget: number,
): Promise<{ scored: Array<Scored<Weighed>>; tokens: number }> {
  const count = await loadTokenCounter();
  const sized = candidates.map((each, at) => ({
    ...each,
    tokens: count(JSON.stringify(citationOf({ item: each, quality: 0.5 }, at))),
  }));
  return selectWithin(sized, { ...defaultQuality, maxTokens: budget });
}

const goodQuality = 0.8;
const goodTrust = 80;
const goodResults = 2;

/** A place is an answer. Anything else needs two good sources that nobody disputes, or a model that writes. */
function isSufficient(intent: string, included: Array<Scored<Weighed>>, openConflicts: number): boolean {
  if (included.length === 0) return false;
  if (intent === 'LOCATE') return true;
  const good = included.filter(({ quality, item }) => quality > goodQuality && item.trust.level >= goodTrust);
  return good.length >= goodResults && openConflicts === 0;
}

const additions: Record<string, string> = {
  EXPLAIN: 'an explanation written from these sources',
  PATTERN: 'a summary of the pattern that these sources share',
};

/** What a model would add, in words for people. */
function wouldAdd(intent: string, openConflicts: number, sources: number): string | undefined {
  if (sources === 0) return undefined;
  const work = additions[intent] ?? 'a written answer from these sources';
  return openConflicts > 0
    ? `${work}, with the ${openConflicts === 1 ? 'conflict' : `${openConflicts} conflicts`} weighed`
    : work;
}
